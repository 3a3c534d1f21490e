/** Shared parts of several order tools. */

import {
  PyError,
  count,
  equals,
  first,
  getDict,
  getItem,
  getKey,
  getList,
  isDict,
  iterate,
  str,
  withItem,
  add,
  hasKey,
  isLess,
  len,
  subtract,
  truthy,
  type PyDict,
  type PyList,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';

export const ORDERS = 'orders';
export const PRODUCTS = 'products';
export const USERS = 'users';

export const USER_NOT_FOUND = 'Error: user not found';
export const ORDER_NOT_FOUND = 'Error: order not found';
export const PAYMENT_METHOD_NOT_FOUND = 'Error: payment method not found';

/** `order["status"] == status`. */
export function hasStatus(order: PyDict, status: string): boolean {
  return getItem(order, 'status') === status;
}

/** Returns the payment methods of the order's user, by id. */
export function paymentMethodsFor(store: Store, order: PyDict): PyDict {
  return getDict(store.get(USERS, getItem(order, 'user_id')), 'payment_methods');
}

export function isGiftCard(method: PyDict): boolean {
  return getItem(method, 'source') === 'gift_card';
}

/**
 * Changes the balance of a payment method of the order's user.
 * @param update returns the new balance for the old one
 */
export function updateBalance(
  store: Store,
  order: PyDict,
  methodId: PyValue,
  update: (balance: PyValue) => PyValue,
): void {
  const userId = getItem(order, 'user_id');
  const user = store.get(USERS, userId);
  const methods = getDict(user, 'payment_methods');
  const method = getDict(methods, methodId);
  const updated = withItem(method, 'balance', update(getItem(method, 'balance')));
  store.put(USERS, userId, withItem(user, 'payment_methods', withItem(methods, str(methodId), updated)));
}

/** Creates an entry of the payment history. */
export function transaction(type: 'payment' | 'refund', amount: PyValue, methodId: PyValue): PyDict {
  return new Map([
    ['transaction_type', type],
    ['amount', amount],
    ['payment_method_id', methodId],
  ]);
}

/** Returns a copy of the order with more transactions in its payment history. */
export function withTransactions(order: PyDict, transactions: PyList): PyDict {
  return withItem(order, 'payment_history', [...getList(order, 'payment_history'), ...transactions]);
}

/** Returns the method of the order's first payment. */
export function originalMethodId(order: PyDict): PyValue {
  return getItem(first(getList(order, 'payment_history')), 'payment_method_id');
}

/** Returns the first id that is requested more often than the order has it. */
export function findMissingItem(order: PyDict, itemIds: PyValue): PyValue | undefined {
  const owned = getList(order, 'items').map((item) => getItem(item, 'item_id'));
  return iterate(itemIds).find((id) => count(itemIds, id) > count(owned, id));
}

/** Returns the position of the order's first item with that id. */
export function findItem(items: PyList, itemId: PyValue): readonly [position: number, item: PyDict] {
  const position = items.findIndex((item) => equals(getItem(item, 'item_id'), itemId));
  const item = items[position];
  if (!isDict(item)) throw new PyError('IndexError', 'list index out of range');
  return [position, item];
}

/** Returns the variants of an item's product, by item id. */
function getVariants(store: Store, item: PyDict): PyDict {
  return getDict(store.get(PRODUCTS, getItem(item, 'product_id')), 'variants');
}

export function getVariant(store: Store, item: PyDict, itemId: PyValue): PyValue {
  return getKey(getVariants(store, item), itemId);
}

/** The address that two tools store, with the agent's values unchanged. */
export const ADDRESS_FIELDS = ['address1', 'address2', 'city', 'state', 'country', 'zip'] as const;

export function toAddress(args: Readonly<Record<(typeof ADDRESS_FIELDS)[number], PyValue>>): PyDict {
  return new Map(ADDRESS_FIELDS.map((field) => [field, args[field]]));
}

interface ReplacementRules {
  readonly status: string;
  /** Observation for an order in another state. */
  readonly wrongStatus: string;
  /** Observation for a gift card that does not cover the difference. */
  readonly tooPoor: string;
  /** Rounds the difference before it is compared with a balance. @default no rounding */
  readonly toDifference?: (difference: PyValue) => PyValue;
}

/** Returns the order, the price difference and the payment method for a replacement of items; otherwise the refusal. */
export function findReplacement(
  store: Store,
  args: Readonly<Record<'order_id' | 'item_ids' | 'new_item_ids' | 'payment_method_id', PyValue>>,
  { status, wrongStatus, tooPoor, toDifference = (difference) => difference }: ReplacementRules,
): { readonly order: PyDict; readonly difference: PyValue; readonly method: PyDict } | { readonly refusal: string } {
  const order = store.find(ORDERS, args.order_id);
  if (order === undefined) return { refusal: ORDER_NOT_FOUND };
  if (!hasStatus(order, status)) return { refusal: wrongStatus };
  const price = priceDifference(store, order, args.item_ids, args.new_item_ids);
  if ('refusal' in price) return price;
  const difference = toDifference(price.difference);
  const methods = paymentMethodsFor(store, order);
  if (!hasKey(methods, args.payment_method_id)) return { refusal: PAYMENT_METHOD_NOT_FOUND };
  const method = getDict(methods, args.payment_method_id);
  if (isGiftCard(method) && isLess(getItem(method, 'balance'), difference)) return { refusal: tooPoor };
  return { order, difference, method };
}

/**
 * Checks that items of the order can be replaced.
 * @returns the unrounded price difference (an int 0 for no items), or the text of a refusal
 */
function priceDifference(
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
    const variants = getVariants(store, item);
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
