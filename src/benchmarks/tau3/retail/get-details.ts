/** `get_order_details`, `get_product_details`, `get_user_details`, and `get_item_details`, which tau-bench lacks. */

import { getDict, hasKey } from '../../python/index.ts';
import { PRODUCTS } from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { readTool } from '../tool.ts';
import { getOrder, getProduct, getUser } from './orders.ts';

export const getOrderDetails = readTool('get_order_details', ['order_id'], (store, args) =>
  getOrder(store, args.order_id),
);

export const getProductDetails = readTool('get_product_details', ['product_id'], (store, args) =>
  getProduct(store, args.product_id),
);

export const getUserDetails = readTool('get_user_details', ['user_id'], (store, args) => getUser(store, args.user_id));

export const getItemDetails = readTool('get_item_details', ['item_id'], (store, args) => {
  for (const [, product] of store.entries(PRODUCTS)) {
    const variants = getDict(product, 'variants');
    if (hasKey(variants, args.item_id)) return getDict(variants, args.item_id);
  }
  throw valueError('Item not found');
});
