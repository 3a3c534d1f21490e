/**
 * Words for orders, items, versions, payments, addresses and reasons in a retail instruction, each with its search in
 * the tables; and declarations of families about one order, or about a customer with several.
 */

import { isList, type PyDict } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import {
  dict,
  extremes,
  combineGrounds,
  literal,
  named,
  joinStatements,
  text,
  type NamedGround,
  type Statement,
} from '../../tasks/ground.ts';
import {
  orderCents,
  type Customer,
  type Order,
  type OrderItem,
  type PaymentMethod,
  type Product,
  type Variant,
  type OrderStatus,
  type RetailModel,
} from '../model.ts';
import {
  cents,
  sumPrices,
  itemIds,
  itemsNamed,
  ordersIn,
  paidWith,
  listPayments,
  sameTexts,
  listVariants,
} from './facts.ts';
import {
  CANCEL_REASONS,
  type CancelReason,
  type RetailScript,
  type RetailContext,
  type RetailFamily,
} from './context.ts';
import type { Random } from '../../random.ts';
import type { Address } from '../../people.ts';
import { defineFamily, type FamilySpec } from '../../tasks/scenario.ts';

/**
 * Names an order and looks it up: by id, or by a product that no other order of the customer has.
 * @param avoid a product that the sentence names anyway
 */
export function nameOrder(
  context: RetailContext,
  script: RetailScript,
  order: Order,
  avoid?: Product,
): NamedGround<Order> {
  const { random, level } = context;
  if (level.comparison > 0 && random.chance(level.comparison)) {
    const compared = compareOrder(script, order);
    if (compared !== undefined) return compared;
  }
  const telling = order.items
    .map((item) => item.product)
    .filter((product) => product !== avoid && ordersWith(order.customer, product).length === 1);
  if (telling.length === 0 || random.chance(level.byNumber)) {
    if (random.chance(0.3)) script.readUser(order.customer);
    script.readOrder(order);
    return orderWithId(order, `your order ${order.id}`);
  }
  script.findOrder(order);
  const product = random.pick(telling).type.name;
  return orderWhere(
    order,
    random.pick([
      `the order with the ${product} in it (you do not have its number)`,
      `the order that contains the ${product} (its number escapes you)`,
      `that order of yours with the ${product} in it (you have lost its number)`,
    ]),
    [product],
    (store) =>
      ordersIn(store, order.customer.id).filter(
        (other) => itemsNamed(store, text(other, 'order_id'), product).length > 0,
      ),
  );
}

/** An order by its number. */
function orderWithId(order: Order, words: string): NamedGround<Order> {
  return orderWhere(order, words, [order.id], (store) =>
    ordersIn(store, order.customer.id).filter((other) => text(other, 'order_id') === order.id),
  );
}

/** An order found by a search. */
export function orderWhere(
  order: Order,
  words: string,
  says: readonly string[],
  search: (store: Store) => readonly PyDict[],
): NamedGround<Order> {
  return named({
    text: words,
    value: order,
    argument: order.id,
    says,
    candidates: (store) => search(store).map((found) => text(found, 'order_id')),
  });
}

/** The cheaper or more expensive of the customer's two orders in that state; undefined unless there are two. */
function compareOrder(script: RetailScript, order: Order): NamedGround<Order> | undefined {
  const { customer, status } = order;
  const [a, b, ...more] = customer.orders.filter((other) => other.status === status);
  if (a === undefined || b === undefined || more.length > 0 || orderCents(a) === orderCents(b)) return undefined;
  script.readOrders(customer);
  const side = orderCents(order) === Math.max(orderCents(a), orderCents(b)) ? 'dearer' : 'cheaper';
  return orderWhere(
    order,
    `the ${side} of your two ${status} orders (you have no numbers at hand)`,
    [side, status],
    (store) =>
      extremes(
        ordersIn(store, customer.id).filter((other) => text(other, 'status') === status),
        sumPrices,
        side === 'dearer' ? 'most' : 'least',
      ),
  );
}

/** All orders of a customer in a state, together. */
export function allOrders(customer: Customer, status: Order['status'], words: string): NamedGround<readonly Order[]> {
  const orders = customer.orders.filter((order) => order.status === status);
  return named({
    text: words,
    value: orders,
    argument: orders.map((order) => order.id),
    says: [status],
    candidates: (store) => [
      ordersIn(store, customer.id)
        .filter((order) => text(order, 'status') === status)
        .map((order) => text(order, 'order_id')),
    ],
  });
}

function ordersWith(customer: Customer, product: Product): Order[] {
  return customer.orders.filter((order) => order.items.some((item) => item.product === product));
}

