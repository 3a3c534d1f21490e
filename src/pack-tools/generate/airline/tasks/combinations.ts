/** Tasks with two wishes that belong together. */

import { tell } from '../../tasks/told.ts';
import { bagsAfter, extraBags, paidBagsAfter } from './bags.ts';
import { book } from './booking.ts';
import { refundOf } from './cancel.ts';
import { nameCause } from './causes.ts';
import { creditCards, drawParty, drawWay, settlingMethods } from './draw.ts';
import { isCancellable, isUnflown } from './find.ts';
import { nameJourney } from './journeys.ts';
import { nameBags, nameDate } from './literals.ts';
import {
  changePremises,
  extraCost,
  flightsAfter,
  isChangeable,
  movesToOtherDays,
  sameCabin,
  wayWords,
} from './moves.ts';
import { nameTraveller, replaced } from './passengers.ts';
import { namePayment } from './payments.ts';
import { cancelIs } from './premises.ts';
import { search } from './booking.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation, nameSaved } from './words.ts';

/** Another day, and more to carry. */
export const changeAndBags: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isChangeable(r) ? movesToOtherDays(stage, r) : []));
  if (found === undefined) return undefined;
  const [reservation, move] = found;
  const { customer } = reservation;
  const more = random.int(1, 2);
  const payment = random.pick(creditCards(customer));
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const bags = nameBags(more, true);
  const pay = namePayment(customer, payment);
  search(script, move.wish);
  script.readReservation(reservation);
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`You want two changes to ${trip} and say so at once: ${wayWords(move)} should be on ${nameDate(move.wish.date)}, with ${journey} in the same cabin, all else as it is; and you take ${bags}. Everything goes through ${pay}.`;
  return { customer, script, goal, premises: changePremises(reservation) };
};

/** Somebody else, who brings bags along. */
export const replaceAndBags: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => {
    if (!isUnflown(r)) return [];
    const substitutes = r.customer.saved.filter((p) => r.passengers.every((other) => other.firstName !== p.firstName));
    return r.passengers.flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
  });
  if (found === undefined) return undefined;
  const [reservation, { leaves, comes }] = found;
  const { customer } = reservation;
  const more = random.int(1, 3);
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const person = nameTraveller(trip, leaves);
  const substitute = nameSaved(customer, comes);
  const bags = nameBags(more, true);
  const cost = extraBags(reservation, more) * 50;
  const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
  script.changePassengers(trip, replaced(trip, person, substitute));
  script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`Instead of ${person} there will be ${substitute}, on ${trip}. When that is settled, you also ask for ${bags}, and name ${pay} as payment method for them.`;
  return { customer, script, goal };
};

/** The old trip goes, a new one comes. */
export const cancelAndBook: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isCancellable(r, 'plans') ? [r] : []));
  const way = drawWay(stage, { stops: 0, passengers: 1 });
  if (found === undefined || way === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.cancel(trip);
  const sentences = book(script, {
    customer,
    out: way,
    party: drawParty(stage, customer, 1),
    bags: nameBags(random.int(0, 1)),
    insured: random.chance(0.4),
    methods: [namePayment(customer, random.pick(creditCards(customer)))],
  });
  const goal = tell`First you want to cancel ${trip}, because ${nameCause(random, 'plans')}, and hear how much is paid back. When that is done, you come up with something new. ${sentences}`;
  const outputs = [refundOf(reservation)];
  return { customer, script, goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
};

/** Two trips of one customer: the one goes, the other moves. */
export const cancelAndChange: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isChangeable(r)
      ? movesToOtherDays(stage, r).flatMap((move) =>
          r.customer.reservations
            .filter((other) => other !== r && isCancellable(other, 'plans'))
            .map((other) => ({ move, other })),
        )
      : [],
  );
  if (found === undefined) return undefined;
  const [reservation, { move, other }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const gone = nameReservation(stage, script, other);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, extraCost(move))));
  script.readReservation(other);
  script.cancel(gone);
  search(script, move.wish);
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  const goal = tell`Your month looks different from what you had thought. You want ${gone} to be cancelled, because ${nameCause(random, 'plans')}. And of ${trip} you want ${wayWords(move)} on ${nameDate(move.wish.date)}, with ${journey}; the cabin and everything else about it stay, and the difference goes through ${pay}.`;
  const premises = [cancelIs('allowed', other, 'plans'), ...changePremises(reservation)];
  return { customer, script, goal, premises };
};
