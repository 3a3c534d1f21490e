/** `modify_pending_order_payment`: pays with another method and refunds the first one. */

import {
  add,
  containsText,
  dumpJson,
  equals,
  first,
  getDict,
  getItem,
  getList,
  hasKey,
  isLess,
  round2,
  subtract,
} from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import {
  hasStatus,
  isGiftCard,
  ORDER_NOT_FOUND,
  ORDERS,
  PAYMENT_METHOD_NOT_FOUND,
  paymentMethodsFor,
  transaction,
  updateBalance,
  withTransactions,
} from './orders.ts';

export const modifyPendingOrderPayment = defineTool(
  'modify_pending_order_payment',
  ['order_id', 'payment_method_id'],
  (store, { order_id: orderId, payment_method_id: methodId }) => {
    const order = store.find(ORDERS, orderId);
    if (order === undefined) return ORDER_NOT_FOUND;
    if (!hasStatus(order, 'pending')) return 'Error: non-pending order cannot be modified';
    const methods = paymentMethodsFor(store, order);
    if (!hasKey(methods, methodId)) return PAYMENT_METHOD_NOT_FOUND;

    const history = getList(order, 'payment_history');
    if (history.length > 1 || getItem(first(history), 'transaction_type') !== 'payment') {
      return 'Error: there should be exactly one payment for a pending order';
    }
    const payment = first(history);
    const oldMethodId = getItem(payment, 'payment_method_id');
    if (equals(oldMethodId, methodId)) {
      return 'Error: the new payment method should be different from the current one';
    }
    const amount = getItem(payment, 'amount');
    const method = getDict(methods, methodId);
    if (isGiftCard(method) && isLess(getItem(method, 'balance'), amount)) {
      return 'Error: insufficient gift card balance to pay for the order';
    }

    const paid = [transaction('payment', amount, methodId), transaction('refund', amount, oldMethodId)];
    const modified = withTransactions(order, paid);
    store.put(ORDERS, orderId, modified);
    if (isGiftCard(method)) {
      updateBalance(store, order, methodId, (balance) => round2(subtract(balance, amount)));
    }
    if (containsText(oldMethodId, 'gift_card')) {
      updateBalance(store, order, oldMethodId, (balance) => round2(add(balance, amount)));
    }
    return dumpJson(modified);
  },
);
