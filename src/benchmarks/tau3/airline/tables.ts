/** Shared parts of τ³-bench's airline tools: tau-bench's look-ups, with exceptions instead of refusals. */

import { payment, putMethod, FLIGHTS, RESERVATIONS, USERS } from '../../tau-bench/airline/tables.ts';
import {
  equals,
  getDict,
  getItem,
  getKey,
  hasKey,
  isLess,
  len,
  multiply,
  str,
  subtract,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';
import { createPayment } from './models.ts';

/** @throws PyError */
export function getUser(store: Store, userId: PyValue): PyDict {
  return requireFound(store.find(USERS, userId), 'User', userId);
}

/** @throws PyError */
export function getReservation(store: Store, reservationId: PyValue): PyDict {
  return requireFound(store.find(RESERVATIONS, reservationId), 'Reservation', reservationId);
}

/** Finds a flight and its status on a date. @throws PyError */
export function flightOn(store: Store, number: PyValue, date: PyValue): readonly [flight: PyDict, onDate: PyDict] {
  const flight = requireFound(store.find(FLIGHTS, number), 'Flight', number);
  const dates = getDict(flight, 'dates');
  if (!hasKey(dates, date)) throw valueError(`Flight ${str(number)} not found on date ${str(date)}`);
  return [flight, getDict(dates, date)];
}

function requireFound(record: PyDict | undefined, what: string, id: PyValue): PyDict {
  if (record === undefined) throw valueError(`${what} ${str(id)} not found`);
  return record;
}

/**
 * Makes the entry for a flight of a reservation, with the cabin's price. @throws PyError if the flight cannot be booked
 */
export function bookableFlight(store: Store, info: PyDict, cabin: PyValue, passengers: PyValue): PyDict {
  const number = getItem(info, 'flight_number');
  const date = getItem(info, 'date');
  const [flight, onDate] = flightOn(store, number, date);
  if (getItem(onDate, 'status') !== 'available') {
    throw valueError(`Flight ${str(number)} not available on date ${str(date)}`);
  }
  if (isLess(getKey(getItem(onDate, 'available_seats'), cabin), BigInt(len(passengers)))) {
    throw valueError(`Not enough seats on flight ${str(number)}`);
  }
  return new Map([
    ['flight_number', number],
    ['origin', getItem(flight, 'origin')],
    ['destination', getItem(flight, 'destination')],
    ['date', date],
    ['price', getKey(getItem(onDate, 'prices'), cabin)],
  ]);
}

/** `price * len(passengers)`. */
export function priceForAll(price: PyValue, passengers: PyValue): PyValue {
  return multiply(price, BigInt(len(passengers)));
}

/**
 * Settles a change of a reservation with any payment method but a certificate.
 * @returns the payment for the reservation's history; undefined if none is due
 * @throws PyError also for an amount that is not whole, after a gift card has paid it
 */
export function payForUpdate(
  store: Store,
  reservation: PyDict,
  paymentId: PyValue,
  total: PyValue,
): PyDict | undefined {
  const userId = getItem(reservation, 'user_id');
  const methods = getDict(getUser(store, userId), 'payment_methods');
  if (!hasKey(methods, paymentId)) throw valueError('Payment method not found');
  const method = getDict(methods, paymentId);
  const source = getItem(method, 'source');
  if (source === 'certificate') throw valueError('Certificate cannot be used to update reservation');
  if (source === 'gift_card') {
    const amount = getItem(method, 'amount');
    if (isLess(amount, total)) throw valueError('Gift card balance is not enough');
    putMethod(store, userId, paymentId, withItem(method, 'amount', subtract(amount, total)));
  }
  return equals(total, 0n) ? undefined : createPayment(payment(paymentId, total));
}
