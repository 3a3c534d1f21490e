/** `return_delivered_order_items`: records the request; the refund is not booked. */

import { equals, sorted, type PyDict } from '../../python/index.ts';
import { findMissingItem, hasStatus, isGiftCard, ORDERS, originalMethodId } from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { getOrder, getPaymentMethod } from './orders.ts';

export const returnDeliveredOrderItems = writeTool(
  'return_delivered_order_items',
  ['order_id', 'item_ids', 'payment_method_id'],
  (store, { order_id: orderId, item_ids: itemIds, payment_method_id: methodId }) => {
    const order = getOrder(store, orderId);
    if (!hasStatus(order, 'delivered')) throw valueError('Non-delivered order cannot be returned');
    const method = getPaymentMethod(store, order, methodId);
    if (!isGiftCard(method) && !equals(methodId, originalMethodId(order))) {
      throw valueError('Payment method should be the original payment method');
    }
    if (findMissingItem(order, itemIds) !== undefined) throw valueError('Some item not found');
    const requested: PyDict = new Map(order)
      .set('status', 'return requested')
      .set('return_items', sorted(itemIds))
      .set('return_payment_method_id', methodId);
    store.put(ORDERS, orderId, requested);
    return requested;
  },
);
