/** `update_reservation_passengers`: changes names, not the number of passengers. */

import { dumpJson, getItem, len, withItem } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { RESERVATION_NOT_FOUND, RESERVATIONS } from './tables.ts';

export const updateReservationPassengers = defineTool(
  'update_reservation_passengers',
  ['reservation_id', 'passengers'],
  (store, args) => {
    const reservation = store.find(RESERVATIONS, args.reservation_id);
    if (reservation === undefined) return RESERVATION_NOT_FOUND;
    if (len(args.passengers) !== len(getItem(reservation, 'passengers'))) {
      return 'Error: number of passengers does not match';
    }
    const updated = withItem(reservation, 'passengers', args.passengers);
    store.put(RESERVATIONS, args.reservation_id, updated);
    return dumpJson(updated);
  },
);
