/** Calls of the airline's tools that could be meant, on data that have the form of the reference's. */

import fc from 'fast-check';
import { isDict, PyFloat, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { field, items, text } from '../../benchmarks/helpers.ts';
import { call, entriesOf, idsOf, type Call, type CallsOf } from './calls.ts';

const CABINS = ['basic_economy', 'economy', 'business'] as const;
/** Any amount for a certificate; amounts are compared when somebody pays with it. */
const ODD_AMOUNT = fc.constantFrom<PyValue>('50', '7', '', [], [1n], [new PyFloat(1), 2n], [[]], new Map(), null, true);

/** Days that samples keep, two of them of one digit, because the day after the 9th is written as the reference does. */
const DAYS = ['08', '09', '10', '16', '17', '30'] as const;
const NEW_RESERVATIONS = ['HATHAT', 'HATHAU', 'HATHAV'] as const;

export const airlineCalls: CallsOf = {
  tables: ['flights', 'reservations', 'users'],
  /** A few users with their reservations, the flights of these and every tenth beside, on few of the days. */
  sample(tables, userIds) {
    const users = pick(tables, 'users', (id) => userIds.includes(id));
    const owned = Array.from(users.values()).flatMap((user) => items(field(user, 'reservations')).map(text));
    const reservations = pick(tables, 'reservations', (id) => owned.includes(id));
    const flown = Array.from(reservations.values()).flatMap((one) =>
      items(field(one, 'flights')).map((flight) => text(field(flight, 'flight_number'))),
    );
    const flights = pick(tables, 'flights', (id, at) => at % 10 === 0 || flown.includes(id));
    return new Map<string, PyValue>([
      ['flights', new Map(Array.from(flights, ([id, flight]) => [id, onFewDays(flight)] as const))],
      ['reservations', reservations],
      ['users', users],
    ]);
  },
  calls(tables) {
    const userId = fc.constantFrom(...idsOf(tables, 'users'));
    const perUser = userId.chain((id) =>
      fc.oneof(
        call('get_user_details', { user_id: fc.constant(id) }),
        call('send_certificate', {
          user_id: fc.constant(id),
          amount: fc.oneof(fc.constantFrom<PyValue>(100n, 50n, 300n, new PyFloat(50)), ODD_AMOUNT),
        }),
        { weight: 4, arbitrary: bookings(tables, id) },
      ),
    );
    const flights = entriesOf(tables, 'flights');
    const search = fc
      .record({
        name: fc.constantFrom('search_direct_flight', 'search_onestop_flight'),
        from: fc.constantFrom(...flights),
        to: fc.constantFrom(...flights),
        day: fc.constantFrom(...DAYS),
      })
      .chain(({ name, from, to, day }) =>
        call(name, {
          origin: fc.constant(field(from[1], 'origin')),
          destination: fc.constant(field(to[1], 'destination')),
          date: fc.constant(`2024-05-${day}`),
        }),
      );
    const others = fc.oneof(
      call('list_all_airports', {}),
      call('think', { thought: fc.constant('hm') }),
      call('transfer_to_human_agents', { summary: fc.constant('enough') }),
      search,
      overnight(tables),
    );
    return fc.oneof(
      { weight: 5, arbitrary: perReservation(tables) },
      { weight: 5, arbitrary: perUser },
      { weight: 2, arbitrary: others },
    );
  },
};

/** Searches that need the day after a date, which the reference works out from the last two characters of anything. */
function overnight(tables: PyDict): fc.Arbitrary<Call> {
  const flights = entriesOf(tables, 'flights').map(([, flight]) => flight);
  const late = flights.filter((flight) => text(field(flight, 'scheduled_arrival_time_est')).includes('+1'));
  const dates = fc.constantFrom<PyValue>(
    ...DAYS.map((day) => `2024-05-${day}`),
    ...['2024-05-9', '9', ' 9', '-9', '+9', '1_', '1_0', '٠٩', '𝟎𝟗', '\u001c9', '9\u2003', '😀9', ''],
    ...[['0', '9'], [], new Map<string, PyValue>(), 9n, new PyFloat(9), null, true],
  );
  return fc.constantFrom(...(late.length > 0 ? late : flights)).chain((first) => {
    const seconds = flights.filter((flight) => field(flight, 'origin') === field(first, 'destination'));
    return call('search_onestop_flight', {
      origin: fc.constant(field(first, 'origin')),
      destination: fc.constantFrom(...[...seconds, first].map((flight) => field(flight, 'destination'))),
      date: dates,
    });
  });
}

/** Changes of reservations that exist, and of those that a sequence may have made. */
function perReservation(tables: PyDict): fc.Arbitrary<Call> {
  const reservations = entriesOf(tables, 'reservations');
  const made = NEW_RESERVATIONS.flatMap((id) => reservations.slice(0, 4).map(([, like]) => [id, like] as const));
  return fc.constantFrom(...reservations, ...made).chain(([id, reservation]) => {
    const owner = field(field(tables, 'users'), text(field(reservation, 'user_id')));
    const base = {
      reservation_id: fc.constant(id),
      payment_id: fc.constantFrom(...idsOf(owner, 'payment_methods'), 'credit_card_0'),
    };
    const bags = fc.constantFrom<PyValue>(0n, 1n, 2n, 3n, new PyFloat(2), new PyFloat(1.5), true);
    const kept = items(field(reservation, 'flights')).map(bare);
    return fc.oneof(
      call('get_reservation_details', { reservation_id: base.reservation_id }),
      call('cancel_reservation', { reservation_id: base.reservation_id }),
      call('update_reservation_baggages', { ...base, total_baggages: bags, nonfree_baggages: bags }),
      call('update_reservation_passengers', {
        reservation_id: base.reservation_id,
        passengers: fc.constantFrom(field(reservation, 'passengers'), [], [person('Ada')]),
      }),
      call('update_reservation_flights', {
        ...base,
        cabin: fc.constantFrom(...CABINS, field(reservation, 'cabin')),
        flights: fc.oneof(
          fc.constant(kept),
          legs(tables),
          legs(tables).map((more) => [...kept, ...more]),
        ),
      }),
    );
  });
}

/** Bookings, most of them paid with what they cost. */
function bookings(tables: PyDict, userId: string): fc.Arbitrary<Call> {
  const methods = entriesOf(field(field(tables, 'users'), userId), 'payment_methods');
  const drawn = fc.record({
    legs: legs(tables),
    cabin: fc.constantFrom(...CABINS),
    passengers: fc.integer({ min: 0, max: 3 }),
    insurance: fc.constantFrom('yes', 'no'),
    bags: fc.constantFrom(0, 0, 1, 2),
    first: fc.constantFrom(...(methods.length > 0 ? methods : [['none', null] as const])),
    second: fc.constantFrom(...(methods.length > 0 ? methods : [['none', null] as const])),
    spelling: fc.constantFrom('int', 'int', 'float'),
    off: fc.constantFrom(0, 0, 0, 0, 1),
    // Paid with a certificate that the sequence may have made.
    made: fc.option(fc.oneof(fc.constantFrom<PyValue>(100n, 50n), ODD_AMOUNT), { freq: 5, nil: undefined }),
  });
  return drawn.map(
    ({ legs: flights, cabin, passengers, insurance, bags, first, second, spelling, off, made }): Call => {
      const seats = flights.reduce((sum, leg) => sum + priceOf(tables, leg, cabin), 0);
      const total = seats * passengers + (insurance === 'yes' ? 30 * passengers : 0) + 50 * bags + off;
      const worth = isDict(first[1]) ? toNumber(first[1].get('amount')) : 0;
      const number = (x: number): PyValue => (spelling === 'int' && Number.isInteger(x) ? BigInt(x) : new PyFloat(x));
      const paid = (id: string, amount: PyValue): PyDict =>
        new Map<string, PyValue>([
          ['payment_id', id],
          ['amount', amount],
        ]);
      const rest = typeof made === 'bigint' ? total - Number(made) : total;
      const payments = [
        ...(made === undefined ? [] : [paid('certificate_3221322', made)]),
        ...(worth > 0 && worth < rest
          ? [paid(first[0], number(worth)), paid(second[0], number(rest - worth))]
          : [paid(first[0], number(rest))]),
      ];
      return {
        name: 'book_reservation',
        kwargs: new Map<string, PyValue>([
          ['user_id', userId],
          ['origin', 'SFO'],
          ['destination', 'JFK'],
          ['flight_type', 'one_way'],
          ['cabin', cabin],
          ['flights', flights],
          ['passengers', Array.from({ length: passengers }, (_, at) => person(`P${String(at)}`))],
          ['payment_methods', total === 0 && made === undefined ? [] : payments],
          ['total_baggages', BigInt(bags + 1)],
          ['nonfree_baggages', number(bags)],
          ['insurance', insurance],
        ]),
      };
    },
  );
}

/** One or two flights, nearly always on days on which there are seats. */
function legs(tables: PyDict): fc.Arbitrary<PyDict[]> {
  const leg = fc.constantFrom(...entriesOf(tables, 'flights')).chain(([number, flight]) => {
    const dates = entriesOf(flight, 'dates').filter(([, day]) => field(day, 'status') === 'available');
    return fc.constantFrom(...dates.map(([date]) => date), '2024-05-01', '2030-01-01').map(
      (date): PyDict =>
        new Map<string, PyValue>([
          ['flight_number', number],
          ['date', date],
        ]),
    );
  });
  return fc.oneof({ weight: 5, arbitrary: fc.array(leg, { minLength: 1, maxLength: 2 }) }, fc.constant<PyDict[]>([]));
}

function priceOf(tables: PyDict, leg: PyDict, cabin: string): number {
  const flight = field(field(tables, 'flights'), text(field(leg, 'flight_number')));
  const day = new Map(entriesOf(flight, 'dates')).get(text(field(leg, 'date')));
  const prices = isDict(day) ? day.get('prices') : undefined;
  return isDict(prices) ? toNumber(prices.get(cabin)) : 0;
}

function toNumber(value: PyValue | undefined): number {
  return value instanceof PyFloat ? value.value : typeof value === 'bigint' ? Number(value) : 0;
}

/** A flight of a reservation as an agent names it. */
function bare(flight: PyValue): PyDict {
  return new Map(['flight_number', 'date'].map((name) => [name, field(flight, name)]));
}

function person(name: string): PyDict {
  return new Map(['first_name', 'last_name', 'dob'].map((key) => [key, name]));
}

function onFewDays(flight: PyValue): PyValue {
  if (!isDict(flight)) return flight;
  const dates = entriesOf(flight, 'dates').filter(([date]) => DAYS.some((day) => date.endsWith(`-${day}`)));
  return new Map(flight).set('dates', new Map(dates));
}

function pick(tables: PyDict, table: string, keep: (id: string, at: number) => boolean): PyDict {
  return new Map(entriesOf(tables, table).filter(([id], at) => keep(id, at)));
}
