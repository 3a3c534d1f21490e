/** The synthetic airline while it is being made. Money is whole dollars, as in all of the benchmark's airline data. */

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
  /** At least one credit card; cards of one customer differ in brand, balances differ. */
  readonly payments: readonly PaymentMethod[];
  readonly saved: readonly Passenger[];
  readonly membership: Membership;
  /** Filled while reservations are made. */
  readonly reservations: Reservation[];
}

export interface Segment {
  readonly flight: Flight;
  readonly date: string;
  /** For one passenger. */
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
  /** How many of the segments are outbound. */
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

export interface Airline {
  readonly flights: readonly Flight[];
  /** Flights by origin and destination, in their order in the table. */
  readonly routes: ReadonlyMap<string, readonly Flight[]>;
  readonly customers: readonly Customer[];
  readonly reservations: readonly Reservation[];
}

export function routeKey(origin: string, destination: string): string {
  return `${origin}-${destination}`;
}
