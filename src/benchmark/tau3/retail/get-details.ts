/** `get_order_details`, `get_product_details`, `get_user_details`, and `get_item_details`, which tau-bench does not have. */

import { getDict, hasKey } from '../../python/index.ts';
import { PRODUCTS } from '../../retail/orders.ts';
import { valueError } from '../common.ts';
import { defineTool } from '../tool.ts';
import { orderOf, productOf, userOf } from './orders.ts';

export const getOrderDetails = defineTool(
  { name: 'get_order_details', kind: 'read', parameters: ['order_id'] },
  (store, args) => orderOf(store, args.order_id),
);

export const getProductDetails = defineTool(
  { name: 'get_product_details', kind: 'read', parameters: ['product_id'] },
  (store, args) => productOf(store, args.product_id),
);

export const getUserDetails = defineTool(
  { name: 'get_user_details', kind: 'read', parameters: ['user_id'] },
  (store, args) => userOf(store, args.user_id),
);

export const getItemDetails = defineTool(
  { name: 'get_item_details', kind: 'read', parameters: ['item_id'] },
  (store, args) => {
    for (const [, product] of store.entries(PRODUCTS)) {
      const variants = getDict(product, 'variants');
      if (hasKey(variants, args.item_id)) return getDict(variants, args.item_id);
    }
    throw valueError('Item not found');
  },
);
