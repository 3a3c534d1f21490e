/** Searches the model and the finished tables for facts that airline instructions describe or assume. */

import { isDict, isList, type PyDict, type PyValue } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { dict, dicts, number, text, type Ground } from '../../tasks/ground.ts';
import {
  A_DAY_AGO,
  cancelVerdict,
  freeBags,
  isFlown,
  isOnSale,
  findSegmentStatus,
  type Cabin,
  type Cause,
  type Customer,
  type Membership,
  type PaymentMethod,
  type Reservation,
  type Segment,
  type Verdict,
} from '../model.ts';
import type { Premise } from '../../tasks/scenario.ts';

export function getUser(store: Store, userId: string): PyDict {
  return store.get('users', userId);
}

export function getBooking(store: Store, id: string): PyDict {
  return store.get('reservations', id);
}

/** The reservations that a customer's profile lists. */
export function listBookings(store: Store, userId: string): PyDict[] {
  const ids = getUser(store, userId).get('reservations') ?? null;
  return isList(ids) ? ids.map((id) => store.get('reservations', id)) : [];
}

/** The reservations that words can mean. */
export function meant(store: Store, trip: Ground): PyDict[] {
  return trip.candidates(store).flatMap((id) => store.find('reservations', id) ?? []);
}

export function listPayments(store: Store, userId: string): PyDict[] {
  return Array.from(dict(getUser(store, userId), 'payment_methods').values()).filter(isDict);
}

export function partySize(booking: PyDict): number {
  return dicts(booking, 'passengers').length;
}

/** The cost of a reservation so far, without refunds. */
export function paidFor(booking: PyDict): number {
  return dicts(booking, 'payment_history').reduce((sum, paid) => sum + Math.max(0, number(paid, 'amount')), 0);
}

/** The fare per passenger at the time of booking. */
export function bookedFareIn(booking: PyDict): number {
  return dicts(booking, 'flights').reduce((sum, flight) => sum + number(flight, 'price'), 0);
}

/** A flight's entry for a date; empty if there is none. */
export function flightDayIn(store: Store, flightNumber: string, date: string): PyDict {
  return dict(dict(store.find('flights', flightNumber), 'dates'), date);
}

/** The price of a seat on a flight on sale; else NaN. */
export function findSeatPrice(store: Store, flightNumber: string, date: string, cabin: Cabin): number {
  return number(dict(flightDayIn(store, flightNumber, date), 'prices'), cabin);
}

/** Status of every flight of a reservation. */
export function listFlightStatuses(store: Store, booking: PyDict): string[] {
  return dicts(booking, 'flights').map((flight) =>
    text(flightDayIn(store, text(flight, 'flight_number'), text(flight, 'date')), 'status'),
  );
}

/** The policy's answer to a cancellation, by the tables. */
function cancelVerdictIn(store: Store, id: string, cause: Cause): Verdict {
  const booking = getBooking(store, id);
  const statuses = listFlightStatuses(store, booking);
  if (statuses.some((status) => status === 'landed' || status === 'flying')) return 'beyond';
  if (text(booking, 'created_at') > A_DAY_AGO || text(booking, 'cabin') === 'business') return 'allowed';
  if (cause === 'airline' && statuses.includes('cancelled')) return 'allowed';
  const covered = text(booking, 'insurance') === 'yes' && (cause === 'health' || cause === 'weather');
  return covered ? 'allowed' : 'forbidden';
}

/** @returns true if a complaint about a reservation can be compensated with a certificate */
function isEligibleIn(store: Store, id: string): boolean {
  const booking = getBooking(store, id);
  const membership = text(getUser(store, text(booking, 'user_id')), 'membership');
  return membership !== 'regular' || text(booking, 'insurance') === 'yes' || text(booking, 'cabin') === 'business';
}

/** Bags that a party need not pay for, by the profile of who books. */
export function countFreeBags(store: Store, userId: string, cabin: Cabin, passengers: number): number {
  return freeBags(text(getUser(store, userId), 'membership') as Membership, cabin, passengers);
}

