/** Commands that change data. */

import { ADDRESS, itemIds, orderId, paymentMethodId, userId } from './fields.ts';
import { equallyMany } from './rules.ts';
import { STATUS } from '../common.ts';
import type { CommandDefinition } from '../types.ts';

const USER_OR_ORDER = ['get_order_details', 'get_user_details'];

export const WRITES: readonly CommandDefinition[] = [
  {
    name: 'cancel_pending_order',
    description: 'Cancel pending orders (one that has not been processed yet is called off and refunded).',
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
        description: "the customer's reason",
        type: 'text',
        required: true,
        allowed: ['no longer needed', 'ordered by mistake'],
      },
    ],
    outputs: STATUS,
  },
  {
    name: 'modify_pending_order_address',
    description: 'Modify pending order address (where an order is shipped to that has not been processed yet).',
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
      'Modify pending order items (swap them for other variants of the same products). Works once per order, so give ' +
      'all items.',
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
    description: 'Modify pending order payment (move it to another payment method of the customer).',
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
    description: "Modify user address (the default one in a customer's profile; orders keep theirs).",
    utterances: [
      'change the default address of the customer',
      'update the address in the user profile',
      'the customer has moved to a new home',
      'save a new address for user jane_doe_0001',
      'set the account address',
    ],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [userId('id of the customer'), ...ADDRESS],
    outputs: STATUS,
  },
  {
    name: 'return_delivered_order_items',
    description: 'Return delivered order items for a refund. Works once per order, so give all items.',
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
      'Exchange delivered order items for other variants of the same products. Works once per order, so give all items.',
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
