/** Names reservations, people, dates, causes and payments in an airline instruction, each with its search in the tables. */

import { isList, type PyDict, type PyValue } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import {
  dict,
  dicts,
  extremes,
  combineGrounds,
  named,
  number,
  text,
  type Ground,
  type NamedGround,
} from '../../tasks/ground.ts';
import { placeName, placesNamed } from '../network.ts';
import {
  DAYS,
  formatDate,
  parseDay,
  spellDate,
  type Cabin,
  type Cause,
  type Customer,
  type Passenger,
  type PaymentMethod,
  type Reservation,
} from '../model.ts';
import { passengerRecord } from '../records.ts';
import { getBooking, listBookings, paidFor, listPayments, getUser } from './facts.ts';
import type { AirlineScript, AirlineContext } from './context.ts';
import type { Random } from '../../random.ts';

/** Names a reservation and looks it up: by id, by a unique route, or by its price. */
export function nameReservation(
  context: AirlineContext,
  script: AirlineScript,
  reservation: Reservation,
): NamedGround<Reservation> {
  const { random, level } = context;
  if (level.comparison > 0 && random.chance(level.comparison)) {
    const compared = compareReservation(script, reservation);
    if (compared !== undefined) return compared;
  }
  if (!hasOwnRoute(reservation) || random.chance(level.byNumber)) {
    script.readReservation(reservation);
    return reservationWithId(reservation, `your reservation ${reservation.id}`);
  }
  script.findReservation(reservation);
  return reservationByRoute(
    reservation,
    random.pick([
      (from: string, to: string) => `your trip from ${from} to ${to} (you have no reservation number)`,
      (from: string, to: string) => `the trip from ${from} to ${to} that you have booked (the number escapes you)`,
    ]),
  );
}

function reservationWithId(reservation: Reservation, words: string): NamedGround<Reservation> {
  return reservationWhere(reservation, words, [reservation.id], (store) =>
    listBookings(store, reservation.customer.id).filter((other) => text(other, 'reservation_id') === reservation.id),
  );
}

function reservationByRoute(
  reservation: Reservation,
  words: (from: string, to: string) => string,
): NamedGround<Reservation> {
  const from = placeName(reservation.origin);
  const to = placeName(reservation.destination);
  return reservationWhere(reservation, words(from, to), [from, to], (store) =>
    listBookings(store, reservation.customer.id).filter(
      (other) =>
        placesNamed(from).includes(text(other, 'origin')) && placesNamed(to).includes(text(other, 'destination')),
    ),
  );
}

/** The reservation with the highest or lowest price; undefined if it is neither. */
function compareReservation(script: AirlineScript, reservation: Reservation): NamedGround<Reservation> | undefined {
  const { customer } = reservation;
  const costs = customer.reservations.map((other) => other.paid);
  const side = (['most', 'least'] as const).find(
    (which) => extremes(customer.reservations, (other) => other.paid, which).at(0) === reservation,
  );
  if (side === undefined || costs.length < 2) return undefined;
  script.readReservations(customer);
  return reservationWhere(
    reservation,
    `the one of all your reservations that has cost you ${side} (you have no numbers at hand)`,
    [side],
    (store) => extremes(listBookings(store, customer.id), paidFor, side),
  );
}

/** A reservation found by a search. */
function reservationWhere(
  reservation: Reservation,
  words: string,
  says: readonly string[],
  search: (store: Store) => readonly PyDict[],
): NamedGround<Reservation> {
  return named({
    text: words,
    value: reservation,
    argument: reservation.id,
    says,
    candidates: (store) => search(store).map((found) => text(found, 'reservation_id')),
  });
}

/** All reservations of a customer with a property. */
export function allReservations(
  customer: Customer,
  reservations: readonly Reservation[],
  words: string,
  test: (booking: PyDict, store: Store) => boolean,
): NamedGround<readonly Reservation[]> {
  return named({
    text: words,
    value: reservations,
    argument: reservations.map((reservation) => reservation.id),
    candidates: (store) => [
      listBookings(store, customer.id)
        .filter((booking) => test(booking, store))
        .map((booking) => text(booking, 'reservation_id')),
    ],
  });
}

function hasOwnRoute({ customer, origin, destination }: Reservation): boolean {
  return customer.reservations.filter((o) => o.origin === origin && o.destination === destination).length === 1;
}

/** The customer as a passenger: the profile has the name and the date of birth. */
export function nameSelf(customer: Customer, words: string): NamedGround<Passenger> {
  return named({
    text: words,
    value: customer,
    argument: passengerRecord(customer),
    candidates: (store) => {
      const user = getUser(store, customer.id);
      return [new Map([...dict(user, 'name'), ['dob', text(user, 'dob')]])];
    },
  });
}

