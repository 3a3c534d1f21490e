/** How a task's instruction names things, so that they can mean one thing only. */

import type { Address, Customer, Order, OrderItem, PaymentMethod, Product, Variant } from '../model.ts';
import type { Random } from '../../random.ts';
import type { CancelReason, Script } from './script.ts';

/**
 * Names an order and looks it up: by its id, or, when a product is in no other order of the customer, by that.
 * @param avoid a product that the sentence names anyway
 */
export function nameOrder(random: Random, script: Script, order: Order, avoid?: Product): string {
  const telling = order.items
    .map((item) => item.product)
    .filter((product) => product !== avoid && ordersWith(order.customer, product).length === 1);
  if (telling.length === 0 || random.chance(0.45)) {
    if (random.chance(0.3)) script.readUser(order.customer);
    script.readOrder(order);
    return `your order ${order.id}`;
  }
  script.findOrder(order);
  const product = random.pick(telling).type.name;
  return random.pick([
    `the order with the ${product} in it (you do not have its number)`,
    `the order that contains the ${product} (its number escapes you)`,
    `that order of yours with the ${product} in it (you have lost its number)`,
  ]);
}

export function ordersWith(customer: Customer, product: Product): Order[] {
  return customer.orders.filter((order) => order.items.some((item) => item.product === product));
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

export function nameItem(item: OrderItem): string {
  return `the ${item.product.type.name}`;
}

export function nameItems(items: readonly OrderItem[]): string {
  const names = items.map(nameItem);
  return names.length <= 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The one option in which two variants differ, in words; undefined when they differ in more. */
export function nameDifference(from: Variant, to: Variant): string | undefined {
  const changed = Object.keys(from.options).filter((name) => from.options[name] !== to.options[name]);
  const [only] = changed;
  if (only === undefined || changed.length !== 1) return undefined;
  return `${only} "${to.options[only] ?? ''}" instead of "${from.options[only] ?? ''}"`;
}

/** All options of a variant. */
export function nameOptions(variant: Variant): string {
  return Object.entries(variant.options)
    .map(([name, value]) => `${name} "${value}"`)
    .join(', ');
}

/** A payment method so that only one of the customer's can be meant. */
export function namePayment(customer: Customer, payment: PaymentMethod): string {
  switch (payment.source) {
    case 'paypal':
      return 'your PayPal account';
    case 'gift_card':
      return 'your gift card';
    case 'credit_card': {
      const cards = customer.payments.filter((other) => other.source === 'credit_card');
      if (cards.length === 1) return 'your credit card';
      return `your ${payment.brand} card that ends in ${payment.lastFour}`;
    }
  }
}

/** An address to the letter, since the shop stores it as it is told. */
export function nameAddress(address: Address): string {
  const second = address.address2 === '' ? 'no second address line' : `second line "${address.address2}"`;
  return `"${address.address1}", ${second}, ${address.city}, ${address.state} ${address.zip}, ${address.country}`;
}

/** Why the customer cancels: one of the two reasons that the shop accepts. */
export function nameReason(random: Random, reason: CancelReason): string {
  return reason === 'no longer needed'
    ? random.pick(['you no longer need it', 'your plans have changed and it is no longer needed'])
    : random.pick(['you ordered it by mistake', 'it was ordered by mistake, somebody clicked too fast']);
}
