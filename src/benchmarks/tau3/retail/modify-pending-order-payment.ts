/** `modify_pending_order_payment`: pays with another method and refunds the first one. */

import { add, equals, getItem, getList, round2, subtract } from '../../python/index.ts';
import { isGiftCard, ORDERS, transaction, updateBalance, withTransactions } from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { getOrder, getPaymentMethod, requireBalance, requirePending } from './orders.ts';

export const modifyPendingOrderPayment = writeTool(
  'modify_pending_order_payment',
  ['order_id', 'payment_method_id'],
  (store, { order_id: orderId, payment_method_id: methodId }) => {
    const order = getOrder(store, orderId);
    requirePending(order);
    const method = getPaymentMethod(store, order, methodId);
    const [payment = null, ...others] = getList(order, 'payment_history');
    if (payment === null || others.length > 0 || getItem(payment, 'transaction_type') !== 'payment') {
      throw valueError('There should be exactly one payment for a pending order');
    }
    const oldMethodId = getItem(payment, 'payment_method_id');
    if (equals(oldMethodId, methodId)) {
      throw valueError('The new payment method should be different from the current one');
    }
    const amount = getItem(payment, 'amount');
    requireBalance(method, amount, 'Insufficient gift card balance to pay for the order');

    const paid = [transaction('payment', amount, methodId), transaction('refund', amount, oldMethodId)];
    const modified = withTransactions(order, paid);
    store.put(ORDERS, orderId, modified);
    if (isGiftCard(method)) {
      updateBalance(store, order, methodId, (balance) => round2(subtract(balance, amount)));
    }
    if (isGiftCard(getPaymentMethod(store, order, oldMethodId))) {
      updateBalance(store, order, oldMethodId, (balance) => round2(add(balance, amount)));
    }
    return modified;
  },
);
