/** `search_direct_flight`: the bookable flights of a route on a date. */

import { dumpJson, equals, getDict, getItem, hasKey, type PyDict } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { isAvailable, offerOn, FLIGHTS } from './tables.ts';

export const searchDirectFlight = defineTool(
  'search_direct_flight',
  ['origin', 'destination', 'date'],
  (store, { origin, destination, date }) => {
    const results: PyDict[] = [];
    for (const [, flight] of store.entries(FLIGHTS)) {
      if (!equals(getItem(flight, 'origin'), origin) || !equals(getItem(flight, 'destination'), destination)) continue;
      if (hasKey(getDict(flight, 'dates'), date) && isAvailable(flight, date)) results.push(offerOn(flight, date));
    }
    return dumpJson(results);
  },
);
