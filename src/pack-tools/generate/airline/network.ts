/** Lays out the airline's routes: a few hubs, spokes that reach every hub, and some routes past the hubs. */

import { areNeighbours, flightMinutes, HUBS, SPOKES } from './airports.ts';
import type { Route, Schedule } from './model.ts';
import type { Random } from '../random.ts';

/** In this order a route gets its flights: when the n-th one may leave, in hours. */
const SLOTS: readonly (readonly [from: number, to: number])[] = [
  [6, 9],
  [12, 15],
  [16, 18],
  [9, 11],
];
const LAST_ARRIVAL = 23 * 60 + 45;

export type Service = Route & Schedule;

/** @param count flights a day; each is between two airports, and every route has its way back */
export function layOutNetwork(random: Random, count: number): Service[] {
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
