/**
 * `update_reservation_baggages`: charges for more bags; gives nothing back for fewer. Numbers of any type are stored.
 */

import { RESERVATIONS, withPayments } from '../../tau-bench/airline/tables.ts';
import { getItem, isLess, multiply, subtract, withItem } from '../../python/index.ts';
import { writeTool } from '../tool.ts';
import { payForUpdate, getReservation } from './tables.ts';

export const updateReservationBaggages = writeTool(
  'update_reservation_baggages',
  ['reservation_id', 'total_baggages', 'nonfree_baggages', 'payment_id'],
  (store, args) => {
    const reservation = getReservation(store, args.reservation_id);
    const more = subtract(args.nonfree_baggages, getItem(reservation, 'nonfree_baggages'));
    const paid = payForUpdate(store, reservation, args.payment_id, multiply(50n, isLess(0n, more) ? more : 0n));
    const settled = paid === undefined ? reservation : withPayments(reservation, [paid], 'append');
    const updated = withItem(
      withItem(settled, 'total_baggages', args.total_baggages),
      'nonfree_baggages',
      args.nonfree_baggages,
    );
    store.put(RESERVATIONS, args.reservation_id, updated);
    return updated;
  },
);
