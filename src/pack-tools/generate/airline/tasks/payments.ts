/** How an airline instruction names payment methods, and what each of them is charged. */

import { isList, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { listOf, named, type Ground, type Named } from '../../tasks/ground.ts';
import { extremes, number, text } from '../../tasks/read.ts';
import type { Customer, PaymentMethod, Reservation } from '../model.ts';
import { bookingOf, paymentsOf } from './facts.ts';

type Balanced = Extract<PaymentMethod, { amount: number }>;

/** A payment method so that only one of the customer's can be meant. */
export function namePayment(customer: Customer, payment: PaymentMethod): Named<PaymentMethod> {
  return payment.source === 'credit_card' ? nameCard(customer, payment) : nameBalanced(customer, payment);
}

function nameCard(customer: Customer, card: Extract<PaymentMethod, { source: 'credit_card' }>): Named<PaymentMethod> {
  const alone = customer.payments.filter((other) => other.source === 'credit_card').length === 1;
  const { brand, lastFour } = card;
  return named({
    text: alone ? 'your credit card' : `your ${brand} card that ends in ${lastFour}`,
    value: card,
    argument: card.id,
    says: alone ? [] : [brand, lastFour],
    candidates: (store) =>
      paymentsOf(store, customer.id)
        .filter((found) => text(found, 'source') === 'credit_card' && (alone || text(found, 'last_four') === lastFour))
        .map((found) => text(found, 'id')),
  });
}

/** Gift cards by how much is on them, certificates by what they are worth, where there are several. */
function nameBalanced(customer: Customer, method: Balanced): Named<PaymentMethod> {
  const alike = customer.payments.filter((other): other is Balanced => other.source === method.source);
  const noun = method.source === 'gift_card' ? 'gift card' : 'certificate';
  const top = Math.max(...alike.map((other) => other.amount));
  const which = method.amount === top ? 'most' : 'least';
  const size = which === 'most' ? 'larger' : 'smaller';
  return named({
    text: alike.length === 1 ? `your ${noun}` : `the ${size} of your two ${noun}s`,
    value: method,
    argument: method.id,
    says: alike.length === 1 ? [noun] : [noun, size],
    candidates: (store) => {
      const found = paymentsOf(store, customer.id).filter((other) => text(other, 'source') === method.source);
      if (alike.length > 1 && found.length !== 2) return [];
      const meant = alike.length === 1 ? found : extremes(found, (other) => number(other, 'amount'), which);
      return meant.map((other) => text(other, 'id'));
    },
  });
}

/** The payment method that a reservation was paid with. */
export function originalPayment(reservation: Reservation, words: string): Named<PaymentMethod> {
  return named({
    text: words,
    value: reservation.payment,
    argument: reservation.payment.id,
    candidates: (store) => {
      const history = bookingOf(store, reservation.id).get('payment_history') ?? null;
      const [first] = isList(history) ? history : [];
      return first instanceof Map ? [(first as ReadonlyMap<string, PyValue>).get('payment_id') ?? null] : [];
    },
  });
}

/**
 * What methods pay of a total when each is used up to its worth before the next is touched; a credit card pays
 * whatever is left.
 */
export function splitTotal(customer: Customer, methods: readonly Named<PaymentMethod>[], total: Totals): Ground {
  const ids = listOf(methods);
  const amounts = split(
    methods.map(({ value }) => ({ id: value.id, worth: value.source === 'credit_card' ? Infinity : value.amount })),
    total.value,
  );
  return {
    texts: [...ids.texts, ...total.texts],
    says: [...ids.says, ...total.says],
    argument: charges(amounts),
    candidates: (store) =>
      ids
        .candidates(store)
        .flatMap((list) =>
          total.amounts(store).map((amount) => charges(split(worthsOf(store, customer, list), amount))),
        ),
  };
}

/** A sum that other grounds determine. */
export interface Totals {
  readonly value: number;
  readonly texts: readonly string[];
  readonly says: readonly string[];
  readonly amounts: (store: Store) => readonly number[];
}

export interface Charge {
  readonly id: string;
  readonly amount: number;
}

/** Methods that have nothing to pay are left out; what cannot be paid is charged to nobody. */
export function split(methods: readonly { readonly id: string; readonly worth: number }[], total: number): Charge[] {
  let left = total;
  return methods.flatMap(({ id, worth }) => {
    const amount = Math.min(worth, left);
    left -= amount;
    return amount > 0 ? [{ id, amount }] : [];
  });
}

function worthsOf(store: Store, customer: Customer, ids: PyValue): { id: string; worth: number }[] {
  const payments = paymentsOf(store, customer.id);
  return (isList(ids) ? ids : []).flatMap((id) => {
    const method = payments.find((payment) => text(payment, 'id') === id);
    if (method === undefined || typeof id !== 'string') return [];
    return [{ id, worth: text(method, 'source') === 'credit_card' ? Infinity : number(method, 'amount') }];
  });
}

function charges(amounts: readonly Charge[]): PyValue {
  return amounts.map(
    ({ id, amount }) =>
      new Map<string, PyValue>([
        ['payment_id', id],
        ['amount', BigInt(amount)],
      ]),
  );
}