/** Somebody whom the profile remembers, by first and last name. */
export function nameSaved(customer: Customer, passenger: Passenger): NamedGround<Passenger> {
  const { firstName, lastName } = passenger;
  return named({
    text: `${firstName} ${lastName}, whom your profile remembers`,
    value: passenger,
    argument: passengerRecord(passenger),
    says: [`${firstName} ${lastName}`],
    candidates: (store) =>
      dicts(getUser(store, customer.id), 'saved_passengers').filter(
        (other) => text(other, 'first_name') === firstName && text(other, 'last_name') === lastName,
      ),
  });
}

/** Somebody who is described in full. */
export function nameStranger(passenger: Passenger): NamedGround<Passenger> {
  const { firstName, lastName, dob } = passenger;
  const words = `${firstName} ${lastName}, born on ${dob}`;
  const candidates = () => {
    const [, first = '', last = '', born = ''] = /^(\S+) (.+), born on (\S+)$/.exec(words) ?? [];
    return [passengerRecord({ firstName: first, lastName: last, dob: born })];
  };
  return named({ text: words, value: passenger, argument: passengerRecord(passenger), candidates });
}

const CABIN_WORDS: Readonly<Record<Cabin, string>> = {
  basic_economy: 'basic economy',
  economy: 'economy',
  business: 'business class',
};

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

export function nameCabin(cabin: Cabin): NamedGround<Cabin> {
  const text = CABIN_WORDS[cabin];
  return named({ text, value: cabin, argument: cabin, candidates: () => cabinsIn(text) });
}

function cabinsIn(text: string): Cabin[] {
  if (text.includes('basic economy')) return ['basic_economy'];
  return [
    ...(text.includes('economy') ? (['economy'] as const) : []),
    ...(text.includes('business') ? (['business'] as const) : []),
  ];
}

/** A day of May 2024. */
export function nameDate(date: string): NamedGround<string> {
  const text = spellDate(date);
  return named({ text, value: date, argument: date, candidates: () => datesIn(text) });
}

/** All dates that a text names. */
function datesIn(text: string): string[] {
  return Array.from(text.matchAll(/May (\d+)/g), ([, day]) => Number(day))
    .filter((day) => DAYS.includes(day))
    .map(formatDate);
}

/** An airport by its city, with the code where cities have more than one. */
export function namePlace(code: string): NamedGround<string> {
  const text = placeName(code);
  return named({ text, value: code, argument: code, candidates: () => placesNamed(text) });
}

export function nameTripType(type: 'one_way' | 'round_trip'): NamedGround<string> {
  const text = type === 'one_way' ? 'one way' : 'a round trip';
  const candidates = () => [
    ...(text.includes('one way') ? ['one_way'] : []),
    ...(text.includes('round trip') ? ['round_trip'] : []),
  ];
  return named({ text, value: type, argument: type, candidates });
}

export function nameInsurance(wanted: boolean): NamedGround<boolean> {
  const text = wanted ? 'you want travel insurance' : 'you want no travel insurance';
  const argument = wanted ? 'yes' : 'no';
  return named({ text, value: wanted, argument, candidates: () => [text.includes(' no ') ? 'no' : 'yes'] });
}

/** `two bags`, `no bags`: how many are checked. */
export function nameBags(count: number, more = false): NamedGround<number> {
  const text = `${NUMBER_WORDS[count] ?? String(count)} ${more ? 'more ' : ''}checked bag${count === 1 ? '' : 's'}`;
  return named({ text, value: count, argument: BigInt(count), candidates: () => numbersIn(text).map(BigInt) });
}

function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(/[a-z]+/g), ([word]) => NUMBER_WORDS.indexOf(word)).filter((value) => value >= 0);
}

/** The day after, or so many days after. */
export function laterDate(date: string, days: number): string {
  return formatDate(parseDay(date) + days);
}

const WORDS: Readonly<Record<Exclude<Cause, 'airline'>, readonly string[]>> = {
  plans: [
    'your plans have changed',
    'you would rather stay at home',
    'the meeting that you wanted to go to has been put off',
  ],
  health: ['you have fallen ill', 'you have broken your ankle and your doctor has told you not to fly'],
  weather: [
    'a heavy storm is forecast for where you are going',
    'the weather reports warn of floods at your destination',
  ],
};

/** A clause that can follow "because". */
export function nameCause(random: Random, cause: Exclude<Cause, 'airline'>): string {
  return random.pick(WORDS[cause]);
}

type PrepaidMethod = Extract<PaymentMethod, { amount: number }>;

