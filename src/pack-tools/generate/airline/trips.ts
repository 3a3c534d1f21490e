/** Draws the journeys that reservations are made for, among them the odd ones that tasks are about. */

import { areNeighbours } from './airports.ts';
import { COMING_DAYS, dateOf, dayOf, FIRST_DAY, TODAY } from './clock.ts';
import type { Airline, Cabin, Flight, FlightDay, Segment } from './model.ts';
import type { Random } from '../random.ts';
import { directJourneys, hasSeats, oneStopJourneys, segmentsOf } from './search.ts';

/**
 * What has become of a trip: `coming` is all ahead; `begun` has been flown one way; `over` has been flown;
 * `delayed` and `cancelled` have such a flight in them and nothing that was flown.
 */
export type TripKind = 'coming' | 'begun' | 'over' | 'delayed' | 'cancelled';

export interface Trip {
  readonly origin: string;
  readonly destination: string;
  readonly outbound: readonly Segment[];
  /** Empty for one way. */
  readonly back: readonly Segment[];
}

type World = Pick<Airline, 'flights' | 'routes'>;

/** Draws until a trip is found; big networks have all kinds on most routes. */
const ATTEMPTS = 40;

export function drawTrip(random: Random, world: World, kind: TripKind, cabin: Cabin): Trip {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const trip = tryTrip(random, world, kind, cabin);
    if (trip !== undefined) return trip;
  }
  for (;;) {
    const trip = comingTrip(random, world, cabin);
    if (trip !== undefined) return trip;
  }
}

function tryTrip(random: Random, world: World, kind: TripKind, cabin: Cabin): Trip | undefined {
  switch (kind) {
    case 'coming':
      return comingTrip(random, world, cabin);
    case 'begun': {
      const out = pastFlight(random, world, (day) => day.status === 'landed', [TODAY - 4, TODAY - 1], cabin);
      if (out === undefined) return undefined;
      const back = journeyOn(random, world, out.flight.destination, out.flight.origin, random.pick(COMING_DAYS), cabin);
      return back === undefined ? undefined : tripOf([out], back);
    }
    case 'over': {
      const out = pastFlight(random, world, (day) => day.status === 'landed', [FIRST_DAY, TODAY - 1], cabin);
      return out === undefined ? undefined : tripOf([out], []);
    }
    case 'delayed': {
      const out = pastFlight(random, world, (day) => day.status === 'delayed', [TODAY, TODAY], cabin);
      return out === undefined ? undefined : tripOf([out], maybeBack(random, world, out, cabin));
    }
    case 'cancelled': {
      const range: [number, number] = random.chance(0.5) ? [TODAY + 1, TODAY + 8] : [FIRST_DAY + 2, TODAY - 1];
      const out = pastFlight(random, world, (day) => day.status === 'cancelled', range, cabin);
      return out === undefined ? undefined : tripOf([out], maybeBack(random, world, out, cabin));
    }
  }
}

function comingTrip(random: Random, world: World, cabin: Cabin): Trip | undefined {
  const [origin, destination] = drawEnds(random, world);
  const day = random.pick(COMING_DAYS.slice(0, -2));
  const out = journeyOn(random, world, origin, destination, day, cabin);
  if (out === undefined) return undefined;
  if (random.chance(0.5)) return tripOf(out, []);
  const later = COMING_DAYS.filter((other) => other > day && other <= day + 5);
  const back = journeyOn(random, world, destination, origin, random.pick(later), cabin);
  return back === undefined ? undefined : tripOf(out, back);
}

/** Half of the trips go along a route that is flown without a stop. */
function drawEnds(random: Random, { flights }: World): readonly [origin: string, destination: string] {
  const { origin, destination } = random.pick(flights);
  if (random.chance(0.5)) return [origin, destination];
  const onward = flights.filter(
    (flight) => flight.origin === destination && !areNeighbours(flight.destination, origin),
  );
  return [origin, onward.length === 0 ? destination : random.pick(onward).destination];
}

function journeyOn(
  random: Random,
  world: World,
  origin: string,
  destination: string,
  day: number,
  cabin: Cabin,
): Segment[] | undefined {
  const date = dateOf(day);
  const airline = { ...world, customers: [], reservations: [] };
  const direct = directJourneys(airline, origin, destination, date);
  const all = direct.length > 0 ? direct : oneStopJourneys(airline, origin, destination, date);
  const free = all.filter((journey) => hasSeats(journey, date, cabin, 1));
  return free.length === 0 ? undefined : segmentsOf(random.pick(free), date, cabin);
}

/** A flight on a day of the range for which no fare is on record any more. */
function pastFlight(
  random: Random,
  { flights }: World,
  fits: (day: FlightDay) => boolean,
  [from, to]: readonly [number, number],
  cabin: Cabin,
): Segment | undefined {
  const flight = random.pick(flights);
  const dates = Array.from(flight.days).filter(([date, day]) => dayOf(date) >= from && dayOf(date) <= to && fits(day));
  if (dates.length === 0) return undefined;
  const [date] = random.pick(dates);
  return { flight, date, price: usualFare(random, flight, cabin) };
}

/** About what the flight costs on the coming days. */
function usualFare(random: Random, flight: Flight, cabin: Cabin): number {
  const fares = Array.from(flight.days.values()).flatMap((day) =>
    day.status === 'available' ? [day.prices[cabin]] : [],
  );
  return fares.length === 0 ? 100 : random.pick(fares);
}

function maybeBack(random: Random, world: World, out: Segment, cabin: Cabin): Segment[] {
  if (random.chance(0.6)) return [];
  const later = COMING_DAYS.filter((day) => day > dayOf(out.date));
  if (later.length === 0) return [];
  const { origin, destination } = out.flight;
  return journeyOn(random, world, destination, origin, random.pick(later), cabin) ?? [];
}

function tripOf(outbound: readonly Segment[], back: readonly Segment[]): Trip {
  const origin = outbound[0]?.flight.origin ?? '';
  const destination = outbound.at(-1)?.flight.destination ?? '';
  return { origin, destination, outbound, back };
}
