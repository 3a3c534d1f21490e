/** Families about passengers and checked bags. */

import { aboutReservation } from './subjects.ts';
import type { PyDict } from '../../../../../src/benchmarks/python/index.ts';
import { dicts, named, number, ruled, statement, text, type Ground, type NamedGround } from '../../tasks/ground.ts';
import { firstNames, lastNames } from '../../people.ts';
import { BAG_PRICE, freeBags, type Cabin, type Passenger, type Reservation } from '../model.ts';
import { makePassenger, passengerRecord } from '../records.ts';
import { getBooking, comparesAs, countFreeBags, isUnflown, meant, partySize } from './facts.ts';
import type { AirlineFamily } from './context.ts';
import { nameBags, namePayment, nameSaved, nameSelf, nameStranger } from './words.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { settlingMethods } from './booking.ts';

export const PASSENGER_CHANGES = {
  /** A last name was written wrong. */
  correctName: aboutReservation({
    find: (r) => (isUnflown(r) ? r.passengers.filter((p) => p.firstName !== r.customer.firstName) : []),
    draw: ({ random, found: wrong }) => random.pick(lastNames.filter((name) => name !== wrong.lastName)),
    plan: ({ script, trip, found: wrong, drawn: lastName }) => {
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
      const goal = statement`On ${trip} one passenger has got a new name: ${person} is now called ${right}. The date of birth is the same, and everybody else stays as they are.`;
      return { goal };
    },
  }),

  /** Replaces a traveller by the customer or a person of the profile. */
  swapTraveller: aboutReservation({
    find: (r) => {
      if (!isUnflown(r)) return [];
      const absent = (p: Passenger): boolean => !r.passengers.some((other) => other.firstName === p.firstName);
      const substitutes = [...r.customer.saved.filter(absent), ...(absent(r.customer) ? [r.customer] : [])];
      return r.passengers.flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
    },
    plan: ({ random, customer, script, trip, found: { leaves, comes } }) => {
      const person = nameTraveller(trip, leaves);
      const substitute = comes === customer ? nameSelf(customer, 'you yourself') : nameSaved(customer, comes);
      script.changePassengers(trip, replaced(trip, person, substitute));
      const goal = random.pick([
        statement`${person} cannot come along on ${trip}. In that place should travel ${substitute}. The agent can find the date of birth in your profile; you do not like to spell it out.`,
        statement`There is a change of travellers on ${trip}: instead of ${person} it is to be ${substitute}. The date of birth is in your profile.`,
      ]);
      return { goal };
    },
  }),

  /** Somebody new, described in full. */
  swapForStranger: aboutReservation({
    find: (r) => (isUnflown(r) ? r.passengers : []),
    draw: ({ random, reservation }) => {
      const name = [random.pick(firstNames), random.pick(lastNames)] as const;
      if (reservation.passengers.some((other) => other.firstName === name[0])) return undefined;
      return { name };
    },
    plan: ({ random, script, trip, found: leaves, drawn: { name } }) => {
      const person = nameTraveller(trip, leaves);
      const substitute = nameStranger(makePassenger(random, name));
      script.changePassengers(trip, replaced(trip, person, substitute));
      const goal = statement`On ${trip} you want to replace ${person}. The seat goes to ${substitute}, and nothing else changes.`;
      return { goal };
    },
  }),
} satisfies Record<string, AirlineFamily>;

