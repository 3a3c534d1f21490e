/** The airline's rules as the generator keeps them; the policy text says the same in sentences. */

import { A_DAY_AGO } from './clock.ts';
import type { Cabin, Membership, Reservation, Segment } from './model.ts';

export const BAG_PRICE = 50;
export const INSURANCE_PRICE = 30;
/** A certificate after a cancellation or a delay, for each passenger. */
export const CANCELLED_COMPENSATION = 100;
export const DELAYED_COMPENSATION = 50;

/** Bags that each passenger may check without paying. */
const FREE_BAGS: Readonly<Record<Membership, Readonly<Record<Cabin, number>>>> = {
  regular: { basic_economy: 0, economy: 1, business: 2 },
  silver: { basic_economy: 1, economy: 2, business: 3 },
  gold: { basic_economy: 2, economy: 3, business: 3 },
};

export function freeBags(membership: Membership, cabin: Cabin, passengers: number): number {
  return FREE_BAGS[membership][cabin] * passengers;
}

/** What the customer says why a trip is to be cancelled. */
export type Cause = 'plans' | 'health' | 'weather' | 'airline';

export type Verdict = 'allowed' | 'forbidden' | 'beyond';

/** Whether an agent may cancel a reservation; `beyond` is for a person, because something has been flown. */
export function cancelVerdict(reservation: Reservation, cause: Cause): Verdict {
  const { segments, cabin, insured, createdAt } = reservation;
  if (segments.some(isFlown)) return 'beyond';
  const allowed =
    createdAt > A_DAY_AGO ||
    (cause === 'airline' && segments.some((segment) => statusOf(segment) === 'cancelled')) ||
    cabin === 'business' ||
    (insured && (cause === 'health' || cause === 'weather'));
  return allowed ? 'allowed' : 'forbidden';
}

/** Whether a customer can be compensated at all. */
export function isEligible({ customer, cabin, insured }: Reservation): boolean {
  return customer.membership !== 'regular' || insured || cabin === 'business';
}

export function isFlown(segment: Segment): boolean {
  const status = statusOf(segment);
  return status === 'landed' || status === 'flying';
}

/** Whether a segment can be bought today. */
export function isOnSale(segment: Segment): boolean {
  return statusOf(segment) === 'available';
}

export function statusOf({ flight, date }: Segment): string {
  return flight.days.get(date)?.status ?? 'unknown';
}
