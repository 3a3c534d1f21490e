/** `cancel_pending_order`: refunds every payment, gift cards at once. */

import { add, getItem, getList, requireHashable, round2, withItem } from '../../python/index.ts';
import {
  hasStatus,
  isGiftCard,
  ORDERS,
  transaction,
  updateBalance,
  withTransactions,
} from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { getOrder, getPaymentMethod } from './orders.ts';

export const cancelPendingOrder = writeTool(
  'cancel_pending_order',
  ['order_id', 'reason'],
  (store, { order_id: orderId, reason }) => {
    const order = getOrder(store, orderId);
    if (!hasStatus(order, 'pending')) throw valueError('Non-pending order cannot be cancelled');
    requireHashable(reason);
    if (reason !== 'no longer needed' && reason !== 'ordered by mistake') throw valueError('Invalid reason');

    const refunds = getList(order, 'payment_history').map((payment) => {
      const methodId = getItem(payment, 'payment_method_id');
      const amount = getItem(payment, 'amount');
      if (isGiftCard(getPaymentMethod(store, order, methodId))) {
        updateBalance(store, order, methodId, (balance) => round2(add(balance, amount)));
      }
      return transaction('refund', amount, methodId);
    });
    const cancelled = withItem(withItem(order, 'status', 'cancelled'), 'cancel_reason', reason);
    const refunded = withTransactions(cancelled, refunds);
    store.put(ORDERS, orderId, refunded);
    return refunded;
  },
);
