/** Makes the customers' reservations. */

import {
  BAG_PRICE,
  CABINS,
  COMING_DAYS,
  FIRST_DAY,
  INSURANCE_PRICE,
  NOW_MINUTES,
  TODAY,
  formatDate,
  parseDay,
  freeBags,
  formatDateTime,
  type AirlineModel,
  type Cabin,
  type Customer,
  type Flight,
  type FlightDay,
  type Passenger,
  type Reservation,
  type Segment,
} from './model.ts';
import { makePassenger } from './records.ts';
import { firstNames, lastNames } from '../people.ts';
import type { Random } from '../random.ts';
import { areNeighbours, directJourneys, hasSeats, oneStopJourneys, toSegments } from './network.ts';

/** Dealt in shuffled blocks, so that small airlines have the same shares. `new`: booked within a day. */
const KINDS: readonly (TripKind | 'new')[] = [
  'coming',
  'coming',
  'coming',
  'coming',
  'coming',
  'coming',
  'new',
  'new',
  'begun',
  'over',
  'delayed',
  'delayed',
  'cancelled',
  'cancelled',
];

const MOST_RESERVATIONS = 6;
/** Ids that the benchmark's tool gives to new reservations. */
const TOOLS_OWN_IDS = ['HATHAT', 'HATHAU', 'HATHAV'];
const ID_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

type ModelSoFar = Pick<AirlineModel, 'flights' | 'routes' | 'customers'>;

export function makeReservations(random: Random, count: number, model: ModelSoFar): Reservation[] {
  const taken = new Set<string>(TOOLS_OWN_IDS);
  let kinds: (TripKind | 'new')[] = [];
  let cabins: Cabin[] = [];
  return drawBookers(random, count, model.customers).map((customer) => {
    if (kinds.length === 0) kinds = random.shuffle(KINDS);
    if (cabins.length === 0) cabins = random.shuffle([...CABINS, ...CABINS]);
    const kind = kinds.pop() ?? 'coming';
    const reservation = makeReservation(
      random,
      model,
      customer,
      kind,
      cabins.pop() ?? 'economy',
      freshId(random, taken),
    );
    customer.reservations.push(reservation);
    return reservation;
  });
}

/** Everybody books once; who books again is chance, up to a few times each. */
function drawBookers(random: Random, count: number, customers: readonly Customer[]): Customer[] {
  const extra = Array.from({ length: MOST_RESERVATIONS - 1 }, () => customers).flat();
  return random.shuffle([...customers.slice(0, count), ...random.sample(extra, Math.max(0, count - customers.length))]);
}

function makeReservation(
  random: Random,
  model: ModelSoFar,
  customer: Customer,
  kind: TripKind | 'new',
  cabin: Cabin,
  id: string,
): Reservation {
  const { origin, destination, outbound, back } = drawTrip(random, model, kind === 'new' ? 'coming' : kind, cabin);
  const passengers = drawPassengers(random, customer);
  const insured = random.chance(0.4);
  const free = freeBags(customer.membership, cabin, passengers.length);
  const bags = random.chance(0.25) ? free + random.int(0, 1) : random.int(0, Math.min(free, passengers.length * 2));
  const paidBags = Math.max(0, bags - free);
  const segments = [...outbound, ...back];
  const fare = segments.reduce((sum, segment) => sum + segment.price, 0) * passengers.length;
  const insurance = insured ? INSURANCE_PRICE * passengers.length : 0;
  const payment = random.pick(customer.payments.filter((method) => method.source !== 'certificate'));
  return {
    id,
    customer,
    origin,
    destination,
    type: back.length === 0 ? 'one_way' : 'round_trip',
    cabin,
    segments,
    outbound: outbound.length,
    passengers,
    payment,
    paid: fare + insurance + BAG_PRICE * paidBags,
    createdAt: bookingMoment(random, kind === 'new', segments[0]?.date ?? formatDate(TODAY)),
    bags,
    paidBags,
    insured,
  };
}

/** The customer or sometimes another person first, then others, with or without an entry in the profile. */
function drawPassengers(random: Random, customer: Customer): Passenger[] {
  const { firstName, lastName, dob, saved } = customer;
  const stranger = makePassenger(random, [random.pick(firstNames), random.pick(lastNames)]);
  const others = random.shuffle([...saved, stranger]).filter((other) => other.firstName !== firstName);
  const travels = random.chance(0.85);
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const party = travels ? [{ firstName, lastName, dob }, ...others] : others;
  const names = new Set<string>();
  return party.filter((passenger) => {
    const fresh = names.size < count && !names.has(passenger.firstName);
    if (fresh) names.add(passenger.firstName);
    return fresh;
  });
}

/** Long ago, or within the last day; in any case before the first flight. */
function bookingMoment(random: Random, recent: boolean, firstDate: string): string {
  const seconds = String(random.int(0, 59)).padStart(2, '0');
  const at = (day: number, minutes: number): string => formatDateTime(day, minutes).slice(0, -2) + seconds;
  if (recent) {
    return random.chance(0.5)
      ? at(TODAY - 1, random.int(NOW_MINUTES + 20, 24 * 60 - 1))
      : at(TODAY, random.int(0, NOW_MINUTES - 20));
  }
  const last = Math.min(parseDay(firstDate) - 1, TODAY - 2);
  return at(random.int(1, Math.max(1, Math.min(last, FIRST_DAY + 2))), random.int(0, 24 * 60 - 1));
}

function freshId(random: Random, taken: Set<string>): string {
  for (;;) {
    const id = Array.from({ length: 6 }, () => ID_LETTERS.charAt(random.int(0, ID_LETTERS.length - 1))).join('');
    // A reader must not take an id for a number.
    if (taken.has(id) || /^\d+$/.test(id) || /^\d+E\d+$/.test(id)) continue;
    taken.add(id);
    return id;
  }
}

