/** What the tools tell a model about themselves. Names and parameters are the benchmark's, the sentences our own. */

import type { Dumpable } from '../../../benchmark/python/index.ts';
import { common, functionSchemas, text, type Parameter, type ToolTexts } from '../tool-texts.ts';

const texts = (description: string): Parameter => ({ type: 'array', items: { type: 'string' }, description });

const orderId = text("Number of the order with its leading '#', for example '#W4402817'.");
const userId = text("The customer's user id, for example 'greta_quill_5120'.");
const settling = text(
  "Id of the payment method that pays or receives the difference in price, for example 'paypal_2290417'. The customer's profile lists them.",
);
const newItems = texts(
  'The item ids that take their place, in the same order: each is a version of the same product type that is in stock.',
);
const address = {
  address1: text("Street and house number, for example '12 Ferry Road'."),
  address2: text("Flat or unit, for example 'Apt 7'; an empty string when there is none."),
  city: text("The city, for example 'Duluth'."),
  state: text("The state in two letters, for example 'MN'."),
  country: text("The country, for example 'USA'."),
  zip: text("The zip code, for example '55802'."),
};

const TOOLS: ToolTexts = {
  calculate: common.calculate,
  cancel_pending_order: [
    'Cancels a whole order that is still pending and refunds it to the payment method of the order. Describe the cancellation to the customer and have their yes before you call this. Gives the order as it is afterwards.',
    {
      order_id: orderId,
      reason: {
        type: 'string',
        enum: ['no longer needed', 'ordered by mistake'],
        description: "The customer's reason, one of the two.",
      },
    },
  ],
  exchange_delivered_order_items: [
    "Asks for the exchange of items of a delivered order for other versions of the same products. An order can be exchanged or returned once only, so put all items into one call, and have the customer's yes first.",
    {
      order_id: orderId,
      item_ids: texts('The item ids to send back. An id stands in the list as often as the item is exchanged.'),
      new_item_ids: newItems,
      payment_method_id: settling,
    },
  ],
  find_user_id_by_email: [
    'Finds the user id that belongs to an email address.',
    { email: text("The email address, for example 'someone@example.org'.") },
  ],
  find_user_id_by_name_zip: [
    'Finds a user id by first name, last name and zip code. Meant for customers who cannot be found by their email address or do not know it.',
    {
      first_name: text("The first name, for example 'Greta'."),
      last_name: text("The last name, for example 'Quill'."),
      zip: text("The zip code of the address in the profile, for example '83706'."),
    },
  ],
  get_order_details: ['Shows an order: its status, items, address, parcels and payments.', { order_id: orderId }],
  get_product_details: [
    'Shows a product type with all its versions: their options, prices, and whether they are in stock.',
    { product_id: text("Id of the product type, for example '3180264975'. An item id will not do.") },
  ],
  get_user_details: ["Shows a customer's profile: address, payment methods, order numbers.", { user_id: userId }],
  list_all_product_types: ['Lists the names and product ids of everything that the shop sells, by name.', {}],
  modify_pending_order_address: [
    'Replaces the address that a pending order is sent to. Repeat the new address to the customer and have their yes before you call this.',
    { order_id: orderId, ...address },
  ],
  modify_pending_order_items: [
    "Changes items of a pending order for other versions of the same products. This works once per order and closes it to further changes, so put all items into one call, and have the customer's yes first.",
    {
      order_id: orderId,
      item_ids: texts('The item ids to be changed. An id stands in the list as often as the item is changed.'),
      new_item_ids: newItems,
      payment_method_id: settling,
    },
  ],
  modify_pending_order_payment: [
    'Moves the payment of a pending order to another payment method of the customer. Name the method to the customer and have their yes before you call this.',
    {
      order_id: orderId,
      payment_method_id: text(
        "Id of the payment method that shall pay the order, for example 'gift_card_7713305'. The customer's profile lists them.",
      ),
    },
  ],
  modify_user_address: [
    "Replaces the address in a customer's profile; orders are not touched. Repeat the new address to the customer and have their yes before you call this.",
    { user_id: userId, ...address },
  ],
  return_delivered_order_items: [
    "Asks for the return of items of a delivered order. An order can be returned or exchanged once only, so put all items into one call, and have the customer's yes first.",
    {
      order_id: orderId,
      item_ids: texts('The item ids to send back. An id stands in the list as often as the item is returned.'),
      payment_method_id: text(
        "Id of the payment method for the refund: the one that paid the order, or a gift card, for example 'gift_card_7713305'.",
      ),
    },
  ],
  think: common.think,
  transfer_to_human_agents: common.transfer,
};

/** The content of `tools.json`. */
export function toolSchemas(): Dumpable {
  return functionSchemas(TOOLS);
}
