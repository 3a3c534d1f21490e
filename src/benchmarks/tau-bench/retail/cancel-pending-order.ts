/** `cancel_pending_order`: refunds every payment, gift cards at once. */

import { add, containsText, dumpJson, getItem, getList, round2, withItem } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { hasStatus, ORDER_NOT_FOUND, ORDERS, transaction, updateBalance, withTransactions } from './orders.ts';

export const cancelPendingOrder = defineTool('cancel_pending_order', ['order_id', 'reason'], (store, args) => {
  const order = store.find(ORDERS, args.order_id);
  if (order === undefined) return ORDER_NOT_FOUND;
  if (!hasStatus(order, 'pending')) return 'Error: non-pending order cannot be cancelled';
  if (args.reason !== 'no longer needed' && args.reason !== 'ordered by mistake') return 'Error: invalid reason';

  const refunds = getList(order, 'payment_history').map((payment) => {
    const methodId = getItem(payment, 'payment_method_id');
    const amount = getItem(payment, 'amount');
    if (containsText(methodId, 'gift_card')) {
      updateBalance(store, order, methodId, (balance) => round2(add(balance, amount)));
    }
    return transaction('refund', amount, methodId);
  });
  const cancelled = withItem(withItem(order, 'status', 'cancelled'), 'cancel_reason', args.reason);
  const refunded = withTransactions(cancelled, refunds);
  store.put(ORDERS, args.order_id, refunded);
  return dumpJson(refunded);
});
