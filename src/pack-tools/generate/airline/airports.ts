/** The airports that the benchmark's tool lists: where they lie, and how customers call them. */

import { AIRPORTS } from '../../../benchmark/index.ts';

/** Degrees north and west, rounded: enough to make flights as long as they are. */
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

/** Where most journeys change planes, busiest first. */
export const HUBS: readonly string[] = ['ORD', 'DFW', 'ATL', 'DEN'];
export const SPOKES: readonly string[] = Object.keys(PLACES).filter((code) => !HUBS.includes(code));

/** Three of them could all be meant by "New York", so these are always named with their code. */
const NEIGHBOURS: readonly string[] = ['JFK', 'LGA', 'EWR'];

/** Whether nobody flies from the one to the other, because they serve one city. */
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
export function flightMinutes(origin: string, destination: string): number {
  const [north1, west1] = PLACES[origin] ?? [0, 0];
  const [north2, west2] = PLACES[destination] ?? [0, 0];
  // Degrees of longitude shrink to about three quarters at these latitudes; a degree takes eight minutes.
  const degrees = Math.hypot(north1 - north2, (west1 - west2) * 0.78);
  return Math.round((35 + degrees * 8) / 15) * 15;
}
