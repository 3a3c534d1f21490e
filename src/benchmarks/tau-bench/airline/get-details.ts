/**
 * `get_reservation_details` and `get_user_details`. The message for an unknown reservation says `user`, as in the
 * reference.
 */

import { detailsTool } from '../common.ts';
import { RESERVATIONS, USERS, USER_NOT_FOUND } from './tables.ts';

export const getReservationDetails = detailsTool(
  'get_reservation_details',
  'reservation_id',
  RESERVATIONS,
  USER_NOT_FOUND,
);
export const getUserDetails = detailsTool('get_user_details', 'user_id', USERS, USER_NOT_FOUND);
