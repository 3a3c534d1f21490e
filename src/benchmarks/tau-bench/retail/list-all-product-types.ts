/** `list_all_product_types`: names and ids of the products, sorted by name. */

import { compareText, dumpJson, getItem, str } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { PRODUCTS } from './orders.ts';

export const listAllProductTypes = defineTool('list_all_product_types', [], (store) => {
  const ids = new Map(
    Array.from(store.entries(PRODUCTS), ([, product]) => [
      str(getItem(product, 'name')),
      getItem(product, 'product_id'),
    ]),
  );
  return dumpJson(new Map([...ids].sort(([a], [b]) => compareText(a, b))));
});
