/** How the finished tables are searched for what an airline instruction describes. */

import { isDict, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import type { Ground } from '../../tasks/ground.ts';
import { dict, dicts, number, text } from '../../tasks/read.ts';
import { A_DAY_AGO } from '../clock.ts';
import type { Cabin, Membership } from '../model.ts';
import { freeBags, type Cause, type Verdict } from '../rules.ts';

export function userOf(store: Store, userId: string): PyDict {
  return store.get('users', userId);
}

export function bookingOf(store: Store, id: string): PyDict {
  return store.get('reservations', id);
}

/** The reservations that a customer's profile lists. */
export function bookingsOf(store: Store, userId: string): PyDict[] {
  const ids = userOf(store, userId).get('reservations') ?? null;
  return isList(ids) ? ids.map((id) => store.get('reservations', id)) : [];
}

/** The reservations that words can mean. */
export function meant(store: Store, trip: Ground): PyDict[] {
  return trip.candidates(store).flatMap((id) => store.find('reservations', id) ?? []);
}

export function paymentsOf(store: Store, userId: string): PyDict[] {
  return Array.from(dict(userOf(store, userId), 'payment_methods').values()).filter(isDict);
}

export function partySize(booking: PyDict): number {
  return dicts(booking, 'passengers').length;
}

/** What a reservation has cost so far, refunds aside. */
export function paidFor(booking: PyDict): number {
  return dicts(booking, 'payment_history').reduce((sum, paid) => sum + Math.max(0, number(paid, 'amount')), 0);
}

/** What a passenger's flights cost when they were booked. */
export function fareOf(booking: PyDict): number {
  return dicts(booking, 'flights').reduce((sum, flight) => sum + number(flight, 'price'), 0);
}

/** A flight's entry for a date; empty when there is none. */
export function dayOf(store: Store, flightNumber: string, date: string): PyDict {
  return dict(dict(store.find('flights', flightNumber), 'dates'), date);
}

/** What a seat costs on a flight that is on sale; NaN when it is not. */
export function priceOf(store: Store, flightNumber: string, date: string, cabin: Cabin): number {
  return number(dict(dayOf(store, flightNumber, date), 'prices'), cabin);
}

/** Status of every flight of a reservation. */
export function statusesOf(store: Store, booking: PyDict): string[] {
  return dicts(booking, 'flights').map((flight) =>
    text(dayOf(store, text(flight, 'flight_number'), text(flight, 'date')), 'status'),
  );
}

/** The policy's answer to who wants to cancel, from what the tables say. */
export function cancelVerdict(store: Store, id: string, cause: Cause): Verdict {
  const booking = bookingOf(store, id);
  const statuses = statusesOf(store, booking);
  if (statuses.some((status) => status === 'landed' || status === 'flying')) return 'beyond';
  if (text(booking, 'created_at') > A_DAY_AGO || text(booking, 'cabin') === 'business') return 'allowed';
  if (cause === 'airline' && statuses.includes('cancelled')) return 'allowed';
  const covered = text(booking, 'insurance') === 'yes' && (cause === 'health' || cause === 'weather');
  return covered ? 'allowed' : 'forbidden';
}

/** Whether a complaint about a reservation can be met with a certificate. */
export function isEligible(store: Store, id: string): boolean {
  const booking = bookingOf(store, id);
  const membership = text(userOf(store, text(booking, 'user_id')), 'membership');
  return membership !== 'regular' || text(booking, 'insurance') === 'yes' || text(booking, 'cabin') === 'business';
}

/** Bags that a party need not pay for, by the profile of who books. */
export function freeBagsOf(store: Store, userId: string, cabin: Cabin, passengers: number): number {
  return freeBags(text(userOf(store, userId), 'membership') as Membership, cabin, passengers);
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
