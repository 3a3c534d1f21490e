/** `exchange_delivered_order_items`: notes the request; neither items nor balances change yet. */

import { dumpJson, getDict, getItem, hasKey, isLess, round2, sorted, type PyDict } from '../python/index.ts';
import { defineTool } from '../domain.ts';
import {
  hasStatus,
  isGiftCard,
  ORDER_NOT_FOUND,
  ORDERS,
  PAYMENT_METHOD_NOT_FOUND,
  paymentMethodsFor,
  priceDifference,
} from './orders.ts';

export const exchangeDeliveredOrderItems = defineTool(
  'exchange_delivered_order_items',
  ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
  (store, { order_id: orderId, item_ids: itemIds, new_item_ids: newItemIds, payment_method_id: methodId }) => {
    const order = store.find(ORDERS, orderId);
    if (order === undefined) return ORDER_NOT_FOUND;
    if (!hasStatus(order, 'delivered')) return 'Error: non-delivered order cannot be exchanged';
    const price = priceDifference(store, order, itemIds, newItemIds);
    if ('refusal' in price) return price.refusal;
    const difference = round2(price.difference);

    const methods = paymentMethodsFor(store, order);
    if (!hasKey(methods, methodId)) return PAYMENT_METHOD_NOT_FOUND;
    const method = getDict(methods, methodId);
    if (isGiftCard(method) && isLess(getItem(method, 'balance'), difference)) {
      return 'Error: insufficient gift card balance to pay for the price difference';
    }

    const requested: PyDict = new Map(order)
      .set('status', 'exchange requested')
      .set('exchange_items', sorted(itemIds))
      .set('exchange_new_items', sorted(newItemIds))
      .set('exchange_payment_method_id', methodId)
      .set('exchange_price_difference', difference);
    store.put(ORDERS, orderId, requested);
    return dumpJson(requested);
  },
);
