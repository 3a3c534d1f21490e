/** `return_delivered_order_items`: records the request; the refund is not booked. */

import { dumpJson, equals, hasKey, sorted, type PyDict } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import {
  findMissingItem,
  hasStatus,
  ORDER_NOT_FOUND,
  ORDERS,
  originalMethodId,
  PAYMENT_METHOD_NOT_FOUND,
  paymentMethodsFor,
} from './orders.ts';

export const returnDeliveredOrderItems = defineTool(
  'return_delivered_order_items',
  ['order_id', 'item_ids', 'payment_method_id'],
  (store, { order_id: orderId, item_ids: itemIds, payment_method_id: methodId }) => {
    const order = store.find(ORDERS, orderId);
    if (order === undefined) return ORDER_NOT_FOUND;
    if (!hasStatus(order, 'delivered')) return 'Error: non-delivered order cannot be returned';
    if (!hasKey(paymentMethodsFor(store, order), methodId)) return PAYMENT_METHOD_NOT_FOUND;
    if (!methodId.includes('gift_card') && !equals(methodId, originalMethodId(order))) {
      return 'Error: payment method should be either the original payment method or a gift card';
    }
    if (findMissingItem(order, itemIds) !== undefined) return 'Error: some item not found';

    const requested: PyDict = new Map(order)
      .set('status', 'return requested')
      .set('return_items', sorted(itemIds))
      .set('return_payment_method_id', methodId);
    store.put(ORDERS, orderId, requested);
    return dumpJson(requested);
  },
);
