/** `get_reservation_details`, `get_user_details`, and `get_flight_status`, which tau-bench lacks. */

import { getItem } from '../../python/index.ts';
import { readTool } from '../tool.ts';
import { flightOn, getReservation, getUser } from './tables.ts';

export const getReservationDetails = readTool('get_reservation_details', ['reservation_id'], (store, args) =>
  getReservation(store, args.reservation_id),
);

export const getUserDetails = readTool('get_user_details', ['user_id'], (store, args) => getUser(store, args.user_id));

export const getFlightStatus = readTool('get_flight_status', ['flight_number', 'date'], (store, args) =>
  getItem(flightOn(store, args.flight_number, args.date)[1], 'status'),
);
