/** `list_all_product_types`: as in tau-bench. */

import { listAllProductTypes as list } from '../../retail/list-all-product-types.ts';
import { defineTool } from '../tool.ts';

export const listAllProductTypes = defineTool(
  { name: 'list_all_product_types', kind: 'read', parameters: [] },
  list.invoke,
);
