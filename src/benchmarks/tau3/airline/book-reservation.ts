/**
 * `book_reservation`: checks flights and payments, charges the payments, takes the seats, and stores the reservation. A
 * payment uses up a whole certificate, so a second payment with the same one fails after the first.
 */

import { BOOKING, CREATED_AT, NEW_IDS, baggagePrice, pay } from '../../tau-bench/airline/book-reservation.ts';
import { FLIGHTS, RESERVATIONS, sumField, USERS } from '../../tau-bench/airline/tables.ts';
import {
  add,
  equals,
  getDict,
  getItem,
  getList,
  hasKey,
  isLess,
  len,
  str,
  subtract,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { modelsIn, createModels, valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { createFlightInfo, createPassenger, createPayment, createReservation } from './models.ts';
import { bookableFlight, flightOn, priceForAll, getUser } from './tables.ts';

export const bookReservation = writeTool(
  'book_reservation',
  BOOKING,
  (store, { flights, passengers: people, payment_methods: paid, ...args }) => {
    const infos = createModels(flights, createFlightInfo);
    const passengers = createModels(people, createPassenger);
    const payments = createModels(paid, createPayment);
    const user = getUser(store, args.user_id);
    const id = NEW_IDS.find((candidate) => store.find(RESERVATIONS, candidate) === undefined);
    if (id === undefined) throw valueError('Too many reservations');
    const empty = createReservation({
      ...args,
      reservation_id: id,
      flights: [],
      passengers,
      payment_history: payments,
      created_at: CREATED_AT,
    });

    let total: PyValue = 0n;
    const booked = modelsIn(infos, 'flight_number').map((info) => {
      const flight = bookableFlight(store, info, args.cabin, passengers);
      total = add(total, priceForAll(getItem(flight, 'price'), passengers));
      return flight;
    });
    if (args.insurance === 'yes') total = add(total, priceForAll(30n, passengers));
    total = add(total, baggagePrice(total, args.nonfree_baggages));
    requirePayment(user, payments, total);

    pay(store, args.user_id, payments);
    for (const flight of booked) takeSeats(store, flight, args.cabin, len(passengers));
    const reservation = withItem(empty, 'flights', booked);
    store.put(RESERVATIONS, id, reservation);
    const owner = getUser(store, args.user_id);
    store.put(USERS, args.user_id, withItem(owner, 'reservations', [...getList(owner, 'reservations'), id]));
    return reservation;
  },
);

function requirePayment(user: PyDict, payments: PyValue, total: PyValue): void {
  const methods = getDict(user, 'payment_methods');
  for (const payment of modelsIn(payments, 'payment_id')) {
    const id = getItem(payment, 'payment_id');
    if (!hasKey(methods, id)) throw valueError(`Payment method ${str(id)} not found`);
    const method = getDict(methods, id);
    // Only gift cards and certificates have an amount.
    if (method.has('amount') && isLess(getItem(method, 'amount'), getItem(payment, 'amount'))) {
      throw valueError(`Not enough balance in payment method ${id}`);
    }
  }
  const paid = sumField(payments, 'amount');
  if (equals(paid, total)) return;
  throw valueError(`Payment amount does not add up, total price is ${str(total)}, but paid ${str(paid)}`);
}

function takeSeats(store: Store, booked: PyDict, cabin: PyValue, count: number): void {
  const number = getItem(booked, 'flight_number');
  const date = str(getItem(booked, 'date'));
  const [flight, onDate] = flightOn(store, number, date);
  const seats = getDict(onDate, 'available_seats');
  const left = withItem(seats, str(cabin), subtract(getItem(seats, str(cabin)), BigInt(count)));
  const dates = withItem(getDict(flight, 'dates'), date, withItem(onDate, 'available_seats', left));
  store.put(FLIGHTS, number, withItem(flight, 'dates', dates));
}
