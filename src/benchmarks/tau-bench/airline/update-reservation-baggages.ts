/** `update_reservation_baggages`: charges for more paid bags; gives nothing back for fewer. */

import { dumpJson, equals, getItem, isLess, multiply, subtract, withItem, type PyValue } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { methodToSettle, payment, putMethod, RESERVATION_NOT_FOUND, RESERVATIONS, withPayments } from './tables.ts';

export const updateReservationBaggages = defineTool(
  'update_reservation_baggages',
  ['reservation_id', 'total_baggages', 'nonfree_baggages', 'payment_id'],
  (store, args) => {
    const reservation = store.find(RESERVATIONS, args.reservation_id);
    if (reservation === undefined) return RESERVATION_NOT_FOUND;
    const more = subtract(args.nonfree_baggages, getItem(reservation, 'nonfree_baggages'));
    const price: PyValue = multiply(50n, isLess(0n, more) ? more : 0n);
    const settled = methodToSettle(store, reservation, args.payment_id, price);
    if ('refusal' in settled) return settled.refusal;
    const { method } = settled;

    let updated = withItem(reservation, 'total_baggages', args.total_baggages);
    updated = withItem(updated, 'nonfree_baggages', args.nonfree_baggages);
    store.put(RESERVATIONS, args.reservation_id, updated);
    if (getItem(method, 'source') === 'gift_card') {
      const left = subtract(getItem(method, 'amount'), price);
      putMethod(store, getItem(reservation, 'user_id'), args.payment_id, withItem(method, 'amount', left));
    }
    if (!equals(price, 0n)) {
      updated = withPayments(updated, [payment(args.payment_id, price)], 'append');
      store.put(RESERVATIONS, args.reservation_id, updated);
    }
    return dumpJson(updated);
  },
);
