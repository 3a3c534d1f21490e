/** The airline's airports, routes (hubs, spokes, and some routes between spokes), flights, and the search for journeys. */

import { AIRPORTS } from '../../../../src/benchmarks/index.ts';
import {
  CABINS,
  COMING_DAYS,
  DAYS,
  NOW_MINUTES,
  TODAY,
  formatDate,
  formatDateTime,
  routeKey,
  type AirlineModel,
  type ByCabin,
  type Cabin,
  type Flight,
  type FlightDay,
  type Route,
  type Schedule,
  type Segment,
} from './model.ts';
import type { Random } from '../random.ts';

/** Coordinates, rounded: precise enough for the durations of flights. */
const PLACES: Readonly<Record<string, readonly [north: number, west: number]>> = {
  SFO: [37.6, 122.4],
  JFK: [40.6, 73.8],
  LAX: [33.9, 118.4],
  ORD: [42.0, 87.9],
  DFW: [32.9, 97.0],
  DEN: [39.9, 104.7],
  SEA: [47.4, 122.3],
  ATL: [33.6, 84.4],
  MIA: [25.8, 80.3],
  BOS: [42.4, 71.0],
  PHX: [33.4, 112.0],
  IAH: [30.0, 95.3],
  LAS: [36.1, 115.2],
  MCO: [28.4, 81.3],
  EWR: [40.7, 74.2],
  CLT: [35.2, 80.9],
  MSP: [44.9, 93.2],
  DTW: [42.2, 83.4],
  PHL: [39.9, 75.2],
  LGA: [40.8, 73.9],
};

/** Airports where most journeys change planes, busiest first. */
const HUBS: readonly string[] = ['ORD', 'DFW', 'ATL', 'DEN'];
const SPOKES: readonly string[] = Object.keys(PLACES).filter((code) => !HUBS.includes(code));

/** Three of them could all be meant by "New York", so these are always named with their code. */
const NEIGHBOURS: readonly string[] = ['JFK', 'LGA', 'EWR'];

/** @returns true if no flight connects the two, because they serve one city */
export function areNeighbours(a: string, b: string): boolean {
  return a === b || (NEIGHBOURS.includes(a) && NEIGHBOURS.includes(b));
}

/** `Boston`, `New York (JFK)`. */
export function placeName(code: string): string {
  const city = AIRPORTS.get(code) ?? code;
  return NEIGHBOURS.includes(code) ? `${city} (${code})` : city;
}

/** The airport of a place's name. */
export function placesNamed(name: string): string[] {
  return Array.from(AIRPORTS.keys()).filter((code) => placeName(code) === name);
}

/** Minutes in the air and on the taxiway, in quarters of an hour. */
function flightMinutes(origin: string, destination: string): number {
  const [north1, west1] = PLACES[origin] ?? [0, 0];
  const [north2, west2] = PLACES[destination] ?? [0, 0];
  // Degrees of longitude shrink to about three quarters at these latitudes; a degree takes eight minutes.
  const degrees = Math.hypot(north1 - north2, (west1 - west2) * 0.78);
  return Math.round((35 + degrees * 8) / 15) * 15;
}

/** Hours of departure of a route's n-th flight. */
const SLOTS: readonly (readonly [from: number, to: number])[] = [
  [6, 9],
  [12, 15],
  [16, 18],
  [9, 11],
];
const LAST_ARRIVAL = 23 * 60 + 45;

type Service = Route & Schedule;

/** @param count flights a day; each is between two airports, and every route has its way back */
function layOutNetwork(random: Random, count: number): Service[] {
  const hubs = HUBS.slice(0, count < 120 ? 2 : 4);
  const airports = Math.min(20, Math.max(6, Math.round(count / 7.5)));
  const spokes = random.sample(SPOKES, airports - hubs.length);
  const trunk = [...between(hubs, hubs), ...between(spokes, hubs)];
  const byways = random.shuffle(between(spokes, spokes)).slice(0, Math.ceil(count / 15));
  const services: Service[] = [];
  for (let round = 0; services.length < count; round++) {
    const routes = round < 2 ? trunk : [...byways, ...random.shuffle(trunk)];
    for (const route of routes) {
      for (const { origin, destination } of [route, reversed(route)]) {
        if (services.length < count) services.push({ origin, destination, ...schedule(random, route, round) });
      }
    }
  }
  return services;
}

/** All pairs of different airports, each once. */
function between(from: readonly string[], to: readonly string[]): Route[] {
  const seen = new Set<string>();
  return from.flatMap((origin) =>
    to.flatMap((destination) => {
      const key = [origin, destination].sort().join();
      if (areNeighbours(origin, destination) || seen.has(key)) return [];
      seen.add(key);
      return [{ origin, destination }];
    }),
  );
}

function reversed({ origin, destination }: Route): Route {
  return { origin: destination, destination: origin };
}

function schedule(random: Random, { origin, destination }: Route, round: number): Schedule {
  const [from, to] = SLOTS[round % SLOTS.length] ?? [6, 9];
  const minutes = flightMinutes(origin, destination);
  const departs = Math.min(random.int(from * 4, to * 4) * 15, LAST_ARRIVAL - minutes);
  return { departs, arrives: departs + minutes };
}

