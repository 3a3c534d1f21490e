/** `cancel_reservation`: refunds every payment, also on a repeated call. */

import { payment, RESERVATIONS, withPayments } from '../../tau-bench/airline/tables.ts';
import { getItem, getList, negate, withItem } from '../../python/index.ts';
import { writeTool } from '../tool.ts';
import { getReservation } from './tables.ts';

export const cancelReservation = writeTool('cancel_reservation', ['reservation_id'], (store, args) => {
  const reservation = getReservation(store, args.reservation_id);
  const refunds = getList(reservation, 'payment_history').map((paid) =>
    payment(getItem(paid, 'payment_id'), negate(getItem(paid, 'amount'))),
  );
  const cancelled = withItem(withPayments(reservation, refunds, 'extend'), 'status', 'cancelled');
  store.put(RESERVATIONS, args.reservation_id, cancelled);
  return cancelled;
});
