/** The airline model from which tables and tasks are made, with its clock and its rules. Money is whole dollars, as in all of the benchmark's airline data. */

import type { Address } from '../people.ts';

export const CABINS = ['basic_economy', 'economy', 'business'] as const;
export type Cabin = (typeof CABINS)[number];
export type ByCabin = Readonly<Record<Cabin, number>>;

/** A flight on one date. Times are `2024-05-15T14:20:00`. */
export type FlightDay =
  | { readonly status: 'available'; readonly seats: ByCabin; readonly prices: ByCabin }
  | { readonly status: 'landed'; readonly departed: string; readonly arrived: string }
  | { readonly status: 'flying'; readonly departed: string; readonly arrives: string }
  | { readonly status: 'on time' | 'delayed'; readonly departs: string; readonly arrives: string }
  | { readonly status: 'cancelled' };

/** Minutes after midnight; nothing flies over midnight. */
export interface Schedule {
  readonly departs: number;
  readonly arrives: number;
}

export interface Route {
  /** Airport codes. */
  readonly origin: string;
  readonly destination: string;
}

export interface Flight extends Route, Schedule {
  readonly number: string;
  readonly days: ReadonlyMap<string, FlightDay>;
}

export interface Passenger {
  readonly firstName: string;
  readonly lastName: string;
  /** `1980-02-03`. */
  readonly dob: string;
}

export type PaymentMethod =
  | { readonly source: 'credit_card'; readonly id: string; readonly brand: string; readonly lastFour: string }
  | { readonly source: 'gift_card' | 'certificate'; readonly id: string; readonly amount: number };

export const MEMBERSHIPS = ['regular', 'silver', 'gold'] as const;
export type Membership = (typeof MEMBERSHIPS)[number];

export interface Customer extends Passenger {
  readonly id: string;
  readonly email: string;
  readonly address: Address;
  /** Contains a credit card; cards of one customer differ in brand, balances differ. */
  readonly payments: readonly PaymentMethod[];
  readonly saved: readonly Passenger[];
  readonly membership: Membership;
  /** Filled while reservations are made. */
  readonly reservations: Reservation[];
}

export interface Segment {
  readonly flight: Flight;
  readonly date: string;
  /** Price for one passenger. */
  readonly price: number;
}

export interface Reservation {
  readonly id: string;
  readonly customer: Customer;
  readonly origin: string;
  readonly destination: string;
  readonly type: 'one_way' | 'round_trip';
  readonly cabin: Cabin;
  /** Outbound, then the way back. */
  readonly segments: readonly Segment[];
  /** Number of outbound segments. */
  readonly outbound: number;
  readonly passengers: readonly Passenger[];
  readonly payment: PaymentMethod;
  readonly paid: number;
  /** `2024-05-02T03:10:19`. */
  readonly createdAt: string;
  readonly bags: number;
  readonly paidBags: number;
  readonly insured: boolean;
}

export interface AirlineModel {
  readonly flights: readonly Flight[];
  /** Flights by origin and destination, in their order in the table. */
  readonly routes: ReadonlyMap<string, readonly Flight[]>;
  readonly customers: readonly Customer[];
  readonly reservations: readonly Reservation[];
}

export function routeKey(origin: string, destination: string): string {
  return `${origin}-${destination}`;
}

/** 15 May 2024, three in the afternoon. */
export const TODAY = 15;
export const NOW_MINUTES = 15 * 60;
/** A booking after this moment can be canceled for any reason. */
export const A_DAY_AGO = '2024-05-14T15:00:00';

/** Days of May for which flights are known. */
export const FIRST_DAY = 10;
const LAST_DAY = 26;

export const DAYS: readonly number[] = Array.from({ length: LAST_DAY - FIRST_DAY + 1 }, (_, at) => FIRST_DAY + at);
export const COMING_DAYS: readonly number[] = DAYS.filter((day) => day > TODAY);

/** `2024-05-07`. */
export function formatDate(day: number): string {
  return `2024-05-${two(day)}`;
}

export function parseDay(date: string): number {
  return Number(date.slice(-2));
}

/** `May 7`. */
export function spellDate(date: string): string {
  return `May ${String(parseDay(date))}`;
}

/** `14:20:00`. */
export function formatTime(minutes: number): string {
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** `2024-05-15T14:20:00`. */
export function formatDateTime(day: number, minutes: number): string {
  return `${formatDate(day)}T${formatTime(minutes)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

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

/** The user's reason to cancel a trip. */
export type Cause = 'plans' | 'health' | 'weather' | 'airline';

export type Verdict = 'allowed' | 'forbidden' | 'beyond';

/** The policy's decision on a cancellation; `beyond`: part of the trip has been flown, so a human agent decides. */
export function cancelVerdict(reservation: Reservation, cause: Cause): Verdict {
  const { segments, cabin, insured, createdAt } = reservation;
  if (segments.some(isFlown)) return 'beyond';
  const allowed =
    createdAt > A_DAY_AGO ||
    (cause === 'airline' && segments.some((segment) => findSegmentStatus(segment) === 'cancelled')) ||
    cabin === 'business' ||
    (insured && (cause === 'health' || cause === 'weather'));
  return allowed ? 'allowed' : 'forbidden';
}

/** @returns true if the customer can be compensated at all */
export function isEligible({ customer, cabin, insured }: Reservation): boolean {
  return customer.membership !== 'regular' || insured || cabin === 'business';
}

export function isFlown(segment: Segment): boolean {
  const status = findSegmentStatus(segment);
  return status === 'landed' || status === 'flying';
}

/** @returns true if a segment can be bought today */
export function isOnSale(segment: Segment): boolean {
  return findSegmentStatus(segment) === 'available';
}

export function findSegmentStatus({ flight, date }: Segment): string {
  return flight.days.get(date)?.status ?? 'unknown';
}
