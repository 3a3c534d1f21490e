/**
 * `update_reservation_flights`: changes flights or cabin and settles the difference with one payment method. A flight
 * in the same cabin keeps its price without a look-up.
 */

import { RESERVATIONS, sumField, withPayments } from '../../tau-bench/airline/tables.ts';
import {
  add,
  equals,
  getItem,
  getList,
  isDict,
  subtract,
  withItem,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import { modelsIn, createModels } from '../common.ts';
import { writeTool } from '../tool.ts';
import { createFlightInfo } from './models.ts';
import { bookableFlight, payForUpdate, priceForAll, getReservation, getUser } from './tables.ts';

export const updateReservationFlights = writeTool(
  'update_reservation_flights',
  ['reservation_id', 'cabin', 'flights', 'payment_id'],
  (store, args) => {
    const infos = createModels(args.flights, createFlightInfo);
    const reservation = getReservation(store, args.reservation_id);
    getUser(store, getItem(reservation, 'user_id'));
    const passengers = getItem(reservation, 'passengers');
    let total: PyValue = 0n;
    const flights = modelsIn(infos, 'flight_number').map((info) => {
      const flight = keptFlight(reservation, info, args.cabin) ?? bookableFlight(store, info, args.cabin, passengers);
      total = add(total, priceForAll(getItem(flight, 'price'), passengers));
      return flight;
    });
    total = subtract(total, priceForAll(sumField(getItem(reservation, 'flights'), 'price'), passengers));

    const paid = payForUpdate(store, reservation, args.payment_id, total);
    const settled = paid === undefined ? reservation : withPayments(reservation, [paid], 'append');
    const updated = withItem(withItem(settled, 'flights', flights), 'cabin', args.cabin);
    store.put(RESERVATIONS, args.reservation_id, updated);
    return updated;
  },
);

/** Finds the reservation's flight if the cabin stays the same. */
function keptFlight(reservation: PyDict, info: PyDict, cabin: PyValue): PyDict | undefined {
  if (!equals(cabin, getItem(reservation, 'cabin'))) return undefined;
  const same = (booked: PyValue, field: string) => equals(getItem(booked, field), getItem(info, field));
  const kept = getList(reservation, 'flights').find((booked) => same(booked, 'flight_number') && same(booked, 'date'));
  return isDict(kept) ? kept : undefined;
}
