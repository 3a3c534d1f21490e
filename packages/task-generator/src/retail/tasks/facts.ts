/** Searches the model and the finished tables for facts that retail instructions describe or assume. */

import { isDict, isList, type PyDict, type PyValue } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { dict, dicts, number, text } from '../../tasks/ground.ts';
import type { Customer, Order, OrderItem, OrderStatus, PaymentMethod, Product, Variant } from '../model.ts';
import type { Premise } from '../../tasks/scenario.ts';

/** The orders that a customer's profile lists. */
export function ordersIn(store: Store, userId: string): PyDict[] {
  const ids = store.get('users', userId).get('orders') ?? null;
  return isList(ids) ? ids.map((id) => store.get('orders', id)) : [];
}

/** The items of an order with that product name. */
export function itemsNamed(store: Store, orderId: string, name: string): PyDict[] {
  return dicts(store.get('orders', orderId), 'items').filter((item) => text(item, 'name') === name);
}

export function itemIds(store: Store, orderId: string): PyValue[] {
  return dicts(store.get('orders', orderId), 'items').map((item) => text(item, 'item_id'));
}

export function listVariants(store: Store, productId: string): PyDict[] {
  return Array.from(dict(store.get('products', productId), 'variants').values()).filter(isDict);
}

export function listPayments(store: Store, userId: string): PyDict[] {
  return Array.from(dict(store.get('users', userId), 'payment_methods').values()).filter(isDict);
}

/** The payment method that an order was placed with. */
export function paidWith(store: Store, orderId: string): string {
  return text(dicts(store.get('orders', orderId), 'payment_history')[0], 'payment_method_id');
}

/** The cost of an order in cents. */
export function sumPrices(order: PyDict): number {
  return dicts(order, 'items').reduce((sum, item) => sum + cents(item, 'price'), 0);
}

/** A price or a balance in cents. */
export function cents(record: PyDict | undefined, key: string): number {
  return Math.round(number(record, key) * 100);
}

/** @returns true if two records have the same texts under the same keys */
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

/** Looks users up in an index that serves thousands of tasks, until a user is written. */
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

export function findOrders(customer: Customer, status: OrderStatus): Order[] {
  return customer.orders.filter((order) => order.status === status);
}

/** Payment methods of a customer other than the order's own. */
export function otherPayments(order: Order): PaymentMethod[] {
  return order.customer.payments.filter((payment) => payment !== order.payment);
}

/**
 * @returns true if a payment method can pay an amount: only gift cards have a bound. A balance that is the amount to the cent
 * counts as neither enough nor too little, since the environment compares sums of floats.
 */
export function covers(payment: PaymentMethod, cents: number): boolean {
  return payment.source !== 'gift_card' || payment.balance * 100 > cents;
}

export function lacks(payment: PaymentMethod, cents: number): boolean {
  return payment.source === 'gift_card' && payment.balance * 100 < cents;
}

/** Variants in stock that differ from the item's in one option only. */
export function neighbours(item: OrderItem): Variant[] {
  return item.product.variants.filter((variant) => variant.available && differences(item.variant, variant) === 1);
}

export function differences(a: Variant, b: Variant): number {
  return Object.keys(a.options).filter((name) => a.options[name] !== b.options[name]).length;
}

function inStock(item: OrderItem): Variant[] {
  return item.product.variants.filter((variant) => variant.available);
}

/** The cheapest variant in stock; undefined when the item is that variant already. */
export function cheapestOther(item: OrderItem): Variant | undefined {
  const cheapest = inStock(item).reduce<Variant | undefined>(
    (best, variant) => (best === undefined || variant.cents < best.cents ? variant : best),
    undefined,
  );
  return cheapest === item.variant ? undefined : cheapest;
}

/** The most expensive variant in stock; undefined when the item is that variant already. */
export function mostExpensiveOther(item: OrderItem): Variant | undefined {
  const priciest = inStock(item).reduce<Variant | undefined>(
    (best, variant) => (best === undefined || variant.cents > best.cents ? variant : best),
    undefined,
  );
  return priciest === item.variant ? undefined : priciest;
}

/** Items that are named by their product and can be changed in exactly one option. */
export function changeableItems(order: Order): OrderItem[] {
  return plainItems(order).filter((item) => neighbours(item).length > 0);
}

/** An item, its replacement, and the payment method for the difference. */
interface Change {
  readonly item: OrderItem;
  readonly to: Variant;
  readonly payment: PaymentMethod;
}

/** Every exchange of one option that a payment method of the customer can settle. */
export function changes(order: Order): Change[] {
  return changeableItems(order).flatMap((item) =>
    neighbours(item).flatMap((to) =>
      order.customer.payments
        .filter((payment) => covers(payment, to.cents - item.variant.cents))
        .map((payment) => ({ item, to, payment })),
    ),
  );
}

export function isSoldOut(product: Product, variant: Variant): Premise {
  return {
    claim: `item ${variant.itemId} is sold out`,
    holds: (store) =>
      listVariants(store, product.id).some(
        (found) => text(found, 'item_id') === variant.itemId && found.get('available') === false,
      ),
  };
}

export function hasStatus(order: Order, status: OrderStatus): Premise {
  return {
    claim: `order ${order.id} is ${status}`,
    holds: (store) => text(store.get('orders', order.id), 'status') === status,
  };
}

/** Premise: the order is not the user's. */
export function belongsToOther(order: Order, customer: Customer): Premise {
  return {
    claim: `order ${order.id} is somebody else's`,
    holds: (store) => text(store.get('orders', order.id), 'user_id') !== customer.id,
  };
}

/** Premise: the order was not paid with the method, so nothing is refunded there. */
export function paidOtherwise(order: Order, payment: PaymentMethod): Premise {
  return {
    claim: `order ${order.id} was not paid with ${payment.id}`,
    holds: (store) => paidWith(store, order.id) !== payment.id,
  };
}

/** Premise: a gift card holds less (or more) than an amount. Equal balances are excluded, because rounding matters. */
export function holds(
  customer: Customer,
  card: PaymentMethod,
  than: 'less' | 'more',
  amount: (store: Store) => number,
): Premise {
  return {
    claim: `${card.id} holds ${than} than it has to pay`,
    holds: (store) => {
      const balance = cents(
        listPayments(store, customer.id).find((payment) => text(payment, 'id') === card.id),
        'balance',
      );
      return than === 'less' ? balance < amount(store) : balance > amount(store);
    },
  };
}

/** The cost of an order in cents. */
export function costOfOrder(order: Order): (store: Store) => number {
  return (store) => sumPrices(store.get('orders', order.id));
}

/** Items that their product's name singles out within the order. */
export function plainItems(order: Order): OrderItem[] {
  return order.items.filter((item) => order.items.filter((other) => other.product === item.product).length === 1);
}

/** The pairs of equal items in the order: one of each pair. */
export function doubledItems(order: Order): OrderItem[] {
  return order.items.filter((item, at) => {
    const same = order.items.filter((other) => other.product === item.product);
    return (
      same.length === 2 && same.every((other) => other.variant === item.variant) && order.items.indexOf(item) === at
    );
  });
}
