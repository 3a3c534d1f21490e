/** `get_reservation_details`: an unknown reservation is reported as an unknown user, as in the reference. */

import { dumpJson } from '../python/index.ts';
import { defineTool } from '../domain.ts';
import { RESERVATIONS, USER_NOT_FOUND } from './tables.ts';

export const getReservationDetails = defineTool('get_reservation_details', ['reservation_id'], (store, args) => {
  const reservation = store.find(RESERVATIONS, args.reservation_id);
  return reservation === undefined ? USER_NOT_FOUND : dumpJson(reservation);
});