/** Flights of a reservation as tools take them, without prices. */
export function flightRefs(booking: PyDict): PyValue[] {
  return dicts(booking, 'flights').map((flight) => flightRef(text(flight, 'flight_number'), text(flight, 'date')));
}

export function flightRef(flightNumber: string, date: string): PyDict {
  return new Map([
    ['flight_number', flightNumber],
    ['date', date],
  ]);
}

/** @returns true if all flights are on sale today */
export function isAhead({ segments }: Reservation): boolean {
  return segments.every(isOnSale);
}

/** @returns true if no flight has begun; later cancellations do not matter */
export function isUnflown({ segments }: Reservation): boolean {
  return !segments.some(isFlown);
}

export function isCancellable(reservation: Reservation, cause: Cause): boolean {
  return cancelVerdict(reservation, cause) === 'allowed';
}

export function segmentsWith(reservation: Reservation, status: string): Segment[] {
  return reservation.segments.filter((segment) => findSegmentStatus(segment) === status);
}

/** The fare per passenger at the time of booking. */
export function bookedFare({ segments }: Reservation): number {
  return segments.reduce((sum, segment) => sum + segment.price, 0);
}

export function cancelIs(verdict: Verdict, reservation: Reservation, cause: Cause): Premise {
  return {
    claim: `cancelling ${reservation.id} is ${verdict}`,
    holds: (store) => cancelVerdictIn(store, reservation.id, cause) === verdict,
  };
}

export function compensationIs(possible: boolean, reservation: Reservation): Premise {
  return {
    claim: `${reservation.id} ${possible ? 'entitles' : 'does not entitle'} to compensation`,
    holds: (store) => isEligibleIn(store, reservation.id) === possible,
  };
}

/** Premise: a flight of the trip has the status that the user complains about. */
export function hasFlight(reservation: Reservation, status: 'delayed' | 'cancelled'): Premise {
  return {
    claim: `a flight of ${reservation.id} is ${status}`,
    holds: (store) => listFlightStatuses(store, getBooking(store, reservation.id)).includes(status),
  };
}

/** Premise: all flights of the trip are on sale. */
export function isOnSaleStill(reservation: Reservation): Premise {
  return {
    claim: `all flights of ${reservation.id} are on sale`,
    holds: (store) =>
      listFlightStatuses(store, getBooking(store, reservation.id)).every((status) => status === 'available'),
  };
}

/** Premise: the trip is (or is not) in basic economy, whose flights cannot be changed. */
export function isBasic(basic: boolean, reservation: Reservation): Premise {
  return {
    claim: `${reservation.id} is ${basic ? '' : 'not '}in basic economy`,
    holds: (store) => (text(getBooking(store, reservation.id), 'cabin') === 'basic_economy') === basic,
  };
}

/** Premise: the reservation is not the user's. */
export function belongsToOther(reservation: Reservation, customer: Customer): Premise {
  return {
    claim: `${reservation.id} is somebody else's`,
    holds: (store) => text(getBooking(store, reservation.id), 'user_id') !== customer.id,
  };
}

/** Premise: an amount is within (or above) the user's bound, as in the ground truth. */
export function comparesAs(than: 'at most' | 'more than', bound: number, amount: (store: Store) => number): Premise {
  return {
    claim: `it comes to ${than} ${String(bound)}`,
    holds: (store) => (than === 'at most' ? amount(store) <= bound : amount(store) > bound),
  };
}

/** Premise: a gift card covers an amount, or does not. */
export function covers(
  enough: boolean,
  customer: Customer,
  card: PaymentMethod,
  amount: (store: Store) => number,
): Premise {
  return {
    claim: `${card.id} holds ${enough ? 'enough' : 'too little'}`,
    holds: (store) => {
      const found = listPayments(store, customer.id).find((method) => text(method, 'id') === card.id);
      return number(found, 'amount') >= amount(store) === enough;
    },
  };
}
