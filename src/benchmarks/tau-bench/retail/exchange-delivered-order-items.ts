/** `exchange_delivered_order_items`: records the request; items and balances do not change yet. */

import { dumpJson, round2, sorted, type PyDict } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { ORDERS, findReplacement } from './orders.ts';

export const exchangeDeliveredOrderItems = defineTool(
  'exchange_delivered_order_items',
  ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
  (store, args) => {
    const replacement = findReplacement(store, args, {
      status: 'delivered',
      wrongStatus: 'Error: non-delivered order cannot be exchanged',
      tooPoor: 'Error: insufficient gift card balance to pay for the price difference',
      toDifference: round2,
    });
    if ('refusal' in replacement) return replacement.refusal;
    const { order, difference } = replacement;
    const requested: PyDict = new Map(order)
      .set('status', 'exchange requested')
      .set('exchange_items', sorted(args.item_ids))
      .set('exchange_new_items', sorted(args.new_item_ids))
      .set('exchange_payment_method_id', args.payment_method_id)
      .set('exchange_price_difference', difference);
    store.put(ORDERS, args.order_id, requested);
    return dumpJson(requested);
  },
);
