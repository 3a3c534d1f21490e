/** `get_reservation_details`, `get_user_details`, and `get_flight_status`, which tau-bench does not have. */

import { getItem } from '../../python/index.ts';
import { defineTool } from '../tool.ts';
import { flightOn, reservationOf, userOf } from './tables.ts';

export const getReservationDetails = defineTool(
  { name: 'get_reservation_details', kind: 'read', parameters: ['reservation_id'] },
  (store, args) => reservationOf(store, args.reservation_id),
);

export const getUserDetails = defineTool(
  { name: 'get_user_details', kind: 'read', parameters: ['user_id'] },
  (store, args) => userOf(store, args.user_id),
);

export const getFlightStatus = defineTool(
  { name: 'get_flight_status', kind: 'read', parameters: ['flight_number', 'date'] },
  (store, args) => getItem(flightOn(store, args.flight_number, args.date)[1], 'status'),
);
