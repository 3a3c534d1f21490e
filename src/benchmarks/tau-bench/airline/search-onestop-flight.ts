/**
 * `search_onestop_flight`: pairs of flights with one change.
 *
 * As in the reference, the second flight is searched on its own date, but shown with the seats and prices of the first
 * flight's date; if it has none on that date, the search fails. A date of one digit is not padded.
 */

import {
  containsText,
  dumpJson,
  equals,
  getDict,
  getItem,
  hasKey,
  isGreaterText,
  lastTwo,
  parseInteger,
  type PyValue,
} from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { isAvailable, offerOn, FLIGHTS } from './tables.ts';

export const searchOnestopFlight = defineTool(
  'search_onestop_flight',
  ['origin', 'destination', 'date'],
  (store, { origin, destination, date }) => {
    const results: PyValue[] = [];
    const flights = Array.from(store.entries(FLIGHTS), ([, flight]) => flight);
    const seconds = flights.filter((flight) => equals(getItem(flight, 'destination'), destination));
    for (const first of flights) {
      if (!equals(getItem(first, 'origin'), origin)) continue;
      for (const second of seconds) {
        if (!equals(getItem(first, 'destination'), getItem(second, 'origin'))) continue;
        const arrival = getItem(first, 'scheduled_arrival_time_est');
        const secondDate = containsText(arrival, '+1') ? dayAfter(date) : date;
        if (isGreaterText(arrival, getItem(second, 'scheduled_departure_time_est'))) continue;
        if (!hasKey(getDict(first, 'dates'), date) || !hasKey(getDict(second, 'dates'), secondDate)) continue;
        if (!isAvailable(first, date) || !isAvailable(second, secondDate)) continue;
        results.push([
          new Map(offerOn(first, date)).set('date', date),
          new Map(offerOn(second, date)).set('date', secondDate),
        ]);
      }
    }
    return dumpJson(results);
  },
);

function dayAfter(date: PyValue): string {
  return `2024-05-${parseInteger(lastTwo(date)) + 1n}`;
}
