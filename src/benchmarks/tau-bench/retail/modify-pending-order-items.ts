/**
 * `modify_pending_order_items`: replaces items by other variants and settles the difference.
 *
 * Items are replaced one after the other by looking up the old id each time, so a new item may be replaced again if its
 * id is also an old one. The price difference is stored unrounded.
 */

import {
  abs,
  dumpJson,
  getItem,
  getList,
  isLess,
  round2,
  subtract,
  withItem,
  type PyDict,
} from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import {
  findItem,
  findReplacement,
  isGiftCard,
  ORDERS,
  transaction,
  updateBalance,
  getVariant,
  withTransactions,
  pairs,
} from './orders.ts';

export const modifyPendingOrderItems = defineTool(
  'modify_pending_order_items',
  ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
  (store, args) => {
    const replacement = findReplacement(store, args, {
      status: 'pending',
      wrongStatus: 'Error: non-pending order cannot be modified',
      tooPoor: 'Error: insufficient gift card balance to pay for the new item',
    });
    if ('refusal' in replacement) return replacement.refusal;
    const { order, difference, method } = replacement;
    const { order_id: orderId, payment_method_id: methodId } = args;
    const type = isLess(0n, difference) ? 'payment' : 'refund';
    let modified = withTransactions(order, [transaction(type, abs(difference), methodId)]);
    store.put(ORDERS, orderId, modified);
    if (isGiftCard(method)) {
      updateBalance(store, order, methodId, (balance) => round2(subtract(balance, difference)));
    }
    for (const [itemId, newItemId] of pairs(args.item_ids, args.new_item_ids)) {
      const [position, item] = findItem(getList(modified, 'items'), itemId);
      const renamed = withItem(item, 'item_id', newItemId);
      modified = withItemAt(modified, position, renamed);
      store.put(ORDERS, orderId, modified);
      // The id of another product's item is not found; by then, the order already has the id.
      const variant = getVariant(store, item, newItemId);
      const priced = withItem(renamed, 'price', getItem(variant, 'price'));
      modified = withItemAt(modified, position, withItem(priced, 'options', getItem(variant, 'options')));
      store.put(ORDERS, orderId, modified);
    }
    modified = withItem(modified, 'status', 'pending (item modified)');
    store.put(ORDERS, orderId, modified);
    return dumpJson(modified);
  },
);

function withItemAt(order: PyDict, position: number, item: PyDict): PyDict {
  return withItem(order, 'items', getList(order, 'items').with(position, item));
}