/** Names a payment method unambiguously among the customer's. */
export function namePayment(customer: Customer, payment: PaymentMethod): NamedGround<PaymentMethod> {
  return payment.source === 'credit_card' ? nameCard(customer, payment) : nameBalanced(customer, payment);
}

function nameCard(
  customer: Customer,
  card: Extract<PaymentMethod, { source: 'credit_card' }>,
): NamedGround<PaymentMethod> {
  const alone = customer.payments.filter((other) => other.source === 'credit_card').length === 1;
  const { brand, lastFour } = card;
  return named({
    text: alone ? 'your credit card' : `your ${brand} card that ends in ${lastFour}`,
    value: card,
    argument: card.id,
    says: alone ? [] : [brand, lastFour],
    candidates: (store) =>
      listPayments(store, customer.id)
        .filter((found) => text(found, 'source') === 'credit_card' && (alone || text(found, 'last_four') === lastFour))
        .map((found) => text(found, 'id')),
  });
}

/** Names gift cards by balance and certificates by value if there are several. */
function nameBalanced(customer: Customer, method: PrepaidMethod): NamedGround<PaymentMethod> {
  const alike = customer.payments.filter((other): other is PrepaidMethod => other.source === method.source);
  const noun = method.source === 'gift_card' ? 'gift card' : 'certificate';
  const top = Math.max(...alike.map((other) => other.amount));
  const which = method.amount === top ? 'most' : 'least';
  const size = which === 'most' ? 'larger' : 'smaller';
  return named({
    text: alike.length === 1 ? `your ${noun}` : `the ${size} of your two ${noun}s`,
    value: method,
    argument: method.id,
    says: alike.length === 1 ? [noun] : [noun, size],
    candidates: (store) => {
      const found = listPayments(store, customer.id).filter((other) => text(other, 'source') === method.source);
      if (alike.length > 1 && found.length !== 2) return [];
      const meant = alike.length === 1 ? found : extremes(found, (other) => number(other, 'amount'), which);
      return meant.map((other) => text(other, 'id'));
    },
  });
}

/** The payment method that a reservation was paid with. */
export function originalPayment(reservation: Reservation, words: string): NamedGround<PaymentMethod> {
  return named({
    text: words,
    value: reservation.payment,
    argument: reservation.payment.id,
    candidates: (store) => {
      const history = getBooking(store, reservation.id).get('payment_history') ?? null;
      const [first] = isList(history) ? history : [];
      return first instanceof Map ? [(first as ReadonlyMap<string, PyValue>).get('payment_id') ?? null] : [];
    },
  });
}

/** Splits a total among methods: each is used up before the next one, and a credit card pays the rest. */
export function splitTotal(customer: Customer, methods: readonly NamedGround<PaymentMethod>[], total: Totals): Ground {
  const ids = combineGrounds(methods);
  const amounts = split(
    methods.map(({ value }) => ({ id: value.id, worth: value.source === 'credit_card' ? Infinity : value.amount })),
    total.value,
  );
  return {
    texts: [...ids.texts, ...total.texts],
    says: [...ids.says, ...total.says],
    argument: charges(amounts),
    candidates: (store) =>
      ids
        .candidates(store)
        .flatMap((list) =>
          total.amounts(store).map((amount) => charges(split(listWorths(store, customer, list), amount))),
        ),
  };
}

/** A sum that other grounds determine. */
export interface Totals {
  readonly value: number;
  readonly texts: readonly string[];
  readonly says: readonly string[];
  readonly amounts: (store: Store) => readonly number[];
}

export interface Charge {
  readonly id: string;
  readonly amount: number;
}

/** Omits methods that pay nothing; charges nobody with an amount that no method covers. */
export function split(methods: readonly { readonly id: string; readonly worth: number }[], total: number): Charge[] {
  let left = total;
  return methods.flatMap(({ id, worth }) => {
    const amount = Math.min(worth, left);
    left -= amount;
    return amount > 0 ? [{ id, amount }] : [];
  });
}

function listWorths(store: Store, customer: Customer, ids: PyValue): { id: string; worth: number }[] {
  const payments = listPayments(store, customer.id);
  return (isList(ids) ? ids : []).flatMap((id) => {
    const method = payments.find((payment) => text(payment, 'id') === id);
    if (method === undefined || typeof id !== 'string') return [];
    return [{ id, worth: text(method, 'source') === 'credit_card' ? Infinity : number(method, 'amount') }];
  });
}

function charges(amounts: readonly Charge[]): PyValue {
  return amounts.map(
    ({ id, amount }) =>
      new Map<string, PyValue>([
        ['payment_id', id],
        ['amount', BigInt(amount)],
      ]),
  );
}
