/**
 * Texts that an agent may write in place of a command, by the command that is meant. None of it is taken from the catalogue's
 * own utterances, so that agreement with it shows more than that words were found again.
 */

export const UTTERANCES: readonly (readonly [meant: string, utterances: readonly string[]])[] = [
  [
    'find_user_id_by_email',
    [
      'look the customer up with the email yusuf.rossi@example.com',
      'I need the user id that belongs to the e-mail mia.garcia@example.com',
      "who is the customer with email address 'noah.brown@example.com'?",
      'locate user by their email',
    ],
  ],
  [
    'find_user_id_by_name_zip',
    [
      'look up the customer Yusuf Rossi with zip code 19122',
      'I need the user id of Mei Kovacs, zip 28236',
      'search the user by first name Ava, last name Moore and zip 78234',
      'who is the customer named Lei Li living in zip code 85033',
    ],
  ],
  [
    'get_user_details',
    [
      'show me the profile of user yusuf_rossi_9620',
      'what payment methods does the customer have in the account?',
      'pull up the account information for mei_kovacs_8020',
      'user details for ava_moore_2033 please',
      'all orders of this user',
    ],
  ],
  [
    'get_order_details',
    [
      'show me the details of order #W2378156',
      'what is the status of order #W6247578?',
      'which items are in order #W7602708',
      'check order #W4967593',
      'pull up the order #W6390527 with its items and shipment',
    ],
  ],
  [
    'get_product_details',
    [
      'show me the variants of product 1656367028',
      'what options are available for product 9523456873?',
      'is this product in stock in another size',
      'check which colours product 4896585277 comes in and the prices',
      'product details of 6086499569',
    ],
  ],
  [
    'list_all_product_types',
    [
      'show me all product types',
      'what kinds of products do you sell?',
      'which product types are in the catalog',
      'give me the names of all the products in the store',
    ],
  ],
  [
    'calculate',
    [
      'work out 54.04 + 41.2',
      'what is the sum of 12.5 and 30?',
      'compute (46.66 - 28.1) * 2',
      'please add up 10, 20 and 30',
    ],
  ],
  [
    'cancel_pending_order',
    [
      'please cancel order #W4817420 since it is no longer needed',
      'the customer wants to call off the pending order #W5061109',
      'I ordered #W9348897 by mistake, stop it',
      'could you cancel the pending order because it was ordered by mistake',
      'the pending order #W3295833 is no longer needed',
    ],
  ],
  [
    'modify_pending_order_address',
    [
      'change the shipping address of order #W4082615',
      'please update the delivery address for pending order #W3942868',
      'send the order #W8665881 to a different address',
      'the order #W9583042 should be shipped to 760 Elm Avenue instead',
    ],
  ],
  [
    'modify_pending_order_items',
    [
      'swap the item in pending order #W5056519 for another variant',
      'change the items of pending order #W1242543 to the red ones',
      'replace item 2492465580 of the pending order with 1340995114',
      'the pending order should have another size of the shirt item',
    ],
  ],
  [
    'modify_pending_order_payment',
    [
      'change the payment method of order #W5490111 to paypal',
      'switch the payment of pending order #W5061109 to a gift card',
      'pay the order #W1305158 with credit_card_9513926 instead',
      'use a different payment method for the pending order',
    ],
  ],
  [
    'modify_user_address',
    [
      'change the default address of user yara_davis_8348',
      'update the address in the profile of the customer',
      "set the user's address to 544 Sunset Drive",
      'please modify the default address in the account',
    ],
  ],
  [
    'return_delivered_order_items',
    [
      'send the delivered items of order #W9911714 back for a refund',
      'the customer would like to return item 8349118980',
      'refund the items that were delivered with order #W7449508',
      'please return both items from the delivered order to paypal_9497703',
    ],
  ],
  [
    'exchange_delivered_order_items',
    [
      'swap the delivered keyboard for another variant, as an exchange',
      'the customer wants to exchange the items of order #W2378156',
      'please exchange item 1151293680 for 7706410293',
      'do an exchange of the delivered thermostat',
    ],
  ],
  [
    'transfer_to_human_agents',
    [
      'hand this over to a human agent',
      'the customer needs to talk to a real person',
      'please escalate to a human',
      'connect me with a live agent',
    ],
  ],
];

/** Words that no command is meant by. */
export const NONSENSE: readonly string[] = [
  'tell me a joke',
  'how is the weather today?',
  'thank you very much',
  'Onwards, as I said before (3).',
  'Whatever comes to mind (2).',
  '42',
  '🙂',
  '???',
  'lorem ipsum dolor sit amet',
];

/** Words that several commands may be meant by; one of these is among those that are suggested. */
export const AMBIGUOUS: readonly (readonly [utterance: string, oneOf: readonly string[]])[] = [
  [
    'Something about the order: order_id is "#W1".',
    ['get_order_details', 'cancel_pending_order', 'modify_pending_order_items'],
  ],
  ['<order_id>#W1</order_id>', ['get_order_details']],
  ['change the address', ['modify_pending_order_address', 'modify_user_address']],
  ['the address is wrong', ['modify_pending_order_address', 'modify_user_address']],
  ['do something with the delivered items', ['return_delivered_order_items', 'exchange_delivered_order_items']],
  ['who is this customer', ['find_user_id_by_email', 'find_user_id_by_name_zip', 'get_user_details']],
];
