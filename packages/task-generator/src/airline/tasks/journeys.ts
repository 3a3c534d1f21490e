/** Names flights in an airline instruction by a preference among those on sale, and moves trips to other flights. */

import { isDict, type PyDict, type PyValue } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import {
  concat,
  dict,
  dicts,
  extremes,
  named,
  number,
  ruled,
  text,
  type Ground,
  type NamedGround,
} from '../../tasks/ground.ts';
import {
  COMING_DAYS,
  parseDay,
  routeKey,
  formatTime,
  type AirlineModel,
  type Cabin,
  type Reservation,
  type Segment,
} from '../model.ts';
import { directJourneys, fareOfJourney, hasSeats, oneStopJourneys, type Journey } from '../network.ts';
import {
  bookedFare,
  bookedFareIn,
  getBooking,
  flightDayIn,
  flightRef,
  flightRefs,
  isAhead,
  isBasic,
  isOnSaleStill,
  meant,
  partySize,
  findSeatPrice,
} from './facts.ts';
import type { Premise } from '../../tasks/scenario.ts';
import { laterDate } from './words.ts';
import type { AirlineContext } from './context.ts';

export const PREFERENCES = ['cheapest', 'first', 'last'] as const;
type Preference = (typeof PREFERENCES)[number];

/** The flights that a user looks for on a day. */
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

/** Finds the only journey that fits a wish; undefined without one, or if several fit equally. */
export function findJourney(airline: AirlineModel, wish: Wish): Journey | undefined {
  const { origin, destination, date, cabin, passengers, notBefore = 0 } = wish;
  const find = wish.stops === 0 ? directJourneys : oneStopJourneys;
  const fitting = find(airline, origin, destination, date).filter(
    (journey) => hasSeats(journey, date, cabin, passengers) && (journey[0]?.departs ?? 0) >= notBefore,
  );
  const [best, ...equal] = preferred(fitting, wish.preference, {
    fare: (journey) => fareOfJourney(journey, date, cabin),
    departs: (journey) => journey[0]?.departs ?? 0,
    arrives: (journey) => journey.at(-1)?.arrives ?? 0,
  });
  return equal.length === 0 ? best : undefined;
}

/** The journey of a wish in words, without its route and date, which the sentence has anyway. */
export function nameJourney(wish: Wish, journey: Journey): NamedGround<Journey> {
  return named({
    text: describeWish(wish),
    value: journey,
    argument: journey.map((flight) => flightRef(flight.number, wish.date)),
    candidates: (store) => searchTables(store, wish).map((flights) => toFlightRefs(flights, wish.date)),
  });
}

