/** Commands that change data, and the one that hands the customer over. */

import { isList, type PyDict } from '../../../../bench/python/value.ts';
import { ADDRESS, itemIds, orderId, paymentMethodId, userId } from './fields.ts';
import type { CommandDefinition } from '../types.ts';

const USER_OR_ORDER = ['get_order_details', 'get_user_details'];

export const WRITES: readonly CommandDefinition[] = [
  {
    name: 'cancel_pending_order',
    description: 'Cancels an order that is still pending and refunds it.',
    utterances: [],
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
  },
  {
    name: 'modify_pending_order_address',
    description: 'Changes where a pending order is shipped to.',
    utterances: [],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [orderId('id of the pending order'), ...ADDRESS],
  },
  {
    name: 'modify_pending_order_items',
    description:
      'Swaps items of a pending order for other variants of the same products. Works once per order, so give all items.',
    utterances: [],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [
      orderId('id of the pending order'),
      itemIds('item_ids', 'ids of the items to be swapped, repeated ones included', ['get_order_details']),
      itemIds('new_item_ids', 'ids of their replacements, in the same order', ['get_product_details']),
      paymentMethodId('pays or receives the price difference', USER_OR_ORDER),
    ],
    validate: equallyMany,
  },
  {
    name: 'modify_pending_order_payment',
    description: 'Moves the payment of a pending order to another payment method of the customer.',
    utterances: [],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [orderId('id of the pending order'), paymentMethodId('the new payment method', ['get_user_details'])],
  },
  {
    name: 'modify_user_address',
    description: "Changes the default address in a customer's profile; orders keep theirs.",
    utterances: [],
    context: '*',
    label: 'Response: Modified details: ',
    fields: [userId('id of the customer'), ...ADDRESS],
  },
  {
    name: 'return_delivered_order_items',
    description: 'Takes items of a delivered order back. Works once per order, so give all items.',
    utterances: [],
    context: '*',
    label: 'Response: return status is: ',
    fields: [
      orderId('id of the delivered order'),
      itemIds('item_ids', 'ids of the items to be returned, repeated ones included', ['get_order_details']),
      paymentMethodId('receives the refund', ['get_order_details']),
    ],
  },
  {
    name: 'exchange_delivered_order_items',
    description:
      'Exchanges items of a delivered order for other variants of the same products. Works once per order, so give all items.',
    utterances: [],
    context: '*',
    label: 'Response: ',
    fields: [
      orderId('id of the delivered order'),
      itemIds('item_ids', 'ids of the items to be exchanged, repeated ones included', ['get_order_details']),
      itemIds('new_item_ids', 'ids of their replacements, in the same order', ['get_product_details']),
      paymentMethodId('pays or receives the price difference', USER_OR_ORDER),
    ],
    validate: equallyMany,
  },
  {
    name: 'transfer_to_human_agents',
    description: 'Hands the customer over to a human and ends the conversation. For what no other command can do.',
    utterances: [],
    context: '*',
    label: 'Response: transfer status: ',
    fields: [{ name: 'summary', description: "the customer's issue in short", type: 'text', required: true }],
  },
];

/** An item may be exchanged for itself: three test tasks of tau-bench retail ask for it. */
function equallyMany(parameters: PyDict): readonly string[] {
  const old = parameters.get('item_ids');
  const fresh = parameters.get('new_item_ids');
  if (!isList(old) || !isList(fresh) || old.length === fresh.length) return [];
  return [
    `item_ids has ${old.length} and new_item_ids ${fresh.length} entries; each item needs exactly one replacement.`,
  ];
}
