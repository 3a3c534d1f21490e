/** `list_all_product_types`: as in tau-bench. */

import { listAllProductTypes as list } from '../../tau-bench/retail/list-all-product-types.ts';
import { readTool } from '../tool.ts';

export const listAllProductTypes = readTool('list_all_product_types', [], list.invoke);
