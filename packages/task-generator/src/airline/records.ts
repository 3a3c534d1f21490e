/** Makes airline customers, and turns the model into the environment's tables. */

import { makePeople, type FullName } from '../people.ts';
import type { Random } from '../random.ts';
import {
  MEMBERSHIPS,
  formatTime,
  type AirlineModel,
  type ByCabin,
  type Customer,
  type Flight,
  type FlightDay,
  type Passenger,
  type PaymentMethod,
  type Reservation,
} from './model.ts';
import type { PyDict, PyValue } from '../../../../src/benchmarks/python/index.ts';

const BRANDS = ['visa', 'mastercard'] as const;

/** Assigned in turn, so that a small airline has customers of every kind. */
const PAYMENT_SOURCES: readonly (readonly PaymentMethod['source'][])[] = [
  ['credit_card', 'gift_card'],
  ['credit_card', 'certificate', 'gift_card'],
  ['gift_card', 'credit_card', 'credit_card'],
  ['gift_card', 'gift_card', 'credit_card', 'certificate'],
  ['credit_card', 'certificate', 'certificate'],
  ['credit_card', 'credit_card', 'certificate', 'gift_card'],
  ['certificate', 'gift_card', 'gift_card', 'credit_card', 'certificate'],
];
const CERTIFICATES = [100, 150, 200, 250, 300] as const;
/** Numbers that the benchmark's tool gives its own certificates. */
const RESERVED_NUMBERS = ['3221322', '3221323', '3221324'];

export function makeCustomers(random: Random, count: number): Customer[] {
  const paymentNumbers = new Set<string>(RESERVED_NUMBERS);
  return makePeople(random, count, ({ at, id, name, names, email, address }) => ({
    id,
    firstName: name[0],
    lastName: name[1],
    dob: birthday(random),
    email: email(),
    address: address(),
    payments: makePayments(random, PAYMENT_SOURCES[at % PAYMENT_SOURCES.length] ?? [], paymentNumbers),
    saved: makeCompanions(random, names, name),
    membership: MEMBERSHIPS[random.int(0, 2)] ?? 'regular',
    reservations: [],
  }));
}

export function makePassenger(random: Random, [firstName, lastName]: FullName): Passenger {
  return { firstName, lastName, dob: birthday(random) };
}

/** Two or three other people who are saved in the profile. */
function makeCompanions(random: Random, names: readonly FullName[], own: FullName): Passenger[] {
  const firstNames = new Set([own[0]]);
  const companions: Passenger[] = [];
  const count = random.int(2, 3);
  while (companions.length < count) {
    const [first, last] = random.pick(names);
    if (firstNames.has(first)) continue;
    firstNames.add(first);
    companions.push(makePassenger(random, [first, random.chance(0.4) ? own[1] : last]));
  }
  return companions;
}

function birthday(random: Random): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(random.int(1950, 2003))}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`;
}

function makePayments(
  random: Random,
  sources: readonly PaymentMethod['source'][],
  numbers: Set<string>,
): PaymentMethod[] {
  const brands = random.shuffle(BRANDS);
  const worths = random.shuffle(CERTIFICATES);
  const balances = new Set<number>();
  return sources.map((source): PaymentMethod => {
    const id = `${source}_${random.freshDigits(7, numbers)}`;
    switch (source) {
      case 'credit_card':
        return { source, id, brand: brands.pop() ?? 'visa', lastFour: random.digits(4) };
      case 'certificate':
        return { source, id, amount: worths.pop() ?? 100 };
      case 'gift_card':
        return { source, id, amount: freshBalance(random, balances) };
    }
  });
}

/** Some cards hold next to nothing, some pay a whole trip. */
function freshBalance(random: Random, taken: Set<number>): number {
  for (;;) {
    const amount = random.chance(0.3) ? random.int(5, 45) : random.int(60, 900);
    if (taken.has(amount)) continue;
    taken.add(amount);
    return amount;
  }
}

export function toTables(airline: AirlineModel): PyDict {
  return new Map([
    ['flights', new Map(airline.flights.map((flight) => [flight.number, flightRecord(flight)]))],
    ['reservations', new Map(airline.reservations.map((booking) => [booking.id, reservationRecord(booking)]))],
    ['users', new Map(airline.customers.map((customer) => [customer.id, userRecord(customer)]))],
  ]);
}

function flightRecord(flight: Flight): PyValue {
  return record({
    flight_number: flight.number,
    origin: flight.origin,
    destination: flight.destination,
    scheduled_departure_time_est: formatTime(flight.departs),
    scheduled_arrival_time_est: formatTime(flight.arrives),
    dates: new Map(Array.from(flight.days, ([date, day]) => [date, dayRecord(day)])),
  });
}

function dayRecord(day: FlightDay): PyValue {
  const { status } = day;
  switch (status) {
    case 'available':
      return record({ status, available_seats: byCabin(day.seats), prices: byCabin(day.prices) });
    case 'landed':
      return record({ status, actual_departure_time_est: day.departed, actual_arrival_time_est: day.arrived });
    case 'flying':
      return record({ status, actual_departure_time_est: day.departed, estimated_arrival_time_est: day.arrives });
    case 'on time':
    case 'delayed':
      return record({ status, estimated_departure_time_est: day.departs, estimated_arrival_time_est: day.arrives });
    case 'cancelled':
      return record({ status });
  }
}

function byCabin({ basic_economy, economy, business }: ByCabin): PyValue {
  return record({
    basic_economy: BigInt(basic_economy),
    economy: BigInt(economy),
    business: BigInt(business),
  });
}

function userRecord(customer: Customer): PyValue {
  return record({
    name: record({ first_name: customer.firstName, last_name: customer.lastName }),
    address: record({ ...customer.address }),
    email: customer.email,
    dob: customer.dob,
    payment_methods: new Map(customer.payments.map((payment) => [payment.id, paymentRecord(payment)])),
    saved_passengers: customer.saved.map(passengerRecord),
    membership: customer.membership,
    reservations: customer.reservations.map((booking) => booking.id),
  });
}

function paymentRecord(payment: PaymentMethod): PyValue {
  const { source, id } = payment;
  return payment.source === 'credit_card'
    ? record({ source, brand: payment.brand, last_four: payment.lastFour, id })
    : record({ source, amount: BigInt(payment.amount), id });
}

/** Returns a passenger in the form of tables and tool arguments. */
export function passengerRecord({ firstName, lastName, dob }: Passenger): PyDict {
  return record({ first_name: firstName, last_name: lastName, dob });
}

function reservationRecord(booking: Reservation): PyValue {
  return record({
    reservation_id: booking.id,
    user_id: booking.customer.id,
    origin: booking.origin,
    destination: booking.destination,
    flight_type: booking.type,
    cabin: booking.cabin,
    flights: booking.segments.map(({ flight, date, price }) =>
      record({
        origin: flight.origin,
        destination: flight.destination,
        flight_number: flight.number,
        date,
        price: BigInt(price),
      }),
    ),
    passengers: booking.passengers.map(passengerRecord),
    payment_history: [record({ payment_id: booking.payment.id, amount: BigInt(booking.paid) })],
    created_at: booking.createdAt,
    total_baggages: BigInt(booking.bags),
    nonfree_baggages: BigInt(booking.paidBags),
    insurance: booking.insured ? 'yes' : 'no',
  });
}

function record(fields: Readonly<Record<string, PyValue>>): PyDict {
  return new Map(Object.entries(fields));
}
