/** A flight on one date, as the searches show it. */

import { getDict, getItem, type PyDict, type PyValue } from '../python/index.ts';

/** `flight["dates"][date]["status"] == "available"`. */
export function isAvailable(flight: PyValue, date: PyValue): boolean {
  return getItem(getDict(getItem(flight, 'dates'), date), 'status') === 'available';
}

/** All of the flight but its dates, then all of the date. */
export function offerOn(flight: PyValue, date: PyValue): PyDict {
  const offer = new Map<string, PyValue>();
  if (!(flight instanceof Map)) return offer;
  for (const [field, value] of flight as PyDict) if (field !== 'dates') offer.set(field, value);
  for (const [field, value] of getDict(getItem(flight, 'dates'), date)) offer.set(field, value);
  return offer;
}
