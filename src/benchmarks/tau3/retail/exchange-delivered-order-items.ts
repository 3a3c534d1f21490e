/** `exchange_delivered_order_items`: records the request; neither items nor balances change yet. */

import { round2, sorted, type PyDict } from '../../python/index.ts';
import { hasStatus, ORDERS } from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { getOrder, getPaymentMethod, priceReplacement, requireBalance } from './orders.ts';

export const exchangeDeliveredOrderItems = writeTool(
  'exchange_delivered_order_items',
  ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
  (store, args) => {
    const order = getOrder(store, args.order_id);
    if (!hasStatus(order, 'delivered')) throw valueError('Non-delivered order cannot be exchanged');
    const replacement = priceReplacement(store, order, args, {
      missing: (itemId) => `Number of ${itemId} not found.`,
      otherCount: 'The number of items to be exchanged should match.',
    });
    const difference = round2(replacement.difference);
    const method = getPaymentMethod(store, order, args.payment_method_id);
    requireBalance(method, difference, 'Insufficient gift card balance to pay for the price difference');
    const requested: PyDict = new Map(order)
      .set('status', 'exchange requested')
      .set('exchange_items', sorted(args.item_ids))
      .set('exchange_new_items', sorted(args.new_item_ids))
      .set('exchange_payment_method_id', args.payment_method_id)
      .set('exchange_price_difference', difference);
    store.put(ORDERS, args.order_id, requested);
    return requested;
  },
);
