/** The retail model from which tables and tasks are made. Money is whole cents, so that sums are exact. */

import type { Address } from '../people.ts';

export interface ProductType {
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
  /** No two have the same options or the same price. */
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
  /** At most one gift card, one PayPal account, and cards of different brands. */
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
  /** In the order in which they were put into the basket; the same variant may come twice. */
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
