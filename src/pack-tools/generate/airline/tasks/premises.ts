/** What the airline's conditional wishes and refusals take for granted about the data. */

import type { Store } from '../../../../benchmark/index.ts';
import type { Premise } from '../../tasks/plot.ts';
import { number, text } from '../../tasks/read.ts';
import type { Customer, PaymentMethod, Reservation } from '../model.ts';
import type { Cause, Verdict } from '../rules.ts';
import { bookingOf, cancelVerdict, isEligible, paymentsOf, statusesOf } from './facts.ts';

export function cancelIs(verdict: Verdict, reservation: Reservation, cause: Cause): Premise {
  return {
    claim: `cancelling ${reservation.id} is ${verdict}`,
    holds: (store) => cancelVerdict(store, reservation.id, cause) === verdict,
  };
}

export function compensationIs(possible: boolean, reservation: Reservation): Premise {
  return {
    claim: `${reservation.id} ${possible ? 'entitles' : 'does not entitle'} to compensation`,
    holds: (store) => isEligible(store, reservation.id) === possible,
  };
}

/** That a flight of the trip has become of what the customer complains about. */
export function hasFlight(reservation: Reservation, status: 'delayed' | 'cancelled'): Premise {
  return {
    claim: `a flight of ${reservation.id} is ${status}`,
    holds: (store) => statusesOf(store, bookingOf(store, reservation.id)).includes(status),
  };
}

/** That nothing of the trip has been flown and everything can be bought today. */
export function isOnSaleStill(reservation: Reservation): Premise {
  return {
    claim: `all flights of ${reservation.id} are on sale`,
    holds: (store) => statusesOf(store, bookingOf(store, reservation.id)).every((status) => status === 'available'),
  };
}

/** That the trip is in basic economy, so that its flights cannot be changed, or that it is not. */
export function isBasic(basic: boolean, reservation: Reservation): Premise {
  return {
    claim: `${reservation.id} is ${basic ? '' : 'not '}in basic economy`,
    holds: (store) => (text(bookingOf(store, reservation.id), 'cabin') === 'basic_economy') === basic,
  };
}

/** That a reservation is not the customer's. */
export function isStrange(reservation: Reservation, customer: Customer): Premise {
  return {
    claim: `${reservation.id} is somebody else's`,
    holds: (store) => text(bookingOf(store, reservation.id), 'user_id') !== customer.id,
  };
}

/** That a condition of the customer's on an amount comes out as the ground truth has it. */
export function comparesAs(than: 'at most' | 'more than', bound: number, amount: (store: Store) => number): Premise {
  return {
    claim: `it comes to ${than} ${String(bound)}`,
    holds: (store) => (than === 'at most' ? amount(store) <= bound : amount(store) > bound),
  };
}

/** That a gift card holds less than an amount, or at least as much. */
export function covers(
  enough: boolean,
  customer: Customer,
  card: PaymentMethod,
  amount: (store: Store) => number,
): Premise {
  return {
    claim: `${card.id} holds ${enough ? 'enough' : 'too little'}`,
    holds: (store) => {
      const found = paymentsOf(store, customer.id).find((method) => text(method, 'id') === card.id);
      return number(found, 'amount') >= amount(store) === enough;
    },
  };
}