/** Base price of a seat: from, to. */
const FARES: Readonly<Record<Cabin, readonly [from: number, to: number]>> = {
  basic_economy: [45, 90],
  economy: [85, 170],
  business: [220, 430],
};
const MOST_SEATS = 20;

export function makeFlights(random: Random, count: number): Flight[] {
  return layOutNetwork(random.fork('network'), count).map((service, at) => {
    const number = `KTW${String(at + 1).padStart(3, '0')}`;
    const own = random.fork(number);
    const days = DAYS.map((day) => [formatDate(day), makeDay(own, service, day)] as const);
    return { number, ...service, days: new Map(days) };
  });
}

/** Flights by route, in their order. */
export function byRoute(flights: readonly Flight[]): ReadonlyMap<string, readonly Flight[]> {
  const routes = new Map<string, Flight[]>();
  for (const flight of flights) {
    const key = routeKey(flight.origin, flight.destination);
    const known = routes.get(key);
    if (known === undefined) routes.set(key, [flight]);
    else known.push(flight);
  }
  return routes;
}

function makeDay(random: Random, service: Service, day: number): FlightDay {
  const { departs, arrives } = service;
  if (COMING_DAYS.includes(day)) return random.chance(0.04) ? { status: 'cancelled' } : offer(random, service);
  const late = random.int(-15, 30);
  const departed = formatDateTime(day, departs + late);
  const arrival = formatDateTime(day, arrives + late + random.int(0, 15));
  if (day < TODAY) {
    return random.chance(0.07) ? { status: 'cancelled' } : { status: 'landed', departed, arrived: arrival };
  }
  if (arrives + 45 < NOW_MINUTES) return { status: 'landed', departed, arrived: arrival };
  if (departs + 30 < NOW_MINUTES) return { status: 'flying', departed, arrives: formatDateTime(day, arrives + 20) };
  if (random.chance(0.6)) {
    const status = 'on time';
    return { status, departs: formatDateTime(day, departs), arrives: formatDateTime(day, arrives) };
  }
  const delay = Math.min(random.int(4, 12) * 15, 23 * 60 + 59 - arrives);
  return {
    status: 'delayed',
    departs: formatDateTime(day, departs + delay),
    arrives: formatDateTime(day, arrives + delay),
  };
}

function offer(random: Random, { departs, arrives }: Service): FlightDay {
  // Two hours are the measure; what is twice as far costs half as much again.
  const distance = 0.5 + (arrives - departs) / 240;
  const by = (value: (cabin: Cabin) => number): ByCabin => {
    const [basic_economy, economy, business] = CABINS.map(value);
    return { basic_economy: basic_economy ?? 0, economy: economy ?? 0, business: business ?? 0 };
  };
  const seats = by(() => (random.chance(0.1) ? 0 : random.int(1, MOST_SEATS)));
  const prices = by((cabin) => Math.round(random.int(...FARES[cabin]) * distance));
  return { status: 'available', seats, prices };
}

/** A connection between two airports on one day: one flight, or two with a change. */
export type Journey = readonly Flight[];

/** Flights of the route that can be booked on the date. */
export function directJourneys(airline: AirlineModel, origin: string, destination: string, date: string): Journey[] {
  return flightsOn(airline, origin, destination, date).map((flight) => [flight]);
}

/** Pairs of flights that can be booked, the second not before the first has arrived. */
export function oneStopJourneys(airline: AirlineModel, origin: string, destination: string, date: string): Journey[] {
  const stops = new Set(
    Array.from(airline.routes.values(), ([flight]) => flight)
      .filter((flight) => flight?.origin === origin)
      .map((flight) => flight?.destination ?? ''),
  );
  return Array.from(stops).flatMap((stop) =>
    flightsOn(airline, origin, stop, date).flatMap((first) =>
      flightsOn(airline, stop, destination, date)
        .filter((second) => second.departs >= first.arrives)
        .map((second) => [first, second]),
    ),
  );
}

/** @returns true if every flight has that many seats left in the cabin */
export function hasSeats(journey: Journey, date: string, cabin: Cabin, passengers: number): boolean {
  return journey.every((flight) => (findOffer(flight, date)?.seats[cabin] ?? 0) >= passengers);
}

/** The fare of one passenger for the whole journey. */
export function fareOfJourney(journey: Journey, date: string, cabin: Cabin): number {
  return journey.reduce((sum, flight) => sum + (findOffer(flight, date)?.prices[cabin] ?? 0), 0);
}

export function toSegments(journey: Journey, date: string, cabin: Cabin): Segment[] {
  return journey.map((flight) => ({ flight, date, price: findOffer(flight, date)?.prices[cabin] ?? 0 }));
}

export function findOffer(flight: Flight, date: string): Extract<FlightDay, { status: 'available' }> | undefined {
  const day = flight.days.get(date);
  return day?.status === 'available' ? day : undefined;
}

function flightsOn(airline: AirlineModel, origin: string, destination: string, date: string): Flight[] {
  const flights = airline.routes.get(routeKey(origin, destination)) ?? [];
  return flights.filter((flight) => findOffer(flight, date) !== undefined);
}