/** An item by its product, where the order has one of it. */
export function nameItem(order: Order, item: OrderItem): NamedGround<OrderItem> {
  const product = item.product.type.name;
  return named({
    text: `the ${product}`,
    value: item,
    argument: item.variant.itemId,
    says: [product],
    candidates: (store) => itemsNamed(store, order.id, product).map((found) => text(found, 'item_id')),
  });
}

export function nameItems(items: readonly NamedGround<OrderItem>[]): Statement {
  return joinStatements(items);
}

/** One of two equal items, or both. The words give the number; the product is named elsewhere. */
export function nameDoubled(order: Order, item: OrderItem, both: boolean, words: string): NamedGround<OrderItem> {
  const product = item.product.type.name;
  const id = item.variant.itemId;
  return named({
    text: words,
    value: item,
    argument: both ? [id, id] : [id],
    says: [both ? 'both' : 'one'],
    candidates: (store) => {
      const ids = itemsNamed(store, order.id, product).map((found) => text(found, 'item_id'));
      if (ids.length !== 2) return [];
      return Array.from(new Set(ids)).map((found) => (both ? [found, found] : [found]));
    },
  });
}

/** All items of an order, but for some. */
export function nameAllItems(
  order: Order,
  words: string,
  except: readonly NamedGround<OrderItem>[] = [],
): NamedGround<Order> {
  const kept = except.map(({ value }) => value.variant.itemId);
  return named({
    text: words,
    value: order,
    argument: order.items.map((item) => item.variant.itemId).filter((id) => !kept.includes(id)),
    candidates: (store) => {
      const spared = combineGrounds(except).candidates(store);
      return spared.map((ids) => itemIds(store, order.id).filter((id) => !isList(ids) || !ids.includes(id)));
    },
  });
}

/** The version that differs from an item in one option, in words that name the option. */
export function nameDifference(item: OrderItem, to: Variant): NamedGround<Variant> {
  const from = item.variant;
  const [only = '', ...more] = Object.keys(from.options).filter((name) => from.options[name] !== to.options[name]);
  if (only === '' || more.length > 0) throw new Error(`${from.itemId} and ${to.itemId} do not differ in one option`);
  const wanted = to.options[only] ?? '';
  return named({
    text: `${only} "${wanted}" instead of "${from.options[only] ?? ''}"`,
    value: to,
    argument: to.itemId,
    says: [only, `"${wanted}"`],
    candidates: (store) => {
      const versions = listVariants(store, item.product.id);
      const present = versions.find((version) => text(version, 'item_id') === from.itemId);
      const options = new Map(dict(present, 'options')).set(only, wanted);
      return versions
        .filter((version) => sameTexts(dict(version, 'options'), options))
        .map((version) => text(version, 'item_id'));
    },
  });
}

/** The cheapest or the most expensive version in stock. */
export function nameExtreme(
  product: Product,
  to: Variant,
  which: 'least' | 'most',
  words: string,
): NamedGround<Variant> {
  return named({
    text: words,
    value: to,
    argument: to.itemId,
    says: [which === 'least' ? 'cheapest' : 'most expensive', 'in stock'],
    candidates: (store) =>
      extremes(
        listVariants(store, product.id).filter((version) => version.get('available') === true),
        (version) => cents(version, 'price'),
        which,
      ).map((version) => text(version, 'item_id')),
  });
}

export function nameOptions(product: Product, variant: Variant): NamedGround<Variant> {
  const options = Object.entries(variant.options);
  return named({
    text: options.map(([name, value]) => `${name} "${value}"`).join(', '),
    value: variant,
    argument: variant.itemId,
    candidates: (store) =>
      listVariants(store, product.id)
        .filter((version) => sameTexts(dict(version, 'options'), new Map(options)))
        .map((version) => text(version, 'item_id')),
  });
}

/** Names a payment method unambiguously among the customer's. */
export function namePayment(customer: Customer, payment: PaymentMethod): NamedGround<PaymentMethod> {
  const { source } = payment;
  const cards = customer.payments.filter((other) => other.source === 'credit_card');
  const exact = payment.source === 'credit_card' && cards.length > 1 ? payment : undefined;
  return named({
    text: paymentWords(payment, exact !== undefined),
    value: payment,
    argument: payment.id,
    says: exact === undefined ? [] : [exact.brand, exact.lastFour],
    candidates: (store) =>
      listPayments(store, customer.id)
        .filter((found) => text(found, 'source') === source)
        .filter((found) => exact === undefined || text(found, 'last_four') === exact.lastFour)
        .map((found) => text(found, 'id')),
  });
}

