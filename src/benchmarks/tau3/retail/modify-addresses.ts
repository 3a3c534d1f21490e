/** `modify_pending_order_address` and `modify_user_address`: every part of an address has to be a text. */

import { withItem } from '../../python/index.ts';
import { ADDRESS_FIELDS, ORDERS, USERS } from '../../tau-bench/retail/orders.ts';
import { writeTool } from '../tool.ts';
import { userAddress } from './models.ts';
import { getOrder, requirePending, getUser } from './orders.ts';

export const modifyPendingOrderAddress = writeTool(
  'modify_pending_order_address',
  ['order_id', ...ADDRESS_FIELDS],
  (store, args) => {
    const order = getOrder(store, args.order_id);
    requirePending(order);
    const modified = withItem(order, 'address', userAddress(args));
    store.put(ORDERS, args.order_id, modified);
    return modified;
  },
);

export const modifyUserAddress = writeTool('modify_user_address', ['user_id', ...ADDRESS_FIELDS], (store, args) => {
  const user = getUser(store, args.user_id);
  const modified = withItem(user, 'address', userAddress(args));
  store.put(USERS, args.user_id, modified);
  return modified;
});
