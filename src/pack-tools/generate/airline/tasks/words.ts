/** How an airline instruction names reservations and people, each with how the tables are searched for it. */

import type { PyDict } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { named, type Named } from '../../tasks/ground.ts';
import { dict, dicts, extremes, text } from '../../tasks/read.ts';
import { placeName, placesNamed } from '../airports.ts';
import type { Customer, Passenger, Reservation } from '../model.ts';
import { passengerRecord } from '../tables.ts';
import { bookingsOf, paidFor, userOf } from './facts.ts';
import type { AirlineScript } from './script.ts';
import type { AirlineStage } from './stage.ts';

/** Names a reservation and looks it up: by its id, by its route where no other has it, or by what it cost. */
export function nameReservation(
  stage: AirlineStage,
  script: AirlineScript,
  reservation: Reservation,
): Named<Reservation> {
  const { random, level } = stage;
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

function reservationWithId(reservation: Reservation, words: string): Named<Reservation> {
  return reservationWhere(reservation, words, [reservation.id], (store) =>
    bookingsOf(store, reservation.customer.id).filter((other) => text(other, 'reservation_id') === reservation.id),
  );
}

function reservationByRoute(reservation: Reservation, words: (from: string, to: string) => string): Named<Reservation> {
  const from = placeName(reservation.origin);
  const to = placeName(reservation.destination);
  return reservationWhere(reservation, words(from, to), [from, to], (store) =>
    bookingsOf(store, reservation.customer.id).filter(
      (other) =>
        placesNamed(from).includes(text(other, 'origin')) && placesNamed(to).includes(text(other, 'destination')),
    ),
  );
}

/** The one that cost most or least; undefined when it is neither. */
function compareReservation(script: AirlineScript, reservation: Reservation): Named<Reservation> | undefined {
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
    (store) => extremes(bookingsOf(store, customer.id), paidFor, side),
  );
}

/** A reservation by whatever the search finds. */
function reservationWhere(
  reservation: Reservation,
  words: string,
  says: readonly string[],
  search: (store: Store) => readonly PyDict[],
): Named<Reservation> {
  return named({
    text: words,
    value: reservation,
    argument: reservation.id,
    says,
    candidates: (store) => search(store).map((found) => text(found, 'reservation_id')),
  });
}

/** All reservations of a customer of which something is true. */
export function allReservations(
  customer: Customer,
  reservations: readonly Reservation[],
  words: string,
  test: (booking: PyDict, store: Store) => boolean,
): Named<readonly Reservation[]> {
  return named({
    text: words,
    value: reservations,
    argument: reservations.map((reservation) => reservation.id),
    candidates: (store) => [
      bookingsOf(store, customer.id)
        .filter((booking) => test(booking, store))
        .map((booking) => text(booking, 'reservation_id')),
    ],
  });
}

function hasOwnRoute({ customer, origin, destination }: Reservation): boolean {
  return customer.reservations.filter((o) => o.origin === origin && o.destination === destination).length === 1;
}

/** The customer as a passenger: the profile has the name and the date of birth. */
export function nameSelf(customer: Customer, words: string): Named<Passenger> {
  return named({
    text: words,
    value: customer,
    argument: passengerRecord(customer),
    candidates: (store) => {
      const user = userOf(store, customer.id);
      return [new Map([...dict(user, 'name'), ['dob', text(user, 'dob')]])];
    },
  });
}

/** Somebody whom the profile remembers, by first and last name. */
export function nameSaved(customer: Customer, passenger: Passenger): Named<Passenger> {
  const { firstName, lastName } = passenger;
  return named({
    text: `${firstName} ${lastName}, whom your profile remembers`,
    value: passenger,
    argument: passengerRecord(passenger),
    says: [`${firstName} ${lastName}`],
    candidates: (store) =>
      dicts(userOf(store, customer.id), 'saved_passengers').filter(
        (other) => text(other, 'first_name') === firstName && text(other, 'last_name') === lastName,
      ),
  });
}

/** Somebody who is told in full. */
export function nameStranger(passenger: Passenger): Named<Passenger> {
  const { firstName, lastName, dob } = passenger;
  const words = `${firstName} ${lastName}, born on ${dob}`;
  const candidates = () => {
    const [, first = '', last = '', born = ''] = /^(\S+) (.+), born on (\S+)$/.exec(words) ?? [];
    return [passengerRecord({ firstName: first, lastName: last, dob: born })];
  };
  return named({ text: words, value: passenger, argument: passengerRecord(passenger), candidates });
}