function paymentWords(payment: PaymentMethod, exact: boolean): string {
  switch (payment.source) {
    case 'paypal':
      return 'your PayPal account';
    case 'gift_card':
      return 'your gift card';
    case 'credit_card':
      return exact ? `your ${payment.brand} card that ends in ${payment.lastFour}` : 'your credit card';
  }
}

/** The order's own payment method, described as such. */
export function originalPayment(order: Order, words: string): NamedGround<PaymentMethod> {
  return named({
    text: words,
    value: order.payment,
    argument: order.payment.id,
    candidates: (store) => [paidWith(store, order.id)],
  });
}

/** An address to the letter, since it is stored as given. */
export function nameAddress(address: Address): NamedGround<Address> {
  const second = address.address2 === '' ? 'no second address line' : `second line "${address.address2}"`;
  const { address1, city, state, zip, country } = address;
  const words = `"${address1}", ${second}, ${city}, ${state} ${zip}, ${country}`;
  const argument = new Map(Object.entries(address));
  return { ...literal(argument, words, [address1, second, city, `${state} ${zip}`, country]), value: address };
}

/** The address of another order of the customer. */
export function nameOrderAddress(order: Order, words: string): NamedGround<Address> {
  return named({
    text: words,
    value: order.address,
    argument: new Map(Object.entries(order.address)),
    says: [order.id],
    candidates: (store) => {
      const found = store.find('orders', order.id);
      return found !== undefined && text(found, 'user_id') === order.customer.id ? [dict(found, 'address')] : [];
    },
  });
}

/** The part of the words that identifies each accepted reason. */
const REASON_MARKS: Readonly<Record<CancelReason, string>> = {
  'no longer needed': 'no longer need',
  'ordered by mistake': 'by mistake',
};

/** One of the two accepted reasons to cancel. */
export function nameReason(random: Random, reason: CancelReason): NamedGround<CancelReason> {
  return reason === 'no longer needed'
    ? givenReason(random.pick(['you no longer need it', 'your plans have changed and it is no longer needed']))
    : givenReason(random.pick(['you ordered it by mistake', 'it was ordered by mistake, somebody clicked too fast']));
}

/** The reason that the words give. */
export function givenReason(words: string): NamedGround<CancelReason> {
  const given = CANCEL_REASONS.filter((reason) => words.includes(REASON_MARKS[reason]));
  const [reason = 'no longer needed'] = given;
  return named({ text: words, value: reason, argument: reason, candidates: () => given });
}

/** Declares retail's families: tasks about one order, and tasks about a customer with several. */
interface Parts {
  readonly context: RetailContext;
  readonly random: Random;
  readonly model: RetailModel;
  readonly customer: Customer;
}

interface OrderParts extends Parts {
  readonly order: Order;
}

interface OrderScripted {
  readonly script: RetailScript;
  /** The order in words. */
  readonly name: NamedGround<Order>;
}

interface OrderSpec<Found, Drawn> extends FamilySpec<RetailContext, Order, OrderParts, OrderScripted, Found, Drawn> {
  readonly status: OrderStatus;
  /** True if the agent reads the user's profile before the order. */
  readonly readsUser?: true;
  /** A product that the goal names, which therefore must not identify the order. */
  readonly product?: (found: Found) => Product;
  /** The agent reads that product after the order. */
  readonly readsProduct?: true;
}

export function aboutOrder<Found = Order, Drawn = undefined>(spec: OrderSpec<Found, Drawn>): RetailFamily {
  return defineFamily(
    {
      search: (context: RetailContext, options) => context.fromOrder(spec.status, options),
      parts: (context, order): OrderParts => ({ ...gatherParts(context, order.customer), order }),
      begin: ({ context, order, customer }: OrderParts, found: Found): OrderScripted => {
        const script = context.begin(customer);
        if (spec.readsUser === true) script.readUser(customer);
        const product = spec.product?.(found);
        const name = nameOrder(context, script, order, product);
        if (spec.readsProduct === true && product !== undefined) script.readProduct(product);
        return { script, name };
      },
    },
    spec,
  );
}

export function aboutCustomer<Found = Customer, Drawn = undefined>(
  spec: FamilySpec<RetailContext, Customer, Parts, { readonly script: RetailScript }, Found, Drawn>,
): RetailFamily {
  return defineFamily(
    {
      search: (context: RetailContext, options) => context.fromCustomer(options),
      parts: gatherParts,
      begin: ({ context, customer }) => ({ script: context.begin(customer) }),
    },
    spec,
  );
}

function gatherParts(context: RetailContext, customer: Customer): Parts {
  const { random, model } = context;
  return { context, random, model, customer };
}
