/** `update_reservation_passengers`: changes names, not the number of passengers. */

import { RESERVATIONS } from '../../tau-bench/airline/tables.ts';
import { getItem, len, withItem } from '../../python/index.ts';
import { createModels, valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { createPassenger } from './models.ts';
import { getReservation } from './tables.ts';

export const updateReservationPassengers = writeTool(
  'update_reservation_passengers',
  ['reservation_id', 'passengers'],
  (store, args) => {
    const passengers = createModels(args.passengers, createPassenger);
    const reservation = getReservation(store, args.reservation_id);
    if (len(passengers) !== len(getItem(reservation, 'passengers'))) {
      throw valueError('Number of passengers does not match');
    }
    const updated = withItem(reservation, 'passengers', passengers);
    store.put(RESERVATIONS, args.reservation_id, updated);
    return updated;
  },
);
