/** The retail model from which tables and tasks are made, and its products. Money is whole cents, so that sums are exact. */

import retail from '../../data/retail.json' with { type: 'json' };
import type { Address } from '../people.ts';
import type { Random } from '../random.ts';

interface ProductType {
  readonly name: string;
  readonly plural: string;
  /** Dollars, [lowest, highest]. */
  readonly price: readonly [number, number];
  /** Option name → its values. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

export interface Variant {
  readonly itemId: string;
  readonly options: Readonly<Record<string, string>>;
  readonly available: boolean;
  readonly cents: number;
}

export interface Product {
  readonly id: string;
  readonly type: ProductType;
  /** Variants differ in options and in price. */
  readonly variants: readonly Variant[];
}

export type PaymentMethod =
  | { readonly source: 'credit_card'; readonly id: string; readonly brand: string; readonly lastFour: string }
  | { readonly source: 'paypal'; readonly id: string }
  /** The balance is whole dollars. */
  | { readonly source: 'gift_card'; readonly id: string; readonly balance: number };

export interface Customer {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly address: Address;
  /** Includes at most one gift card and one PayPal account; cards differ in brand. */
  readonly payments: readonly PaymentMethod[];
  /** Filled while orders are made. */
  readonly orders: Order[];
}

export interface OrderItem {
  readonly product: Product;
  readonly variant: Variant;
}

export type OrderStatus = 'pending' | 'processed' | 'delivered' | 'cancelled';

export interface Order {
  readonly id: string;
  readonly customer: Customer;
  readonly address: Address;
  /** Items in the order in which they were put into the basket; the same variant may come twice. */
  readonly items: readonly OrderItem[];
  readonly status: OrderStatus;
  readonly payment: PaymentMethod;
  /** Null while nothing has been sent. */
  readonly trackingId: string | null;
}

export interface RetailModel {
  readonly products: readonly Product[];
  readonly customers: readonly Customer[];
  readonly orders: readonly Order[];
}

export function sumCents(items: readonly { readonly cents: number }[]): number {
  return items.reduce((sum, item) => sum + item.cents, 0);
}

export function orderCents(order: Order): number {
  return sumCents(order.items.map((item) => item.variant));
}

/** `12.5`, `40`, `7.25`: the shortest spelling, which every longer one contains. */
export function dollars(cents: number): string {
  return String(cents / 100);
}

export function giftCard(customer: Customer): Extract<PaymentMethod, { source: 'gift_card' }> | undefined {
  return customer.payments.find((payment) => payment.source === 'gift_card');
}

/** The product types that there can be. */
const CATALOGUE = retail.products as unknown as readonly ProductType[];

/** Fewer would leave nothing to choose from, more would make `get_product_details` long. */
const VARIANTS = [8, 14] as const;

export function makeProducts(random: Random, count: number): Product[] {
  const taken = new Set<string>();
  return random
    .shuffle(CATALOGUE)
    .slice(0, count)
    .map((type) => {
      const own = random.fork(type.name);
      return { id: own.freshDigits(10, taken), type, variants: makeVariants(own, type, taken) };
    });
}

function makeVariants(random: Random, type: ProductType, taken: Set<string>): Variant[] {
  const all = random.shuffle(combinations(type));
  const chosen = all.slice(0, random.int(...VARIANTS));
  const prices = new Set<number>();
  // Every fourth or so is sold out, and never the first ones: there is always something to change to.
  return chosen.map((options, at) => ({
    itemId: random.freshDigits(10, taken),
    options,
    available: at < 4 || random.chance(0.7),
    cents: freshPrice(random, type, prices),
  }));
}

function freshPrice(random: Random, type: ProductType, taken: Set<number>): number {
  for (;;) {
    const [low, high] = type.price;
    // Some prices are whole dollars: they are written `46.0`, and a reader must not make `46` of it.
    const cents = random.chance(0.12) ? random.int(low, high) * 100 : random.int(low * 100, high * 100);
    if (taken.has(cents)) continue;
    taken.add(cents);
    return cents;
  }
}

function combinations(type: ProductType): Record<string, string>[] {
  let result: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(type.options)) {
    result = result.flatMap((options) => values.map((value) => ({ ...options, [name]: value })));
  }
  return result;
}
