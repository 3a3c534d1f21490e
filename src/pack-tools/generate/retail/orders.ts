/** Makes the customers' orders. */

import type { Customer, Order, OrderItem, OrderStatus, Product } from './model.ts';
import { makeAddress, type Address } from '../people.ts';
import type { Random } from '../random.ts';

/** Dealt in shuffled blocks, so that the shares hold in small shops too. */
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

/** Most orders go home, one in five somewhere else. */
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