/** Somebody on a reservation, by name. */
export function nameTraveller(trip: NamedGround<Reservation>, passenger: Passenger): NamedGround<Passenger> {
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
export function replaced(trip: NamedGround<Reservation>, leaves: NamedGround<Passenger>, comes: Ground): Ground {
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

function nameLastName(lastName: string, { firstName }: Passenger): NamedGround<string> {
  const words = `${firstName} ${lastName}`;
  return named({
    text: words,
    value: lastName,
    argument: lastName,
    candidates: () => [words.slice(firstName.length + 1)],
  });
}

export const BAG_CHANGES = {
  /** Bags that cost something, and how much. */
  addPaidBags: aboutReservation({
    find: (r) => (isUnflown(r) ? [1, 2, 3, 4].filter((more) => extraBags(r, more) > 0) : []),
    draw: ({ reservation, found: more }) => extraBags(reservation, more) * BAG_PRICE,
    plan: ({ random, reservation, customer, script, trip, found: more, drawn: cost }) => {
      const bags = nameBags(more, true);
      const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
      script.calculate(`${String(extraBags(reservation, more))} * ${String(BAG_PRICE)}`);
      script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
      const goal = statement`You want to take ${bags} on ${trip}. What has to be paid for them goes on ${pay}; you ask how much it is.`;
      const answers = (store: Store) => [String(extraCost(store, reservation, more))];
      return { goal, outputs: [{ text: String(cost), answers }] };
    },
  }),

  /** Bags that the membership covers. */
  addFreeBags: aboutReservation({
    find: (r) => (isUnflown(r) ? [1, 2, 3].filter((more) => extraBags(r, more) === 0) : []),
    plan: ({ random, customer, script, trip, found: more }) => {
      const bags = nameBags(more, true);
      const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
      script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
      const goal = statement`You want to take ${bags} on ${trip}. You believe that this costs you nothing, but if anything has to be paid, take ${pay}; that is also what you name when you are asked for a payment method.`;
      return { goal };
    },
  }),

  /** Bags as long as they cost nothing. */
  addBagsIfFree: (context) => {
    const { random } = context;
    const free = random.chance(0.5);
    return aboutReservation({
      find: (r) => (isUnflown(r) ? [1, 2, 3].filter((more) => (extraBags(r, more) === 0) === free) : []),
      plan: ({ random, reservation, customer, script, trip, found: more }) => {
        const bags = nameBags(more, true);
        const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
        if (free) script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
        const goal = statement`You would like to take ${bags} on ${trip}, but only if they cost you nothing at all. In that case you name ${pay} when you are asked for a payment method. If they cost anything, you leave everything as it is.`;
        const bound = comparesAs(free ? 'at most' : 'more than', 0, (store) => extraCost(store, reservation, more));
        return { goal, premises: [bound], ending: free ? 'served' : 'declined' };
      },
    })(context);
  },
} satisfies Record<string, AirlineFamily>;

/** The number of bags after the addition. */
export function bagsAfter(trip: NamedGround<Reservation>, more: NamedGround<number>): Ground {
  return ruled([trip, more], BigInt(trip.value.bags + more.value), (store) =>
    meant(store, trip).flatMap((booking) =>
      more.candidates(store).map((count) => BigInt(number(booking, 'total_baggages') + Number(count))),
    ),
  );
}

/** The number of these that are not free. */
export function paidBagsAfter(trip: NamedGround<Reservation>, more: NamedGround<number>): Ground {
  const after = paidBags(trip.value, trip.value.bags + more.value);
  return ruled([trip, more], BigInt(after), (store) =>
    meant(store, trip).flatMap((booking) =>
      more.candidates(store).map((count) => BigInt(paidBagsIn(store, booking, Number(count)))),
    ),
  );
}

/** The number of additional bags that cost money. */
export function extraBags(reservation: Reservation, more: number): number {
  return paidBags(reservation, reservation.bags + more) - reservation.paidBags;
}

/** The cost of additional bags, from the tables. */
function extraCost(store: Store, { id }: Reservation, more: number): number {
  const booking = getBooking(store, id);
  return (paidBagsIn(store, booking, more) - number(booking, 'nonfree_baggages')) * BAG_PRICE;
}

function paidBags({ customer, cabin, passengers }: Reservation, bags: number): number {
  return Math.max(0, bags - freeBags(customer.membership, cabin, passengers.length));
}

function paidBagsIn(store: Store, booking: PyDict, more: number): number {
  const cabin = text(booking, 'cabin') as Cabin;
  const free = countFreeBags(store, text(booking, 'user_id'), cabin, partySize(booking));
  return Math.max(0, number(booking, 'total_baggages') + more - free);
}
