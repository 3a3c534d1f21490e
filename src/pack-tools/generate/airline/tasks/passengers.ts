/** Tasks in which the names of those who travel are changed. */

import type { PyDict } from '../../../../benchmark/python/index.ts';
import { named, ruled, type Ground, type Named } from '../../tasks/ground.ts';
import { dicts, text } from '../../tasks/read.ts';
import { tell } from '../../tasks/told.ts';
import { FIRST_NAMES, LAST_NAMES } from '../../names.ts';
import type { Passenger, Reservation } from '../model.ts';
import { makePassenger } from '../people.ts';
import { passengerRecord } from '../tables.ts';
import { meant } from './facts.ts';
import { isUnflown } from './find.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation, nameSaved, nameSelf, nameStranger } from './words.ts';

/** A last name was written wrong. */
export const correctName: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isUnflown(r) ? r.passengers.filter((p) => p.firstName !== r.customer.firstName) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, wrong] = found;
  const { customer } = reservation;
  const lastName = random.pick(LAST_NAMES.filter((name) => name !== wrong.lastName));
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const person = nameTraveller(trip, wrong);
  const right = nameLastName(lastName, wrong);
  script.changePassengers(
    trip,
    replaced(
      trip,
      person,
      ruled([person, right], passengerRecord({ ...wrong, lastName }), (store) =>
        person.candidates(store).map((old) => new Map(old as PyDict).set('last_name', lastName)),
      ),
    ),
  );
  const goal = tell`On ${trip} one passenger has got a new name: ${person} is now called ${right}. The date of birth is the same, and everybody else stays as they are.`;
  return { customer, script, goal };
};

/** Somebody whom the profile knows, or the customer, goes in the place of a traveller. */
export const swapTraveller: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => {
    if (!isUnflown(r)) return [];
    const absent = (p: Passenger): boolean => !r.passengers.some((other) => other.firstName === p.firstName);
    const substitutes = [...r.customer.saved.filter(absent), ...(absent(r.customer) ? [r.customer] : [])];
    return r.passengers.flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
  });
  if (found === undefined) return undefined;
  const [reservation, { leaves, comes }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const person = nameTraveller(trip, leaves);
  const substitute = comes === customer ? nameSelf(customer, 'you yourself') : nameSaved(customer, comes);
  script.changePassengers(trip, replaced(trip, person, substitute));
  const goal = random.pick([
    tell`${person} cannot come along on ${trip}. In that place should travel ${substitute}. The agent can find the date of birth in your profile; you do not like to spell it out.`,
    tell`There is a change of travellers on ${trip}: instead of ${person} it is to be ${substitute}. The date of birth is in your profile.`,
  ]);
  return { customer, script, goal };
};

/** Somebody new, told in full. */
export const swapForStranger: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isUnflown(r) ? r.passengers : []));
  if (found === undefined) return undefined;
  const [reservation, leaves] = found;
  const { customer } = reservation;
  const name = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)] as const;
  if (reservation.passengers.some((other) => other.firstName === name[0])) return undefined;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const person = nameTraveller(trip, leaves);
  const substitute = nameStranger(makePassenger(random, name));
  script.changePassengers(trip, replaced(trip, person, substitute));
  const goal = tell`On ${trip} you want to replace ${person}. The seat goes to ${substitute}, and nothing else changes.`;
  return { customer, script, goal };
};

/** Somebody on a reservation, by name. */
export function nameTraveller(trip: Named<Reservation>, passenger: Passenger): Named<Passenger> {
  const { firstName, lastName } = passenger;
  return named({
    text: `${firstName} ${lastName}`,
    value: passenger,
    argument: passengerRecord(passenger),
    candidates: (store) =>
      meant(store, trip)
        .flatMap((booking) => dicts(booking, 'passengers'))
        .filter((other) => text(other, 'first_name') === firstName && text(other, 'last_name') === lastName),
  });
}

/** The list of travellers with one of them replaced, in its order. */
export function replaced(trip: Named<Reservation>, leaves: Named<Passenger>, comes: Ground): Ground {
  const { firstName, lastName } = leaves.value;
  const swap = (list: readonly PyDict[], by: Ground['argument']) =>
    list.map((one) => (text(one, 'first_name') === firstName && text(one, 'last_name') === lastName ? by : one));
  const after = swap(trip.value.passengers.map(passengerRecord), comes.argument);
  return ruled([trip, leaves, comes], after, (store) =>
    meant(store, trip).flatMap((booking) =>
      leaves
        .candidates(store)
        .flatMap(() => comes.candidates(store).map((by) => swap(dicts(booking, 'passengers'), by))),
    ),
  );
}

function nameLastName(lastName: string, { firstName }: Passenger): Named<string> {
  const words = `${firstName} ${lastName}`;
  return named({
    text: words,
    value: lastName,
    argument: lastName,
    candidates: () => [words.slice(firstName.length + 1)],
  });
}
