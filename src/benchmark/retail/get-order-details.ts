/** `get_order_details`: the whole record as JSON. */

import { recordJson } from '../common.ts';
import { defineTool } from '../domain.ts';
import { ORDERS } from './orders.ts';

export const getOrderDetails = defineTool('get_order_details', ['order_id'], (store, args) => {
  const record = store.find(ORDERS, args.order_id);
  return record === undefined ? 'Error: order not found' : recordJson(record);
});
