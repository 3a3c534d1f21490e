/** Shared parts of several airline tools. */

import {
  PyError,
  add,
  getDict,
  getItem,
  getKey,
  hasKey,
  isLess,
  isList,
  iterate,
  len,
  multiply,
  str,
  typeError,
  typeName,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';

export const FLIGHTS = 'flights';
export const RESERVATIONS = 'reservations';
export const USERS = 'users';

export const USER_NOT_FOUND = 'Error: user not found';
export const RESERVATION_NOT_FOUND = 'Error: reservation not found';

function withoutItem(dict: PyDict, key: string): PyDict {
  const copy = new Map(dict);
  copy.delete(key);
  return copy;
}

/** Returns the items of a value on which the reference calls `append` or `extend`. */
export function requireList(value: PyValue, method: 'append' | 'extend'): readonly PyValue[] {
  if (isList(value)) return value;
  throw new PyError('AttributeError', `'${typeName(value)}' object has no attribute '${method}'`);
}

/** `sum(item[field] for item in items)`. */
export function sumField(items: PyValue, field: string): PyValue {
  return iterate(items).reduce<PyValue>((sum, item) => add(sum, getItem(item, field)), 0n);
}

export type PricedFlight = { readonly flight: PyDict; readonly price: PyValue } | { readonly refusal: string };

/**
 * Looks up a flight to book, and fills in its price, origin and destination.
 * @param passengers returns their `len`; called only where the reference computes it
 */
export function priceFlight(store: Store, flight: PyValue, cabin: PyValue, passengers: PyValue): PricedFlight {
  const number = getItem(flight, 'flight_number');
  const stored = store.find(FLIGHTS, number);
  if (stored === undefined) return { refusal: `Error: flight ${str(number)} not found` };
  const dates = getDict(stored, 'dates');
  const date = getItem(flight, 'date');
  if (!hasKey(dates, date)) return { refusal: `Error: flight ${str(number)} not found on date ${str(date)}` };
  const onDate = getDict(dates, date);
  if (getItem(onDate, 'status') !== 'available') {
    return { refusal: `Error: flight ${str(number)} not available on date ${str(date)}` };
  }
  if (isLess(getKey(getItem(onDate, 'available_seats'), cabin), BigInt(len(passengers)))) {
    return { refusal: `Error: not enough seats on flight ${str(number)}` };
  }
  const price = getKey(getItem(onDate, 'prices'), cabin);
  return { flight: withFare(flight, price, stored), price: multiply(price, BigInt(len(passengers))) };
}

/** Returns the flight with a price, and with the origin and destination of another record. */
export function withFare(flight: PyValue, price: PyValue, from: PyValue): PyDict {
  let fared = withItem(requireDict(flight), 'price', price);
  for (const field of ['origin', 'destination']) fared = withItem(fared, field, getItem(from, field));
  return fared;
}

function requireDict(value: PyValue): PyDict {
  if (value instanceof Map) return value as PyDict;
  throw typeError(`'${typeName(value)}' object does not support item assignment`);
}

type PaymentMethod = { readonly method: PyDict } | { readonly refusal: string };

/**
 * Returns the payment method that settles a change of a reservation: any but a certificate, with enough balance if it
 * is a gift card.
 */
export function methodToSettle(store: Store, reservation: PyDict, paymentId: PyValue, amount: PyValue): PaymentMethod {
  const methods = getDict(store.get(USERS, getItem(reservation, 'user_id')), 'payment_methods');
  if (!hasKey(methods, paymentId)) return { refusal: 'Error: payment method not found' };
  const method = getDict(methods, paymentId);
  const source = getItem(method, 'source');
  if (source === 'certificate') return { refusal: 'Error: certificate cannot be used to update reservation' };
  if (source === 'gift_card' && isLess(getItem(method, 'amount'), amount)) {
    return { refusal: 'Error: gift card balance is not enough' };
  }
  return { method };
}

/** Replaces a payment method of a user; `null` removes it. */
export function putMethod(store: Store, userId: PyValue, paymentId: PyValue, method: PyDict | null): void {
  const user = store.get(USERS, userId);
  const methods = getDict(user, 'payment_methods');
  const id = str(paymentId);
  store.put(
    USERS,
    userId,
    withItem(user, 'payment_methods', method === null ? withoutItem(methods, id) : withItem(methods, id, method)),
  );
}

export function payment(paymentId: PyValue, amount: PyValue): PyDict {
  return new Map([
    ['payment_id', paymentId],
    ['amount', amount],
  ]);
}

/** Returns a copy of the reservation with more payments in its history. */
export function withPayments(reservation: PyDict, payments: readonly PyDict[], method: 'append' | 'extend'): PyDict {
  const history = requireList(getItem(reservation, 'payment_history'), method);
  return withItem(reservation, 'payment_history', [...history, ...payments]);
}

/** `flight["dates"][date]["status"] == "available"`. */
export function isAvailable(flight: PyValue, date: PyValue): boolean {
  return getItem(getDict(getItem(flight, 'dates'), date), 'status') === 'available';
}

/** Returns the flight's fields without its dates, then those of the date. */
export function offerOn(flight: PyValue, date: PyValue): PyDict {
  const offer = new Map<string, PyValue>();
  if (!(flight instanceof Map)) return offer;
  for (const [field, value] of flight as PyDict) if (field !== 'dates') offer.set(field, value);
  for (const [field, value] of getDict(getItem(flight, 'dates'), date)) offer.set(field, value);
  return offer;
}
