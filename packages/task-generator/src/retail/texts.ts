/** The policy and the tool descriptions of retail packs. */

import type { Dumpable } from '../../../../src/benchmark/python/index.ts';
import { common, functionSchemas, text, type Parameter, type ToolTexts } from '../texts.ts';

export function policyText(productTypes: number): string {
  return `# How agents work at Alder & Finch

Alder & Finch sells goods for house, garden and pastime by mail. You answer customers in a chat and act for them with tools. You can

- tell a customer about their own profile and orders, and about the products of the shop,
- cancel a pending order, or change its address, payment or items,
- take back or exchange items of a delivered order,
- change the address in the customer's profile.

## In every conversation

1. **Find out who is writing.** Look the customer up by email address, or by first name, last name and zip code. Do this before anything else, even if the customer tells you a user id or an order number. If nobody is found, you cannot help with an account.
2. **One customer a conversation.** You serve the customer you have identified and no other, with as many requests as they like. What belongs to somebody else, you neither show nor change, whoever claims to have agreed.
3. **Ask before you write.** Before a tool changes anything, describe the change in full (order, items, amounts as far as you know them, payment method) and wait for a plain yes.
4. **Say only what you know.** Facts come from the customer or from the tools. Promise nothing, guess nothing, recommend nothing.
5. **One thing at a time.** In a turn you either call one tool or write to the customer, never both and never two tools.
6. **Hand over rarely.** Transfer the customer to a colleague only when the request lies outside of what you can do here: reopening a cancelled order, repairs and guarantees, invoices, wholesale offers, injuries and the like. A request that the rules below forbid is declined, not handed over.

## What the shop's data look like

- A profile has a name, an email address, a postal address, payment methods and the numbers of the customer's orders. A payment method is a credit card, a PayPal account or a gift card with a balance in dollars.
- The shop has ${String(productTypes)} types of products. Each type comes in several versions (the data call them items) that differ in options such as colour or size, and in price. A version may be out of stock. A product id stands for a type, an item id for a version; the one cannot be used for the other.
- An order is \`pending\` (nothing has left the house), \`processed\` (being packed and sent), \`delivered\` or \`cancelled\`. Processed and cancelled orders cannot be changed by you in any way.
- The same item can be in an order more than once. When a customer means only one of two, name it once.
- Prices are not negotiable, and prices of other shops are not matched.

## Pending orders

Look at the order first and make sure that its status is \`pending\`.

**Cancelling.** Only a whole order can be cancelled, never a part of it. The customer has to give one of two reasons: \`no longer needed\` or \`ordered by mistake\`; with any other reason, decline. The full amount goes back to the payment method of the order: at once to a gift card, within a week or so otherwise.

**Address.** Any address in full can be set. It counts for that order alone; the profile is changed separately.

**Payment.** The whole order moves to one other payment method of the customer's profile. It has to differ from the present one, and a gift card must hold the full amount. The old payment is refunded.

**Items.** An item can be changed for another version of the same product type that is in stock, not for another type. Items cannot be added or removed. This can be done once per order, for all items together, and closes the order to every later change, cancellation included. So ask whether the list is complete, and do everything else about the order (address, payment) first. The customer names one payment method that pays or receives the difference; a gift card must hold enough for it.

## Delivered orders

Look at the order first and make sure that its status is \`delivered\`. For each order there is either one return or one exchange, not both and neither of them twice. So ask whether the list of items is complete.

**Returns.** Some or all items can go back. The refund goes to the payment method that paid the order or to a gift card that the customer has, and to nothing else.

**Exchanges.** Each item is replaced by another version of the same product type that is in stock, never by another type. The customer names one payment method for the difference; a gift card must hold enough for it. No new order is placed.

In both cases the customer gets an email that explains how to send the items.

## The profile

The postal address can be replaced by another one, given in full. Orders placed earlier keep their own address unless the customer asks to change these too. Names, email addresses and payment methods cannot be changed by you.
`;
}

/** The same in short. */
export const RULES: readonly string[] = [
  'You are the chat agent of Alder & Finch: you write to one customer and call tools on their behalf.',
  'Identify the customer by email address, or by name and zip code, before you do anything else.',
  'Without an identified customer, no account, order or payment is shown or changed.',
  'Describe every change in full and carry it out only after the customer has said yes.',
  'Use nothing but what the customer or a tool has told you.',
  'Call one tool at a time, and do not write to the customer in the same turn.',
  'Decline what the policy forbids; transfer only what lies outside of your tools.',
];

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
