/**
 * `modify_pending_order_items`: replaces items by other variants and settles the difference. As in the reference, every
 * item gets the price and the options of the last new one.
 */

import {
  PyFloat,
  abs,
  getItem,
  getList,
  isLess,
  round2,
  subtract,
  withItem,
  type PyList,
  type PyValue,
} from '../../python/index.ts';
import {
  findItem,
  hasStatus,
  isGiftCard,
  ORDERS,
  pairs,
  transaction,
  updateBalance,
  withTransactions,
} from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { getOrder, getPaymentMethod, priceReplacement, requireBalance } from './orders.ts';

export const modifyPendingOrderItems = writeTool(
  'modify_pending_order_items',
  ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
  (store, args) => {
    const { order_id: orderId, payment_method_id: methodId } = args;
    const order = getOrder(store, orderId);
    if (!hasStatus(order, 'pending')) throw valueError('Non-pending order cannot be modified');
    const { difference, lastVariant } = priceReplacement(store, order, args, {
      missing: (itemId) => `${itemId} not found`,
      otherCount: 'The number of items to be exchanged should match',
      same: 'The new item id should be different from the old item id',
    });
    const method = getPaymentMethod(store, order, methodId);
    requireBalance(method, difference, 'Insufficient gift card balance to pay for the new item');

    const type = isLess(0n, difference) ? 'payment' : 'refund';
    if (isGiftCard(method)) {
      updateBalance(store, order, methodId, (balance) => round2(subtract(balance, difference)));
    }
    let items: PyList = getList(order, 'items');
    for (const [itemId, newItemId] of pairs(args.item_ids, args.new_item_ids)) {
      const [position, item] = findItem(items, itemId);
      const replaced = new Map(item).set('item_id', newItemId);
      for (const field of ['price', 'options']) replaced.set(field, getItem(lastVariant ?? null, field));
      items = items.with(position, replaced);
    }
    const paid = withTransactions(order, [transaction(type, toFloat(abs(difference)), methodId)]);
    const modified = withItem(withItem(paid, 'items', items), 'status', 'pending (item modified)');
    store.put(ORDERS, orderId, modified);
    return modified;
  },
);

/** Converts an amount to a float as a model does; an amount without items is an int. */
function toFloat(amount: PyValue): PyValue {
  return typeof amount === 'bigint' ? new PyFloat(Number(amount)) : amount;
}
