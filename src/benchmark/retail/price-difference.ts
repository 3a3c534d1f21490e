/** Replacing items by other variants of the same products: the checks and the price, for exchange and modification. */

import {
  add,
  getItem,
  getList,
  hasKey,
  iterate,
  len,
  str,
  subtract,
  truthy,
  type PyDict,
  type PyValue,
} from '../python/index.ts';
import type { Store } from '../store.ts';
import { findItem, findMissingItem, variantsOf } from './orders.ts';

/**
 * Checks that items of the order can be replaced.
 * @returns the unrounded price difference (an int 0 for no items), or the text of a refusal
 */
export function priceDifference(
  store: Store,
  order: PyDict,
  itemIds: PyValue,
  newItemIds: PyValue,
): { readonly difference: PyValue } | { readonly refusal: string } {
  const missing = findMissingItem(order, itemIds);
  if (missing !== undefined) return { refusal: `Error: ${str(missing)} not found` };
  if (len(itemIds) !== len(newItemIds)) {
    return { refusal: 'Error: the number of items to be exchanged should match' };
  }
  let difference: PyValue = 0n;
  for (const [itemId, newItemId] of pairs(itemIds, newItemIds)) {
    const [, item] = findItem(getList(order, 'items'), itemId);
    const variants = variantsOf(store, item);
    const variant = hasKey(variants, newItemId) ? variants.get(newItemId) : undefined;
    if (variant === undefined || !truthy(getItem(variant, 'available'))) {
      return { refusal: `Error: new item ${str(newItemId)} not found or available` };
    }
    difference = add(difference, subtract(getItem(variant, 'price'), getItem(item, 'price')));
  }
  return { difference };
}

/** `zip(item_ids, new_item_ids)`. */
export function pairs(itemIds: PyValue, newItemIds: PyValue): readonly (readonly [PyValue, PyValue])[] {
  const others = iterate(newItemIds);
  return iterate(itemIds).flatMap((id, at) => {
    const other = others[at];
    return other === undefined ? [] : [[id, other] as const];
  });
}
