/** Finds customers, orders and items that a task can be about. */

import type { Customer, Order, OrderItem, OrderStatus, PaymentMethod, Variant } from '../model.ts';
import { plainItems } from './words.ts';

export function ordersOf(customer: Customer, status: OrderStatus): Order[] {
  return customer.orders.filter((order) => order.status === status);
}

/** Payment methods of a customer that can stand in for the order's own, which differ from it. */
export function otherPayments(order: Order): PaymentMethod[] {
  return order.customer.payments.filter((payment) => payment !== order.payment);
}

/**
 * Whether a payment method can pay an amount: only gift cards have a bound. A balance that is the amount to the cent
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

/** The dearest variant in stock; undefined when the item is that variant already. */
export function dearestOther(item: OrderItem): Variant | undefined {
  const dearest = inStock(item).reduce<Variant | undefined>(
    (best, variant) => (best === undefined || variant.cents > best.cents ? variant : best),
    undefined,
  );
  return dearest === item.variant ? undefined : dearest;
}

/** Items that are named by their product and can be changed in exactly one option. */
export function changeableItems(order: Order): OrderItem[] {
  return plainItems(order).filter((item) => neighbours(item).length > 0);
}

/** An item, what it is changed for, and who settles the difference. */
export interface Change {
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
