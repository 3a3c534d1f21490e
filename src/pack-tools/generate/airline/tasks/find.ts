/** Finds reservations that a task can be about, in the airline as it is being made. */

import type { Reservation, Segment } from '../model.ts';
import { cancelVerdict, isFlown, isOnSale, statusOf, type Cause } from '../rules.ts';

/** Nothing has been flown, and all can be bought today. */
export function isAhead({ segments }: Reservation): boolean {
  return segments.every(isOnSale);
}

/** Nothing has been flown yet, whatever has become of the flights. */
export function isUnflown({ segments }: Reservation): boolean {
  return !segments.some(isFlown);
}

export function isCancellable(reservation: Reservation, cause: Cause): boolean {
  return cancelVerdict(reservation, cause) === 'allowed';
}

export function segmentsWith(reservation: Reservation, status: string): Segment[] {
  return reservation.segments.filter((segment) => statusOf(segment) === status);
}

/** What a passenger's flights cost when they were booked. */
export function fareOf({ segments }: Reservation): number {
  return segments.reduce((sum, segment) => sum + segment.price, 0);
}
