/**
 * `update_reservation_flights`: changes flights or cabin and settles the difference with one payment method. A flight
 * in the same cabin keeps its price without a look-up. The reservation's cabin is not changed.
 */

import {
  add,
  dumpJson,
  equals,
  getItem,
  iterate,
  len,
  multiply,
  subtract,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import {
  methodToSettle,
  payment,
  priceFlight,
  putMethod,
  RESERVATION_NOT_FOUND,
  RESERVATIONS,
  sumField,
  withFare,
  withPayments,
  type PricedFlight,
} from './tables.ts';

export const updateReservationFlights = defineTool(
  'update_reservation_flights',
  ['reservation_id', 'cabin', 'flights', 'payment_id'],
  (store, args) => {
    const reservation = store.find(RESERVATIONS, args.reservation_id);
    if (reservation === undefined) return RESERVATION_NOT_FOUND;

    const flights: PyDict[] = [];
    let total: PyValue = 0n;
    for (const flight of iterate(args.flights)) {
      const priced =
        keepFlight(reservation, flight, args.cabin) ??
        priceFlight(store, flight, args.cabin, getItem(reservation, 'passengers'));
      if ('refusal' in priced) return priced.refusal;
      flights.push(priced.flight);
      total = add(total, priced.price);
    }
    const before = sumField(getItem(reservation, 'flights'), 'price');
    total = subtract(total, multiply(before, passengerCount(reservation)));

    const settled = methodToSettle(store, reservation, args.payment_id, total);
    if ('refusal' in settled) return settled.refusal;
    const { method } = settled;
    if (getItem(method, 'source') === 'gift_card') {
      const left = subtract(getItem(method, 'amount'), total);
      putMethod(store, getItem(reservation, 'user_id'), args.payment_id, withItem(method, 'amount', left));
    }
    // Without a flight, the value stays the empty one that was given.
    let updated = withItem(reservation, 'flights', flights.length === 0 ? args.flights : flights);
    store.put(RESERVATIONS, args.reservation_id, updated);
    if (!equals(total, 0n)) {
      updated = withPayments(updated, [payment(args.payment_id, total)], 'append');
      store.put(RESERVATIONS, args.reservation_id, updated);
    }
    return dumpJson(updated);
  },
);

/** Returns the reservation's flight if the cabin stays the same; as in the reference, every flight is checked. */
function keepFlight(reservation: PyDict, flight: PyValue, cabin: PyValue): PricedFlight | undefined {
  const [kept] = iterate(getItem(reservation, 'flights')).filter(
    (booked) =>
      equals(getItem(booked, 'flight_number'), getItem(flight, 'flight_number')) &&
      equals(getItem(booked, 'date'), getItem(flight, 'date')) &&
      equals(cabin, getItem(reservation, 'cabin')),
  );
  if (kept === undefined) return undefined;
  const price = getItem(kept, 'price');
  return { flight: withFare(flight, price, kept), price: multiply(price, passengerCount(reservation)) };
}

function passengerCount(reservation: PyDict): bigint {
  return BigInt(len(getItem(reservation, 'passengers')));
}
