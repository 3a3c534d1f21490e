/**
 * `book_reservation`: checks flights and payments, charges the payments and stores the reservation. It does not reduce
 * the number of seats.
 *
 * A payment uses up a whole certificate, so a second payment with the same one fails halfway; earlier payments remain.
 */

import {
  add,
  dumpJson,
  equals,
  getDict,
  getItem,
  hasKey,
  isLess,
  isList,
  iterate,
  len,
  multiply,
  str,
  subtract,
  typeError,
  typeName,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import { defineTool, type Store } from '../../domain.ts';
import { requireList, priceFlight, putMethod, RESERVATIONS, sumField, USER_NOT_FOUND, USERS } from './tables.ts';

/** Ids of an episode's reservations, in order. As in tau-bench, all later reservations get the last one. */
export const NEW_IDS = ['HATHAT', 'HATHAU', 'HATHAV'] as const;
export const CREATED_AT = '2024-05-15T15:00:00';

/** The tool's parameters, in Python's order. */
export const BOOKING = [
  'user_id',
  'origin',
  'destination',
  'flight_type',
  'cabin',
  'flights',
  'passengers',
  'payment_methods',
  'total_baggages',
  'nonfree_baggages',
  'insurance',
] as const;

export const bookReservation = defineTool('book_reservation', BOOKING, (store, args) => {
  const user = store.find(USERS, args.user_id);
  if (user === undefined) return USER_NOT_FOUND;
  const id = NEW_IDS.find((candidate) => store.find(RESERVATIONS, candidate) === undefined) ?? NEW_IDS[2];

  const flights: PyDict[] = [];
  let total: PyValue = 0n;
  for (const flight of iterate(args.flights)) {
    const priced = priceFlight(store, flight, args.cabin, args.passengers);
    if ('refusal' in priced) return priced.refusal;
    flights.push(priced.flight);
    total = add(total, priced.price);
  }
  if (args.insurance === 'yes') total = add(total, 30n * BigInt(len(args.passengers)));
  total = add(total, baggagePrice(total, args.nonfree_baggages));

  const refusal = refusedPayment(user, args.payment_methods);
  if (refusal !== undefined) return refusal;
  const paid = sumField(args.payment_methods, 'amount');
  if (!equals(paid, total)) {
    return `Error: payment amount does not add up, total price is ${str(total)}, but paid ${str(paid)}`;
  }

  pay(store, args.user_id, args.payment_methods);
  const reservation: PyDict = new Map<string, PyValue>([
    ['reservation_id', id],
    ['user_id', args.user_id],
    ['origin', args.origin],
    ['destination', args.destination],
    ['flight_type', args.flight_type],
    ['cabin', args.cabin],
    // Without a flight, the value stays the empty one that was given.
    ['flights', flights.length === 0 ? args.flights : flights],
    ['passengers', args.passengers],
    ['payment_history', args.payment_methods],
    ['created_at', CREATED_AT],
    ['total_baggages', args.total_baggages],
    ['nonfree_baggages', args.nonfree_baggages],
    ['insurance', args.insurance],
  ]);
  store.put(RESERVATIONS, id, reservation);
  const owner = store.get(USERS, args.user_id);
  const owned = [...requireList(getItem(owner, 'reservations'), 'append'), id];
  store.put(USERS, args.user_id, withItem(owner, 'reservations', owned));
  return dumpJson(reservation);
});

/** `50 * nonfree_baggages`. As in Python, a text or list is repeated that many times, and then cannot be added. */
export function baggagePrice(total: PyValue, nonfree: PyValue): PyValue {
  if (typeof nonfree === 'string' || isList(nonfree)) {
    throw typeError(`unsupported operand type(s) for +=: '${typeName(total)}' and '${typeName(nonfree)}'`);
  }
  return multiply(50n, nonfree);
}

function refusedPayment(user: PyDict, payments: PyValue): string | undefined {
  const methods = getDict(user, 'payment_methods');
  for (const payment of iterate(payments)) {
    const paymentId = getItem(payment, 'payment_id');
    const amount = getItem(payment, 'amount');
    if (!hasKey(methods, paymentId)) return `Error: payment method ${str(paymentId)} not found`;
    const method = getDict(methods, paymentId);
    const source = getItem(method, 'source');
    if ((source === 'gift_card' || source === 'certificate') && isLess(getItem(method, 'amount'), amount)) {
      return `Error: not enough balance in payment method ${str(paymentId)}`;
    }
  }
  return undefined;
}

/** Charges the payments to the user's gift cards and certificates. */
export function pay(store: Store, userId: PyValue, payments: PyValue): void {
  for (const payment of iterate(payments)) {
    const paymentId = getItem(payment, 'payment_id');
    const amount = getItem(payment, 'amount');
    const method = getDict(getDict(store.get(USERS, userId), 'payment_methods'), paymentId);
    const source = getItem(method, 'source');
    if (source === 'gift_card') {
      putMethod(store, userId, paymentId, withItem(method, 'amount', subtract(getItem(method, 'amount'), amount)));
    } else if (source === 'certificate') {
      putMethod(store, userId, paymentId, null);
    }
  }
}