/** The number of direct flights on sale on a day. */
export function countOnSale(store: Store, origin: string, destination: string, date: string): number {
  return listFlights(store, origin, destination).filter(
    (flight) => text(flightDayIn(store, text(flight, 'flight_number'), date), 'status') === 'available',
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

function describeWish({ stops, preference, notBefore }: Wish): string {
  const words = (stops === 0 ? DIRECT_WORDS : ONE_STOP_WORDS)[preference];
  return notBefore === undefined
    ? words
    : `${words}, of those that leave at ${formatTime(notBefore).slice(0, 5)} or later`;
}

interface Measures<J> {
  readonly fare: (journey: J) => number;
  readonly departs: (journey: J) => number;
  readonly arrives: (journey: J) => number;
}

/** The journeys that the words prefer; the same for the model and for its tables. */
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
    number(dict(flightDayIn(store, text(flight, 'flight_number'), date), 'available_seats'), cabin) >= passengers;
  const direct = listFlights(store, origin, destination).map((flight) => [flight]);
  const found = stops === 0 ? direct : connections(store, origin, destination);
  const fitting = found.filter((journey) => journey.every(onSale) && minutes(journey[0], 'departure') >= notBefore);
  const price = (flight: PyDict): number =>
    number(dict(flightDayIn(store, text(flight, 'flight_number'), date), 'prices'), cabin);
  return preferred(fitting, preference, {
    fare: (journey) => journey.reduce((sum, flight) => sum + price(flight), 0),
    departs: (journey) => minutes(journey[0], 'departure'),
    arrives: (journey) => minutes(journey.at(-1), 'arrival'),
  });
}

function connections(store: Store, origin: string, destination: string): PyDict[][] {
  const index = indexFlights(store);
  return Array.from(index.byOrigin.get(origin) ?? []).flatMap((first) =>
    listFlights(store, text(first, 'destination'), destination)
      .filter((second) => minutes(second, 'departure') >= minutes(first, 'arrival'))
      .map((second) => [first, second]),
  );
}

function listFlights(store: Store, origin: string, destination: string): readonly PyDict[] {
  return indexFlights(store).byRoute.get(routeKey(origin, destination)) ?? [];
}

function minutes(flight: PyDict | undefined, which: 'departure' | 'arrival'): number {
  const [hours = NaN, quarters = NaN] = text(flight, `scheduled_${which}_time_est`).split(':').map(Number);
  return hours * 60 + quarters;
}

function toFlightRefs(flights: readonly PyDict[], date: string): PyValue {
  return flights.map((flight) => flightRef(text(flight, 'flight_number'), date));
}

interface FlightIndex {
  readonly byOrigin: ReadonlyMap<string, readonly PyDict[]>;
  readonly byRoute: ReadonlyMap<string, readonly PyDict[]>;
}

/** Index of the flights, made once for thousands of tasks: no tool writes to them. */
const indexes = new WeakMap<object, FlightIndex>();

function indexFlights(store: Store): FlightIndex {
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

function groupBy<T>(items: readonly T[], toKey: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group === undefined) groups.set(toKey(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A way of a trip, and what takes its place. */
export interface Move {
  readonly reservation: Reservation;
  /** True for the way back. */
  readonly back: boolean;
  readonly wish: Wish;
  readonly journey: Journey;
}

/** Every move of one way to a day near its own, for a preference drawn for each. */
export function movesToOtherDays(context: AirlineContext, reservation: Reservation): Move[] {
  return listDirections(reservation).flatMap((back) =>
    [-2, -1, 1, 2].flatMap((days) => moveBy(context, reservation, back, days)),
  );
}

/** Every move to other flights of the same day. */
export function movesWithinDays(context: AirlineContext, reservation: Reservation): Move[] {
  return listDirections(reservation).flatMap((back) => moveBy(context, reservation, back, 0));
}

/** Flights of basic economy and of a trip that has begun cannot be changed. */
export function isChangeable(reservation: Reservation): boolean {
  return reservation.cabin !== 'basic_economy' && isAhead(reservation);
}

export function changePremises(reservation: Reservation): Premise[] {
  return [isBasic(false, reservation), isOnSaleStill(reservation)];
}

/** The additional cost; negative for a refund. */
export function extraCost(move: Move): number {
  return (newFare(move) - bookedFare(move.reservation)) * move.reservation.passengers.length;
}

/** The sum behind {@link extraCost}, for the calculator. */
export function extraCostSum(move: Move): string {
  const { reservation } = move;
  return `(${String(newFare(move))} - ${String(bookedFare(reservation))}) * ${String(reservation.passengers.length)}`;
}

/** The same from the tables. */
export function extraCostIn(store: Store, { reservation, back, wish, journey }: Move): number {
  const booking = getBooking(store, reservation.id);
  const kept = takeOtherWay(dicts(booking, 'flights'), reservation, back).reduce(
    (sum, one) => sum + number(one, 'price'),
    0,
  );
  const fare = journey.reduce((sum, flight) => sum + findSeatPrice(store, flight.number, wish.date, wish.cabin), kept);
  return (fare - bookedFareIn(booking)) * partySize(booking);
}

/** All flights of the trip after the move; the other way is unchanged. */
export function flightsAfter(trip: NamedGround<Reservation>, { reservation, back }: Move, journey: Ground): Ground {
  const keep = (list: readonly PyValue[]): PyValue => takeOtherWay(list, reservation, back);
  const kept = ruled(
    [trip],
    keep(reservation.segments.map(({ flight, date }) => flightRef(flight.number, date))),
    (store) => meant(store, trip).map((booking) => keep(flightRefs(booking))),
  );
  return concat(back ? [kept, journey] : [journey, kept]);
}

/** The trip's own cabin, if the goal does not name one. */
export function sameCabin(trip: NamedGround<Reservation>): Ground {
  return ruled([trip], trip.value.cabin, (store) => meant(store, trip).map((booking) => text(booking, 'cabin')));
}

export function wayWords({ reservation, back }: Move): string {
  if (reservation.type === 'round_trip') return back ? 'the way back' : 'the way out';
  return reservation.segments.length === 1 ? 'the flight' : 'the flights';
}

function listDirections({ type }: Reservation): boolean[] {
  return type === 'round_trip' ? [false, true] : [false];
}

function moveBy(context: AirlineContext, reservation: Reservation, back: boolean, days: number): Move[] {
  const { segments, outbound, passengers, cabin } = reservation;
  const way = back ? segments.slice(outbound) : segments.slice(0, outbound);
  const [first] = way;
  if (first === undefined) return [];
  const date = laterDate(first.date, days);
  if (!COMING_DAYS.includes(parseDay(date))) return [];
  // The way back stays after the way out.
  const other = takeOtherWay(segments, reservation, back);
  if (other.some((segment) => (back ? segment.date >= date : segment.date <= date))) return [];
  const wish: Wish = {
    origin: first.flight.origin,
    destination: way.at(-1)?.flight.destination ?? '',
    date,
    cabin,
    passengers: passengers.length,
    stops: way.length === 1 ? 0 : 1,
    preference: context.random.pick(PREFERENCES),
  };
  const journey = findJourney(context.model, wish);
  // A flight that is booked already would keep its old price.
  const isNew = journey?.every((flight) => !isBooked(way, flight.number, date)) === true;
  return journey !== undefined && isNew ? [{ reservation, back, wish, journey }] : [];
}

function isBooked(way: readonly Segment[], number: string, date: string): boolean {
  return way.some((segment) => segment.flight.number === number && segment.date === date);
}

function newFare({ reservation, back, wish, journey }: Move): number {
  const kept = takeOtherWay(reservation.segments, reservation, back).reduce((sum, segment) => sum + segment.price, 0);
  return kept + fareOfJourney(journey, wish.date, wish.cabin);
}

/** The part of a list that belongs to the other way. */
function takeOtherWay<T>(segments: readonly T[], { outbound }: Reservation, back: boolean): readonly T[] {
  return back ? segments.slice(0, outbound) : segments.slice(outbound);
}
