/** Makes retail customers and orders, and turns the model into the environment's tables. */

import { makeAddress, makePeople, type Address } from '../people.ts';
import type { Random } from '../random.ts';
import {
  orderCents,
  type Customer,
  type Order,
  type OrderItem,
  type OrderStatus,
  type PaymentMethod,
  type Product,
  type RetailModel,
} from './model.ts';
import { PyFloat, type PyDict, type PyValue } from '../../../../src/benchmarks/python/index.ts';

const BRANDS = ['visa', 'mastercard'] as const;

type PaymentSources = readonly PaymentMethod['source'][];

/** Assigned in turn, so that a small pack has customers of every kind. */
const PAYMENT_SOURCES: readonly PaymentSources[] = [
  ['credit_card', 'gift_card'],
  ['paypal', 'gift_card'],
  ['credit_card', 'paypal', 'gift_card'],
  ['credit_card', 'paypal'],
  ['credit_card', 'credit_card'],
  ['gift_card', 'credit_card', 'credit_card'],
];

export function makeCustomers(random: Random, count: number): Customer[] {
  const paymentNumbers = new Set<string>();
  return makePeople(random, count, ({ at, id, name, email, address }) => ({
    id,
    firstName: name[0],
    lastName: name[1],
    email: email(),
    address: address(),
    payments: makePayments(random, PAYMENT_SOURCES[at % PAYMENT_SOURCES.length] ?? [], paymentNumbers),
    orders: [],
  }));
}

function makePayments(random: Random, sources: PaymentSources, numbers: Set<string>): PaymentMethod[] {
  const brands = random.shuffle(BRANDS);
  return sources.map((source): PaymentMethod => {
    const id = `${source}_${random.freshDigits(7, numbers)}`;
    switch (source) {
      case 'credit_card':
        return { source, id, brand: brands.pop() ?? 'visa', lastFour: random.digits(4) };
      case 'paypal':
        return { source, id };
      case 'gift_card':
        // One in three holds too little for most of what one could want to pay with it.
        return { source, id, balance: random.chance(0.34) ? random.int(1, 12) : random.int(40, 600) };
    }
  });
}

/** Dealt in shuffled blocks, so that small shops have the same shares. */
const STATUSES: readonly OrderStatus[] = [
  'pending',
  'delivered',
  'pending',
  'delivered',
  'processed',
  'pending',
  'delivered',
  'cancelled',
  'pending',
  'delivered',
];

const MAX_ORDERS = 5;
const BASKET_SIZES = [1, 2, 2, 3, 3, 3, 4, 5] as const;

export function makeOrders(
  random: Random,
  count: number,
  customers: readonly Customer[],
  products: readonly Product[],
): Order[] {
  const numbers = new Set<string>();
  const buyers = dealBuyers(random, count, customers);
  let block: OrderStatus[] = [];
  return buyers.map((customer) => {
    if (block.length === 0) block = random.shuffle(STATUSES);
    const status = block.pop() ?? 'pending';
    const order: Order = {
      id: `#W${random.freshDigits(7, numbers)}`,
      customer,
      address: shippingAddress(random, customer),
      items: fillBasket(random, products),
      status,
      payment: random.pick(customer.payments),
      trackingId: status === 'pending' ? null : random.freshDigits(12, numbers),
    };
    customer.orders.push(order);
    return order;
  });
}

/** Everybody buys once; who buys again is chance, up to a few orders each. */
function dealBuyers(random: Random, count: number, customers: readonly Customer[]): Customer[] {
  const extra = Array.from({ length: MAX_ORDERS - 1 }, () => customers).flat();
  return random.shuffle([...customers.slice(0, count), ...random.sample(extra, Math.max(0, count - customers.length))]);
}

/** Most orders go to the customer's address, one in five to another. */
function shippingAddress(random: Random, customer: Customer): Address {
  return random.chance(0.2) ? makeAddress(random) : customer.address;
}

function fillBasket(random: Random, products: readonly Product[]): OrderItem[] {
  const items: OrderItem[] = random
    .sample(products, random.pick(BASKET_SIZES))
    .map((product) => ({ product, variant: random.pick(product.variants) }));
  // Two of the same, or two kinds of the same: the cases in which an item needs more than its product's name.
  const [first] = items;
  const kind = random.next();
  if (first === undefined || items.length > 4 || kind > 0.3) return items;
  if (kind < 0.18) return random.shuffle([...items, first]);
  const other = random.pick(first.product.variants);
  return random.shuffle([...items, { product: first.product, variant: other }]);
}

/** Table name → records by id. Maps, because ids that look like numbers must stay in their order. */
export function toTables(shop: RetailModel): PyDict {
  return new Map([
    ['orders', new Map(shop.orders.map((order) => [order.id, orderRecord(order)]))],
    ['products', new Map(shop.products.map((product) => [product.id, productRecord(product)]))],
    ['users', new Map(shop.customers.map((customer) => [customer.id, userRecord(customer)]))],
  ]);
}

function productRecord(product: Product): PyValue {
  const variants = product.variants.map((variant): [string, PyValue] => [
    variant.itemId,
    record({
      item_id: variant.itemId,
      options: record(variant.options),
      available: variant.available,
      price: money(variant.cents),
    }),
  ]);
  return record({ name: product.type.name, product_id: product.id, variants: new Map(variants) });
}

function userRecord(customer: Customer): PyValue {
  return record({
    name: record({ first_name: customer.firstName, last_name: customer.lastName }),
    address: record({ ...customer.address }),
    email: customer.email,
    payment_methods: new Map(customer.payments.map((payment) => [payment.id, paymentRecord(payment)])),
    orders: customer.orders.map((order) => order.id),
  });
}

function paymentRecord(payment: PaymentMethod): PyValue {
  switch (payment.source) {
    case 'credit_card':
      return record({ source: payment.source, brand: payment.brand, last_four: payment.lastFour, id: payment.id });
    case 'paypal':
      return record({ source: payment.source, id: payment.id });
    case 'gift_card':
      return record({ source: payment.source, balance: BigInt(payment.balance), id: payment.id });
  }
}

function orderRecord(order: Order): PyValue {
  const items = order.items.map(({ product, variant }) =>
    record({
      name: product.type.name,
      product_id: product.id,
      item_id: variant.itemId,
      price: money(variant.cents),
      options: record(variant.options),
    }),
  );
  const sent = order.items.map((item) => item.variant.itemId);
  const fulfillments = order.trackingId === null ? [] : [record({ tracking_id: [order.trackingId], item_ids: sent })];
  const kinds = order.status === 'cancelled' ? ['payment', 'refund'] : ['payment'];
  return record({
    order_id: order.id,
    user_id: order.customer.id,
    address: record({ ...order.address }),
    items,
    fulfillments,
    status: order.status,
    payment_history: kinds.map((kind) =>
      record({ transaction_type: kind, amount: money(orderCents(order)), payment_method_id: order.payment.id }),
    ),
  });
}

function record(fields: Readonly<Record<string, PyValue>>): PyValue {
  return new Map(Object.entries(fields));
}

function money(cents: number): PyFloat {
  return new PyFloat(cents / 100);
}
