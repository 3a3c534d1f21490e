/** `get_product_details`: the whole record as JSON. */

import { recordJson } from '../common.ts';
import { defineTool } from '../domain.ts';
import { PRODUCTS } from './orders.ts';

export const getProductDetails = defineTool('get_product_details', ['product_id'], (store, args) => {
  const record = store.find(PRODUCTS, args.product_id);
  return record === undefined ? 'Error: product not found' : recordJson(record);
});
