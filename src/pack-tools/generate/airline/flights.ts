/** Makes the airline's flights: what has become of each on the days before today, and what the coming ones cost. */

import { COMING_DAYS, dateOf, DAYS, momentOf, NOW_MINUTES, TODAY } from './clock.ts';
import { CABINS, routeKey, type ByCabin, type Cabin, type Flight, type FlightDay } from './model.ts';
import { layOutNetwork, type Service } from './network.ts';
import type { Random } from '../random.ts';

/** What a seat costs, before distance: from, to. */
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
    const days = DAYS.map((day) => [dateOf(day), makeDay(own, service, day)] as const);
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
  const departed = momentOf(day, departs + late);
  const arrival = momentOf(day, arrives + late + random.int(0, 15));
  if (day < TODAY) {
    return random.chance(0.07) ? { status: 'cancelled' } : { status: 'landed', departed, arrived: arrival };
  }
  if (arrives + 45 < NOW_MINUTES) return { status: 'landed', departed, arrived: arrival };
  if (departs + 30 < NOW_MINUTES) return { status: 'flying', departed, arrives: momentOf(day, arrives + 20) };
  if (random.chance(0.6)) {
    const status = 'on time';
    return { status, departs: momentOf(day, departs), arrives: momentOf(day, arrives) };
  }
  const delay = Math.min(random.int(4, 12) * 15, 23 * 60 + 59 - arrives);
  return { status: 'delayed', departs: momentOf(day, departs + delay), arrives: momentOf(day, arrives + delay) };
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