/**
 * The state of a trip. `coming`: all flights are ahead; `begun`: one way has been flown; `over`: all have been flown;
 * `delayed` and `cancelled`: it has such a flight, and none has been flown.
 */
type TripKind = 'coming' | 'begun' | 'over' | 'delayed' | 'cancelled';

interface Trip {
  readonly origin: string;
  readonly destination: string;
  readonly outbound: readonly Segment[];
  /** Empty for one way. */
  readonly back: readonly Segment[];
}

type Flights = Pick<AirlineModel, 'flights' | 'routes'>;

/** Most draws for a trip; big networks have all kinds on most routes. */
const ATTEMPTS = 40;

function drawTrip(random: Random, network: Flights, kind: TripKind, cabin: Cabin): Trip {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const trip = tryTrip(random, network, kind, cabin);
    if (trip !== undefined) return trip;
  }
  for (;;) {
    const trip = comingTrip(random, network, cabin);
    if (trip !== undefined) return trip;
  }
}

function tryTrip(random: Random, network: Flights, kind: TripKind, cabin: Cabin): Trip | undefined {
  switch (kind) {
    case 'coming':
      return comingTrip(random, network, cabin);
    case 'begun': {
      const out = pastFlight(random, network, (day) => day.status === 'landed', [TODAY - 4, TODAY - 1], cabin);
      if (out === undefined) return undefined;
      const back = journeyOn(
        random,
        network,
        out.flight.destination,
        out.flight.origin,
        random.pick(COMING_DAYS),
        cabin,
      );
      return back === undefined ? undefined : toTrip([out], back);
    }
    case 'over': {
      const out = pastFlight(random, network, (day) => day.status === 'landed', [FIRST_DAY, TODAY - 1], cabin);
      return out === undefined ? undefined : toTrip([out], []);
    }
    case 'delayed': {
      const out = pastFlight(random, network, (day) => day.status === 'delayed', [TODAY, TODAY], cabin);
      return out === undefined ? undefined : toTrip([out], maybeBack(random, network, out, cabin));
    }
    case 'cancelled': {
      const range: [number, number] = random.chance(0.5) ? [TODAY + 1, TODAY + 8] : [FIRST_DAY + 2, TODAY - 1];
      const out = pastFlight(random, network, (day) => day.status === 'cancelled', range, cabin);
      return out === undefined ? undefined : toTrip([out], maybeBack(random, network, out, cabin));
    }
  }
}

function comingTrip(random: Random, network: Flights, cabin: Cabin): Trip | undefined {
  const [origin, destination] = drawEnds(random, network);
  const day = random.pick(COMING_DAYS.slice(0, -2));
  const out = journeyOn(random, network, origin, destination, day, cabin);
  if (out === undefined) return undefined;
  if (random.chance(0.5)) return toTrip(out, []);
  const later = COMING_DAYS.filter((other) => other > day && other <= day + 5);
  const back = journeyOn(random, network, destination, origin, random.pick(later), cabin);
  return back === undefined ? undefined : toTrip(out, back);
}

/** Half of the trips go along a route that is flown without a stop. */
function drawEnds(random: Random, { flights }: Flights): readonly [origin: string, destination: string] {
  const { origin, destination } = random.pick(flights);
  if (random.chance(0.5)) return [origin, destination];
  const onward = flights.filter(
    (flight) => flight.origin === destination && !areNeighbours(flight.destination, origin),
  );
  return [origin, onward.length === 0 ? destination : random.pick(onward).destination];
}

function journeyOn(
  random: Random,
  network: Flights,
  origin: string,
  destination: string,
  day: number,
  cabin: Cabin,
): Segment[] | undefined {
  const date = formatDate(day);
  const airline = { ...network, customers: [], reservations: [] };
  const direct = directJourneys(airline, origin, destination, date);
  const all = direct.length > 0 ? direct : oneStopJourneys(airline, origin, destination, date);
  const free = all.filter((journey) => hasSeats(journey, date, cabin, 1));
  return free.length === 0 ? undefined : toSegments(random.pick(free), date, cabin);
}

/** A flight on a day of the range for which no fare is on record any more. */
function pastFlight(
  random: Random,
  { flights }: Flights,
  fits: (day: FlightDay) => boolean,
  [from, to]: readonly [number, number],
  cabin: Cabin,
): Segment | undefined {
  const flight = random.pick(flights);
  const dates = Array.from(flight.days).filter(
    ([date, day]) => parseDay(date) >= from && parseDay(date) <= to && fits(day),
  );
  if (dates.length === 0) return undefined;
  const [date] = random.pick(dates);
  return { flight, date, price: usualFare(random, flight, cabin) };
}

/** Approximate price of the flight on the coming days. */
function usualFare(random: Random, flight: Flight, cabin: Cabin): number {
  const fares = Array.from(flight.days.values()).flatMap((day) =>
    day.status === 'available' ? [day.prices[cabin]] : [],
  );
  return fares.length === 0 ? 100 : random.pick(fares);
}

function maybeBack(random: Random, network: Flights, out: Segment, cabin: Cabin): Segment[] {
  if (random.chance(0.6)) return [];
  const later = COMING_DAYS.filter((day) => day > parseDay(out.date));
  if (later.length === 0) return [];
  const { origin, destination } = out.flight;
  return journeyOn(random, network, destination, origin, random.pick(later), cabin) ?? [];
}

function toTrip(outbound: readonly Segment[], back: readonly Segment[]): Trip {
  const origin = outbound[0]?.flight.origin ?? '';
  const destination = outbound.at(-1)?.flight.destination ?? '';
  return { origin, destination, outbound, back };
}
