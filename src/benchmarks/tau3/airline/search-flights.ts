/**
 * `search_direct_flight` and `search_onestop_flight`. A second flight must leave after the first one's arrival; its
 * seats and prices are those of its own date. A one-digit date finds nothing. A place of null matches any place.
 */

import { isAvailable, FLIGHTS } from '../../tau-bench/airline/tables.ts';
import {
  compareText,
  containsText,
  equals,
  getDict,
  getItem,
  hasKey,
  lastTwo,
  parseInteger,
  str,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { readTool } from '../tool.ts';

interface FlightQuery {
  readonly origin: PyValue;
  readonly destination: PyValue;
  readonly date: PyValue;
  readonly leaveAfter?: string;
}

/** @param shownDate field `date` of the offer */
function search(store: Store, { origin, destination, date, leaveAfter }: FlightQuery, shownDate: PyValue): PyDict[] {
  const offers: PyDict[] = [];
  for (const [, flight] of store.entries(FLIGHTS)) {
    if (origin !== null && !equals(getItem(flight, 'origin'), origin)) continue;
    if (destination !== null && !equals(getItem(flight, 'destination'), destination)) continue;
    const dates = getDict(flight, 'dates');
    if (!hasKey(dates, date) || !isAvailable(flight, date)) continue;
    const departure = getItem(flight, 'scheduled_departure_time_est');
    if (leaveAfter !== undefined && compareText(str(departure), leaveAfter) < 0) continue;
    const onDate = getDict(dates, date);
    offers.push(
      new Map([
        ['flight_number', getItem(flight, 'flight_number')],
        ['origin', getItem(flight, 'origin')],
        ['destination', getItem(flight, 'destination')],
        ['status', 'available'],
        ['scheduled_departure_time_est', departure],
        ['scheduled_arrival_time_est', getItem(flight, 'scheduled_arrival_time_est')],
        ['date', shownDate],
        ['available_seats', getItem(onDate, 'available_seats')],
        ['prices', getItem(onDate, 'prices')],
      ]),
    );
  }
  return offers;
}

const PARAMETERS = ['origin', 'destination', 'date'] as const;

export const searchDirectFlight = readTool('search_direct_flight', PARAMETERS, (store, args) =>
  search(store, args, null),
);

export const searchOnestopFlight = readTool(
  'search_onestop_flight',
  PARAMETERS,
  (store, { origin, destination, date }) =>
    search(store, { origin, destination: null, date }, date).flatMap((first) => {
      const arrival = getItem(first, 'scheduled_arrival_time_est');
      const secondDate = containsText(arrival, '+1') ? `2024-05-${parseInteger(lastTwo(date)) + 1n}` : date;
      const leg = { origin: getItem(first, 'destination'), destination, date: secondDate, leaveAfter: str(arrival) };
      return search(store, leg, secondDate).map((second) => [first, second]);
    }),
);
