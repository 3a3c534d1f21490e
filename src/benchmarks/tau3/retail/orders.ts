/** Shared parts of τ³-bench's retail tools: tau-bench's look-ups, with exceptions instead of refusals. */

import { valueError } from '../common.ts';
import {
  add,
  equals,
  getDict,
  getItem,
  getList,
  hasKey,
  isLess,
  len,
  str,
  subtract,
  truthy,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import {
  findItem,
  findMissingItem,
  isGiftCard,
  ORDERS,
  pairs,
  PRODUCTS,
  USERS,
} from '../../tau-bench/retail/orders.ts';
import type { Store } from '../../domain.ts';

/** @throws PyError */
export function getOrder(store: Store, orderId: PyValue): PyDict {
  return requireFound(store.find(ORDERS, orderId), 'Order');
}

/** @throws PyError */
export function getUser(store: Store, userId: PyValue): PyDict {
  return requireFound(store.find(USERS, userId), 'User');
}

/** @throws PyError */
export function getProduct(store: Store, productId: PyValue): PyDict {
  return requireFound(store.find(PRODUCTS, productId), 'Product');
}

/** Finds a payment method of the order's user. @throws PyError */
export function getPaymentMethod(store: Store, order: PyDict, methodId: PyValue): PyDict {
  const methods = getDict(getUser(store, getItem(order, 'user_id')), 'payment_methods');
  if (!hasKey(methods, methodId)) throw valueError('Payment method not found');
  return getDict(methods, methodId);
}

function requireFound(record: PyDict | undefined, what: string): PyDict {
  if (record === undefined) throw valueError(`${what} not found`);
  return record;
}

/** `"pending" in order.status`, which includes orders with modified items. */
export function requirePending(order: PyDict): void {
  if (!str(getItem(order, 'status')).includes('pending')) throw valueError('Non-pending order cannot be modified');
}

interface ReplacementWords {
  /** Error for an item that the order does not have in the requested number. */
  readonly missing: (itemId: string) => string;
  readonly otherCount: string;
  /** Error for an item that is replaced by itself. @default an item may be replaced by itself */
  readonly same?: string;
}

interface Replacement {
  /** Unrounded difference of the prices; an int 0 without items. */
  readonly difference: PyValue;
  /** The variant of the last new item. */
  readonly lastVariant: PyDict | undefined;
}

/** Checks that items of an order can be replaced by others. @throws PyError */
export function priceReplacement(
  store: Store,
  order: PyDict,
  args: Readonly<Record<'item_ids' | 'new_item_ids', PyValue>>,
  words: ReplacementWords,
): Replacement {
  const missing = findMissingItem(order, args.item_ids);
  if (missing !== undefined) throw valueError(words.missing(str(missing)));
  if (len(args.item_ids) !== len(args.new_item_ids)) throw valueError(words.otherCount);
  let difference: PyValue = 0n;
  let lastVariant: PyDict | undefined;
  for (const [itemId, newItemId] of pairs(args.item_ids, args.new_item_ids)) {
    if (words.same !== undefined && equals(itemId, newItemId)) throw valueError(words.same);
    const [, item] = findItem(getList(order, 'items'), itemId);
    const variants = getDict(getProduct(store, getItem(item, 'product_id')), 'variants');
    if (!hasKey(variants, newItemId)) throw valueError('Variant not found');
    lastVariant = getDict(variants, newItemId);
    if (!truthy(getItem(lastVariant, 'available'))) {
      throw valueError(`New item ${newItemId} not found or available`);
    }
    difference = add(difference, subtract(getItem(lastVariant, 'price'), getItem(item, 'price')));
  }
  return { difference, lastVariant };
}

/** @throws PyError when a gift card does not cover the amount */
export function requireBalance(method: PyDict, amount: PyValue, refusal: string): void {
  if (isGiftCard(method) && isLess(getItem(method, 'balance'), amount)) throw valueError(refusal);
}
