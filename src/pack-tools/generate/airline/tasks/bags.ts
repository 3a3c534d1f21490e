/** Tasks in which checked bags are added. */

import type { PyDict } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { ruled, type Ground, type Named } from '../../tasks/ground.ts';
import { number, text } from '../../tasks/read.ts';
import { tell } from '../../tasks/told.ts';
import type { Cabin, Reservation } from '../model.ts';
import { BAG_PRICE, freeBags } from '../rules.ts';
import { settlingMethods } from './draw.ts';
import { bookingOf, freeBagsOf, meant, partySize } from './facts.ts';
import { isUnflown } from './find.ts';
import { nameBags } from './literals.ts';
import { namePayment } from './payments.ts';
import { comparesAs } from './premises.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation } from './words.ts';

/** Bags that cost something, and how much. */
export const addPaidBags: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isUnflown(r) ? [1, 2, 3, 4].filter((more) => extraBags(r, more) > 0) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, more] = found;
  const { customer } = reservation;
  const cost = extraBags(reservation, more) * BAG_PRICE;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const bags = nameBags(more, true);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
  script.calculate(`${String(extraBags(reservation, more))} * ${String(BAG_PRICE)}`);
  script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`You want to take ${bags} on ${trip}. What has to be paid for them goes on ${pay}; you ask how much it is.`;
  const answers = (store: Store) => [String(extraCost(store, reservation, more))];
  return { customer, script, goal, outputs: [{ text: String(cost), answers }] };
};

/** Bags that the membership covers. */
export const addFreeBags: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isUnflown(r) ? [1, 2, 3].filter((more) => extraBags(r, more) === 0) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, more] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const bags = nameBags(more, true);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
  script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`You want to take ${bags} on ${trip}. You believe that this costs you nothing, but if anything has to be paid, take ${pay}; that is also what you name when you are asked for a payment method.`;
  return { customer, script, goal };
};

/** Only as long as they cost nothing. */
export const addBagsIfFree: AirlineFamily = (stage) => {
  const { random } = stage;
  const free = random.chance(0.5);
  const found = stage.fromReservation((r) =>
    isUnflown(r) ? [1, 2, 3].filter((more) => (extraBags(r, more) === 0) === free) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, more] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const bags = nameBags(more, true);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
  if (free) script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`You would like to take ${bags} on ${trip}, but only if they cost you nothing at all. In that case you name ${pay} when you are asked for a payment method. If they cost anything, you leave everything as it is.`;
  const bound = comparesAs(free ? 'at most' : 'more than', 0, (store) => extraCost(store, reservation, more));
  return { customer, script, goal, premises: [bound], ending: free ? 'served' : 'declined' };
};

/** How many bags there are with those that come on top. */
export function bagsAfter(trip: Named<Reservation>, more: Named<number>): Ground {
  return ruled([trip, more], BigInt(trip.value.bags + more.value), (store) =>
    meant(store, trip).flatMap((booking) =>
      more.candidates(store).map((count) => BigInt(number(booking, 'total_baggages') + Number(count))),
    ),
  );
}

/** How many of them are beyond the free ones. */
export function paidBagsAfter(trip: Named<Reservation>, more: Named<number>): Ground {
  const after = paidBags(trip.value, trip.value.bags + more.value);
  return ruled([trip, more], BigInt(after), (store) =>
    meant(store, trip).flatMap((booking) =>
      more.candidates(store).map((count) => BigInt(paidBagsIn(store, booking, Number(count)))),
    ),
  );
}

/** How many more bags have to be paid for than before. */
export function extraBags(reservation: Reservation, more: number): number {
  return paidBags(reservation, reservation.bags + more) - reservation.paidBags;
}

/** What more bags cost, from the tables. */
export function extraCost(store: Store, { id }: Reservation, more: number): number {
  const booking = bookingOf(store, id);
  return (paidBagsIn(store, booking, more) - number(booking, 'nonfree_baggages')) * BAG_PRICE;
}

function paidBags({ customer, cabin, passengers }: Reservation, bags: number): number {
  return Math.max(0, bags - freeBags(customer.membership, cabin, passengers.length));
}

function paidBagsIn(store: Store, booking: PyDict, more: number): number {
  const cabin = text(booking, 'cabin') as Cabin;
  const free = freeBagsOf(store, text(booking, 'user_id'), cabin, partySize(booking));
  return Math.max(0, number(booking, 'total_baggages') + more - free);
}
