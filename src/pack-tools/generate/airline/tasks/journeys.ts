/** How an airline instruction names the flights of a day: by what the customer prefers among those on sale. */

import { isDict, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { named, type Named } from '../../tasks/ground.ts';
import { dict, extremes, number, text } from '../../tasks/read.ts';
import { timeOf } from '../clock.ts';
import { routeKey, type Airline, type Cabin } from '../model.ts';
import { directJourneys, fareOf, hasSeats, oneStopJourneys, type Journey } from '../search.ts';
import { dayOf, flightRef } from './facts.ts';

export const PREFERENCES = ['cheapest', 'first', 'last'] as const;
export type Preference = (typeof PREFERENCES)[number];

/** What a customer looks for on a day. */
export interface Wish {
  readonly origin: string;
  readonly destination: string;
  readonly date: string;
  readonly cabin: Cabin;
  /** Every flight must have as many seats. */
  readonly passengers: number;
  readonly stops: 0 | 1;
  readonly preference: Preference;
  /** Minutes after midnight before which the customer does not leave. @default any time */
  readonly notBefore?: number;
}

/** The one journey that a wish means; undefined when there is none, or several are as good. */
export function findJourney(airline: Airline, wish: Wish): Journey | undefined {
  const { origin, destination, date, cabin, passengers, notBefore = 0 } = wish;
  const find = wish.stops === 0 ? directJourneys : oneStopJourneys;
  const fitting = find(airline, origin, destination, date).filter(
    (journey) => hasSeats(journey, date, cabin, passengers) && (journey[0]?.departs ?? 0) >= notBefore,
  );
  const [best, ...equal] = preferred(fitting, wish.preference, {
    fare: (journey) => fareOf(journey, date, cabin),
    departs: (journey) => journey[0]?.departs ?? 0,
    arrives: (journey) => journey.at(-1)?.arrives ?? 0,
  });
  return equal.length === 0 ? best : undefined;
}

/** The journey of a wish in words, without its route and date, which the sentence has anyway. */
export function nameJourney(wish: Wish, journey: Journey): Named<Journey> {
  return named({
    text: wordsOf(wish),
    value: journey,
    argument: journey.map((flight) => flightRef(flight.number, wish.date)),
    candidates: (store) => searchTables(store, wish).map((flights) => refsOf(flights, wish.date)),
  });
}

/** How many flights without a stop a day has on sale. */
export function countOnSale(store: Store, origin: string, destination: string, date: string): number {
  return flightsOf(store, origin, destination).filter(
    (flight) => text(dayOf(store, text(flight, 'flight_number'), date), 'status') === 'available',
  ).length;
}

const DIRECT_WORDS: Readonly<Record<Preference, string>> = {
  cheapest: 'the cheapest direct flight',
  first: 'the direct flight that leaves first',
  last: 'the direct flight that leaves last',
};
const ONE_STOP_WORDS: Readonly<Record<Preference, string>> = {
  cheapest: 'the connection with one stop that costs least',
  first: 'the connection with one stop that arrives first',
  last: 'the connection with one stop that leaves last',
};

function wordsOf({ stops, preference, notBefore }: Wish): string {
  const words = (stops === 0 ? DIRECT_WORDS : ONE_STOP_WORDS)[preference];
  return notBefore === undefined ? words : `${words}, of those that leave at ${timeOf(notBefore).slice(0, 5)} or later`;
}

interface Measures<J> {
  readonly fare: (journey: J) => number;
  readonly departs: (journey: J) => number;
  readonly arrives: (journey: J) => number;
}

/** What the words say of one journey among others: the same for the airline in the making and for its tables. */
function preferred<J extends { readonly length: number }>(
  journeys: readonly J[],
  preference: Preference,
  { fare, departs, arrives }: Measures<J>,
): J[] {
  switch (preference) {
    case 'cheapest':
      return extremes(journeys, fare, 'least');
    case 'first':
      return extremes(journeys, (journey) => (journey.length > 1 ? arrives(journey) : departs(journey)), 'least');
    case 'last':
      return extremes(journeys, departs, 'most');
  }
}

function searchTables(store: Store, wish: Wish): PyDict[][] {
  const { origin, destination, date, cabin, passengers, stops, preference, notBefore = 0 } = wish;
  const onSale = (flight: PyDict): boolean =>
    number(dict(dayOf(store, text(flight, 'flight_number'), date), 'available_seats'), cabin) >= passengers;
  const direct = flightsOf(store, origin, destination).map((flight) => [flight]);
  const found = stops === 0 ? direct : connections(store, origin, destination);
  const fitting = found.filter((journey) => journey.every(onSale) && minutes(journey[0], 'departure') >= notBefore);
  const price = (flight: PyDict): number =>
    number(dict(dayOf(store, text(flight, 'flight_number'), date), 'prices'), cabin);
  return preferred(fitting, preference, {
    fare: (journey) => journey.reduce((sum, flight) => sum + price(flight), 0),
    departs: (journey) => minutes(journey[0], 'departure'),
    arrives: (journey) => minutes(journey.at(-1), 'arrival'),
  });
}

function connections(store: Store, origin: string, destination: string): PyDict[][] {
  const index = indexOf(store);
  return Array.from(index.byOrigin.get(origin) ?? []).flatMap((first) =>
    flightsOf(store, text(first, 'destination'), destination)
      .filter((second) => minutes(second, 'departure') >= minutes(first, 'arrival'))
      .map((second) => [first, second]),
  );
}

function flightsOf(store: Store, origin: string, destination: string): readonly PyDict[] {
  return indexOf(store).byRoute.get(routeKey(origin, destination)) ?? [];
}

function minutes(flight: PyDict | undefined, which: 'departure' | 'arrival'): number {
  const [hours = NaN, quarters = NaN] = text(flight, `scheduled_${which}_time_est`).split(':').map(Number);
  return hours * 60 + quarters;
}

function refsOf(flights: readonly PyDict[], date: string): PyValue {
  return flights.map((flight) => flightRef(text(flight, 'flight_number'), date));
}

interface FlightIndex {
  readonly byOrigin: ReadonlyMap<string, readonly PyDict[]>;
  readonly byRoute: ReadonlyMap<string, readonly PyDict[]>;
}

/** No tool writes to the flights, so they are indexed once for thousands of tasks. */
const indexes = new WeakMap<object, FlightIndex>();

function indexOf(store: Store): FlightIndex {
  const entries = store.entries('flights');
  let index = indexes.get(entries);
  if (index === undefined) {
    const flights = Array.from(entries, ([, flight]) => flight).filter(isDict);
    index = {
      byOrigin: groupBy(flights, (flight) => text(flight, 'origin')),
      byRoute: groupBy(flights, (flight) => routeKey(text(flight, 'origin'), text(flight, 'destination'))),
    };
    indexes.set(entries, index);
  }
  return index;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
