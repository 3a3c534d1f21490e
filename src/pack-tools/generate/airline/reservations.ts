/** Makes the customers' reservations. */

import { dateOf, dayOf, FIRST_DAY, momentOf, NOW_MINUTES, TODAY } from './clock.ts';
import { CABINS, type Airline, type Cabin, type Customer, type Passenger, type Reservation } from './model.ts';
import { makePassenger } from './people.ts';
import { FIRST_NAMES, LAST_NAMES } from '../names.ts';
import type { Random } from '../random.ts';
import { BAG_PRICE, freeBags, INSURANCE_PRICE } from './rules.ts';
import { drawTrip, type TripKind } from './trips.ts';

/** Dealt in shuffled blocks, so that the shares hold in small airlines too. `new` was booked within a day. */
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
/** The ids that the benchmark's tool gives to what is booked in an episode. */
const TOOLS_OWN_IDS = ['HATHAT', 'HATHAU', 'HATHAV'];
const ID_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

type World = Pick<Airline, 'flights' | 'routes' | 'customers'>;

export function makeReservations(random: Random, count: number, world: World): Reservation[] {
  const taken = new Set<string>(TOOLS_OWN_IDS);
  let kinds: (TripKind | 'new')[] = [];
  let cabins: Cabin[] = [];
  return dealBookers(random, count, world.customers).map((customer) => {
    if (kinds.length === 0) kinds = random.shuffle(KINDS);
    if (cabins.length === 0) cabins = random.shuffle([...CABINS, ...CABINS]);
    const kind = kinds.pop() ?? 'coming';
    const reservation = makeReservation(
      random,
      world,
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
function dealBookers(random: Random, count: number, customers: readonly Customer[]): Customer[] {
  const extra = Array.from({ length: MOST_RESERVATIONS - 1 }, () => customers).flat();
  return random.shuffle([...customers.slice(0, count), ...random.sample(extra, Math.max(0, count - customers.length))]);
}

function makeReservation(
  random: Random,
  world: World,
  customer: Customer,
  kind: TripKind | 'new',
  cabin: Cabin,
  id: string,
): Reservation {
  const { origin, destination, outbound, back } = drawTrip(random, world, kind === 'new' ? 'coming' : kind, cabin);
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
    createdAt: bookingMoment(random, kind === 'new', segments[0]?.date ?? dateOf(TODAY)),
    bags,
    paidBags,
    insured,
  };
}

/** The customer, or now and then somebody else; then others, whom the profile may remember or not. */
function drawPassengers(random: Random, customer: Customer): Passenger[] {
  const { firstName, lastName, dob, saved } = customer;
  const stranger = makePassenger(random, [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]);
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
  const at = (day: number, minutes: number): string => momentOf(day, minutes).slice(0, -2) + seconds;
  if (recent) {
    return random.chance(0.5)
      ? at(TODAY - 1, random.int(NOW_MINUTES + 20, 24 * 60 - 1))
      : at(TODAY, random.int(0, NOW_MINUTES - 20));
  }
  const last = Math.min(dayOf(firstDate) - 1, TODAY - 2);
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
