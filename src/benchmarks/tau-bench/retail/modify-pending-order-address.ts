/** `modify_pending_order_address`. */

import { dumpJson, withItem } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { ADDRESS_FIELDS, toAddress, hasStatus, ORDER_NOT_FOUND, ORDERS } from './orders.ts';

export const modifyPendingOrderAddress = defineTool(
  'modify_pending_order_address',
  ['order_id', ...ADDRESS_FIELDS],
  (store, args) => {
    const order = store.find(ORDERS, args.order_id);
    if (order === undefined) return ORDER_NOT_FOUND;
    if (!hasStatus(order, 'pending')) return 'Error: non-pending order cannot be modified';
    const modified = withItem(order, 'address', toAddress(args));
    store.put(ORDERS, args.order_id, modified);
    return dumpJson(modified);
  },
);
