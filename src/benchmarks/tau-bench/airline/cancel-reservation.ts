/** `cancel_reservation`: refunds every payment, also on a repeated call. */

import { dumpJson, getItem, iterate, negate, withItem } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { payment, RESERVATION_NOT_FOUND, RESERVATIONS, withPayments } from './tables.ts';

export const cancelReservation = defineTool('cancel_reservation', ['reservation_id'], (store, args) => {
  const reservation = store.find(RESERVATIONS, args.reservation_id);
  if (reservation === undefined) return RESERVATION_NOT_FOUND;
  const refunds = iterate(getItem(reservation, 'payment_history')).map((paid) =>
    payment(getItem(paid, 'payment_id'), negate(getItem(paid, 'amount'))),
  );
  const cancelled = withItem(withPayments(reservation, refunds, 'extend'), 'status', 'cancelled');
  store.put(RESERVATIONS, args.reservation_id, cancelled);
  return dumpJson(cancelled);
});
