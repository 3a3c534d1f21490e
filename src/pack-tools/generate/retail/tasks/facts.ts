/** How the finished tables are searched for what a retail instruction describes. */

import { isDict, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { dict, dicts, number, text } from '../../tasks/read.ts';

/** The orders that a customer's profile lists. */
export function ordersOf(store: Store, userId: string): PyDict[] {
  const ids = store.get('users', userId).get('orders') ?? null;
  return isList(ids) ? ids.map((id) => store.get('orders', id)) : [];
}

/** What an order holds of a product, by the product's name. */
export function itemsNamed(store: Store, orderId: string, name: string): PyDict[] {
  return dicts(store.get('orders', orderId), 'items').filter((item) => text(item, 'name') === name);
}

export function itemIds(store: Store, orderId: string): PyValue[] {
  return dicts(store.get('orders', orderId), 'items').map((item) => text(item, 'item_id'));
}

export function variantsOf(store: Store, productId: string): PyDict[] {
  return Array.from(dict(store.get('products', productId), 'variants').values()).filter(isDict);
}

export function paymentsOf(store: Store, userId: string): PyDict[] {
  return Array.from(dict(store.get('users', userId), 'payment_methods').values()).filter(isDict);
}

/** The payment method that an order was placed with. */
export function paidWith(store: Store, orderId: string): string {
  return text(dicts(store.get('orders', orderId), 'payment_history')[0], 'payment_method_id');
}

/** What an order costs, in cents. */
export function costOf(order: PyDict): number {
  return dicts(order, 'items').reduce((sum, item) => sum + cents(item, 'price'), 0);
}

/** A price or a balance in cents. */
export function cents(record: PyDict | undefined, key: string): number {
  return Math.round(number(record, key) * 100);
}

/** Whether two records have the same texts under the same keys. */
export function sameTexts(a: PyDict, b: PyDict): boolean {
  return a.size === b.size && Array.from(a).every(([key, value]) => b.get(key) === value);
}

type Finder = ReadonlyMap<string, readonly string[]>;
const byEmail = new WeakMap<object, Finder>();
const byNameAndZip = new WeakMap<object, Finder>();

export function usersByEmail(store: Store, email: string): readonly string[] {
  return find(byEmail, store, (user) => text(user, 'email').toLowerCase(), email.toLowerCase());
}

export function usersByNameAndZip(store: Store, first: string, last: string, zip: string): readonly string[] {
  const key = (parts: readonly string[]): string => parts.join('\n').toLowerCase();
  return find(
    byNameAndZip,
    store,
    (user) => {
      const name = dict(user, 'name');
      return key([text(name, 'first_name'), text(name, 'last_name'), text(dict(user, 'address'), 'zip')]);
    },
    key([first, last, zip]),
  );
}

/** As long as nobody has written to the users, they are indexed once for thousands of tasks. */
function find(cache: WeakMap<object, Finder>, store: Store, key: (user: PyDict) => string, wanted: string) {
  const entries = store.entries('users');
  let index = entries instanceof Map ? cache.get(entries) : undefined;
  if (index === undefined) {
    const made = new Map<string, string[]>();
    for (const [id, user] of entries) {
      if (!isDict(user)) continue;
      const ids = made.get(key(user));
      if (ids === undefined) made.set(key(user), [id]);
      else ids.push(id);
    }
    if (entries instanceof Map) cache.set(entries, made);
    index = made;
  }
  return index.get(wanted) ?? [];
}
