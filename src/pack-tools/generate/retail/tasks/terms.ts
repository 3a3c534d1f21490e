/** How a retail instruction names payment methods, addresses and reasons. */

import { literal, named, type Named } from '../../tasks/ground.ts';
import type { Random } from '../../random.ts';
import type { Address } from '../../people.ts';
import type { Customer, Order, PaymentMethod } from '../model.ts';
import { dict, text } from '../../tasks/read.ts';
import { paidWith, paymentsOf } from './facts.ts';
import { CANCEL_REASONS, type CancelReason } from './script.ts';

/** A payment method so that only one of the customer's can be meant. */
export function namePayment(customer: Customer, payment: PaymentMethod): Named<PaymentMethod> {
  const { source } = payment;
  const cards = customer.payments.filter((other) => other.source === 'credit_card');
  const exact = payment.source === 'credit_card' && cards.length > 1 ? payment : undefined;
  return named({
    text: paymentWords(payment, exact !== undefined),
    value: payment,
    argument: payment.id,
    says: exact === undefined ? [] : [exact.brand, exact.lastFour],
    candidates: (store) =>
      paymentsOf(store, customer.id)
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

/** The payment method that an order was placed with, in words that say just this. */
export function originalPayment(order: Order, words: string): Named<PaymentMethod> {
  return named({
    text: words,
    value: order.payment,
    argument: order.payment.id,
    candidates: (store) => [paidWith(store, order.id)],
  });
}

/** An address to the letter, since the shop stores it as it is told. */
export function nameAddress(address: Address): Named<Address> {
  const second = address.address2 === '' ? 'no second address line' : `second line "${address.address2}"`;
  const { address1, city, state, zip, country } = address;
  const words = `"${address1}", ${second}, ${city}, ${state} ${zip}, ${country}`;
  const argument = new Map(Object.entries(address));
  return { ...literal(argument, words, [address1, second, city, `${state} ${zip}`, country]), value: address };
}

/** The address that another order of the customer was placed with. */
export function addressOf(order: Order, words: string): Named<Address> {
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

/** What the words have to have in them to give one of the reasons that the shop accepts. */
const REASON_MARKS: Readonly<Record<CancelReason, string>> = {
  'no longer needed': 'no longer need',
  'ordered by mistake': 'by mistake',
};

/** Why the customer cancels: one of the two reasons that the shop accepts. */
export function nameReason(random: Random, reason: CancelReason): Named<CancelReason> {
  return reason === 'no longer needed'
    ? givenReason(random.pick(['you no longer need it', 'your plans have changed and it is no longer needed']))
    : givenReason(random.pick(['you ordered it by mistake', 'it was ordered by mistake, somebody clicked too fast']));
}

/** The reason that the words give. */
export function givenReason(words: string): Named<CancelReason> {
  const given = CANCEL_REASONS.filter((reason) => words.includes(REASON_MARKS[reason]));
  const [reason = 'no longer needed'] = given;
  return named({ text: words, value: reason, argument: reason, candidates: () => given });
}
