/** tau-bench retail: a command for each of its tools but `think`, which does nothing. */

import {
  CALCULATE,
  STATUS,
  TRANSFER_TO_HUMAN_AGENTS,
  asRead,
  type CommandDefinition,
  type DomainDefinition,
} from '../definitions.ts';
import { ADDRESS, equallyMany, itemIds, orderId, paymentMethodId, retailUserId, zip } from './fields.ts';
import { VARIANTS } from './variants.ts';

/** Letters of any language: FastWorkflow's own pattern, ASCII letters only, would turn a José away. */
const NAME_PART = { type: 'text', required: true, pattern: "[\\p{L}\\p{M}' -]+", form: 'letters only' } as const;

/** Commands that only read. */
const LOOKUPS: readonly CommandDefinition[] = [
  {
    name: 'find_user_id_by_email',
    description: 'Find a user id by e-mail address. If no user has it, try name and zip code.',
    utterances: [
      'find the customer by e-mail',
      'which user has this email address',
      'look up the user id for jane.doe@example.com',
      'identify the customer with the e-mail they gave',
      'authenticate the user by email',
    ],
    context: '*',
    label: 'The user id is: ',
    fields: [
      {
        name: 'email',
        description: 'e-mail address of the user',
        type: 'text',
        required: true,
        pattern: '[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}',
        form: 'an e-mail address',
        examples: ['jane.doe@example.com'],
      },
    ],
    outputs: [{ name: 'user_id', description: 'id of the user', type: 'text' }],
  },
  {
    name: 'find_user_id_by_name_zip',
    description:
      'Find a user id by name and zip code, if the user does not know the e-mail address or it finds no user.',
    utterances: [
      'find the customer by first name, last name and zip code',
      'which user is called Jane Doe and lives in zip 00000',
      'look up the user id with name and postal code',
      'the customer forgot the e-mail, so identify them by name and zip',
      'authenticate the user by full name and zip code',
    ],
    context: '*',
    label: 'The user id is: ',
    fields: [
      { ...NAME_PART, name: 'first_name', description: 'first name of the user', examples: ['Jane'] },
      { ...NAME_PART, name: 'last_name', description: 'last name of the user', examples: ['Doe'] },
      zip('zip code of the user'),
    ],
    outputs: [{ name: 'user_id', description: 'id of the user', type: 'text' }],
  },
  {
    name: 'get_user_details',
    description: "Get a user's details: name, address, e-mail address, payment methods with balances, order ids.",
    utterances: [
      'show the profile of the customer',
      'which orders does the user have',
      'look up the account of user jane_doe_0001',
      'what payment methods are on file',
      'what is the gift card balance of the customer',
      'what is the default address in the profile',
    ],
    context: '*',
    label: 'Response: ',
    fields: [retailUserId('id of the user')],
    outputs: [
      {
        name: 'user_details',
        description: 'name, address, e-mail, payment methods with balances, and order ids of the user',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_order_details',
    description: "Get an order's details: status, address, items with their ids and prices, payments, shipments.",
    utterances: [
      'look up the order',
      'what is the status of order #W0000001',
      'has the order been delivered yet',
      'which items are in the order',
      'show the tracking number of the shipment',
      'how was the order paid for',
    ],
    context: '*',
    label: 'Order details: ',
    fields: [orderId('id of the order')],
    outputs: [
      {
        name: 'order_details',
        description: 'status, address, items with their ids, options and prices, shipments, and payments of the order',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_product_details',
    description: "Get a product's details: all its variants with item ids, options, prices and availability.",
    utterances: [
      'which variants of the product are available',
      'what options does product 1000000001 come in',
      'show colours, sizes and prices of the product',
      'is another variant in stock',
      'find the item id of the cheapest variant',
    ],
    context: '*',
    label: 'Response: ',
    fields: [
      {
        name: 'product_id',
        description: 'id of the product, which is not an item id',
        type: 'text',
        required: true,
        pattern: '\\d{10}',
        form: 'ten digits',
        examples: ['1000000001'],
        availableFrom: ['get_order_details', 'list_all_product_types'],
      },
    ],
    outputs: [
      {
        name: 'product_details',
        description: 'variants of the product with item ids, options, prices and availability',
        type: 'text',
      },
    ],
  },
  {
    name: 'list_all_product_types',
    description: 'List the names of all products with their product ids.',
    utterances: [
      'what products does the shop sell',
      'list every product type with its id',
      'show the whole catalog of the store',
      'which kinds of products are there',
      'find the product id of a product by its name',
    ],
    context: '*',
    label: 'list of product types: ',
    fields: [],
    outputs: [{ name: 'status', description: 'product ids by product name', type: 'text' }],
  },
];

const USER_OR_ORDER = ['get_order_details', 'get_user_details'];

/** Commands that change data. */
const WRITES: readonly CommandDefinition[] = [
  {
    name: 'cancel_pending_order',
    description: 'Cancel a pending order, which is one that has not been processed yet. The payment is refunded.',
    utterances: [
      'cancel the order',
      'call off order #W0000001, it is no longer needed',
      'the order was placed by mistake',
      'stop the order before it is processed',
      'the customer does not want the pending order any more',
    ],
    context: '*',
    label: 'current status is: ',
    fields: [
      orderId('id of the pending order'),
      {
        name: 'reason',
        description: "the user's reason",
        type: 'text',
        required: true,
        allowed: ['no longer needed', 'ordered by mistake'],
      },
    ],
    outputs: STATUS,
  },
  {
    name: 'modify_pending_order_address',
    description: 'Change the shipping address of a pending order.',
    utterances: [
      'change the shipping address of the order',
      'send pending order #W0000001 to another address',
      'update where the order is delivered to',
      'correct the delivery address of an order that has not shipped',
      'the order should go to a different street and city',
    ],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [orderId('id of the pending order'), ...ADDRESS],
    outputs: STATUS,
  },
  {
    name: 'modify_pending_order_items',
    description:
      'Change items of a pending order to other variants of the same products. This works once per order, so give all ' +
      'items.',
    utterances: [
      'swap items of the pending order',
      'change the colour or size of an item before the order ships',
      'replace an item in pending order #W0000001 by another variant',
      'modify the items in an order that is not processed yet',
      'upgrade an item of the pending order',
    ],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [
      orderId('id of the pending order'),
      itemIds('item_ids', 'ids of the items to be swapped, repeated ones included', ['get_order_details']),
      itemIds('new_item_ids', 'ids of their replacements, in the same order', ['get_product_details']),
      paymentMethodId('pays or receives the price difference', USER_OR_ORDER),
    ],
    outputs: STATUS,
    validate: equallyMany,
  },
  {
    name: 'modify_pending_order_payment',
    description: 'Change the payment method of a pending order to another one of the user.',
    utterances: [
      'change the payment method of the order',
      'pay for the pending order with the gift card instead',
      'switch order #W0000001 from credit card to paypal',
      'charge a different card for the pending order',
      'use another way to pay for the order',
    ],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [orderId('id of the pending order'), paymentMethodId('the new payment method', ['get_user_details'])],
    outputs: STATUS,
  },
  {
    name: 'modify_user_address',
    description: "Change the default address in a user's profile. Orders keep theirs.",
    utterances: [
      'change the default address of the customer',
      'update the address in the user profile',
      'the customer has moved to a new home',
      'save a new address for user jane_doe_0001',
      'set the account address',
    ],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [retailUserId('id of the user'), ...ADDRESS],
    outputs: STATUS,
  },
  {
    name: 'return_delivered_order_items',
    description: 'Return items of a delivered order for a refund. This works once per order, so give all items.',
    utterances: [
      'return items of the delivered order',
      'send items back for a refund',
      'give back what arrived with order #W0000001',
      'the customer wants the money back for a delivered item',
      'refund an item that was received',
    ],
    context: '*',
    label: 'Response: return status is: ',
    fields: [
      orderId('id of the delivered order'),
      itemIds('item_ids', 'ids of the items to be returned, repeated ones included', ['get_order_details']),
      paymentMethodId('receives the refund', ['get_order_details']),
    ],
    outputs: STATUS,
  },
  {
    name: 'exchange_delivered_order_items',
    description:
      'Exchange items of a delivered order for other variants of the same products. This works once per order, so give ' +
      'all items.',
    utterances: [
      'exchange items of the delivered order',
      'trade a received item for another size or colour',
      'exchange what arrived with order #W0000001 for a different variant',
      'the delivered item does not fit, so get another one for it',
      'replace delivered items by other options of the same product',
    ],
    context: '*',
    label: 'Response: ',
    fields: [
      orderId('id of the delivered order'),
      itemIds('item_ids', 'ids of the items to be exchanged, repeated ones included', ['get_order_details']),
      itemIds('new_item_ids', 'ids of their replacements, in the same order', ['get_product_details']),
      paymentMethodId('pays or receives the price difference', USER_OR_ORDER),
    ],
    outputs: STATUS,
    validate: equallyMany,
  },
];

export const RETAIL: DomainDefinition = {
  commands: [...LOOKUPS.map(asRead), ...WRITES, CALCULATE, TRANSFER_TO_HUMAN_AGENTS],
  withoutCommand: ['think'],
  variants: VARIANTS,
};
