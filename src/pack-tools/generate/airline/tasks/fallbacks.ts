/** Tasks in which the first wish is refused and a second one is allowed. */

import { tell } from '../../tasks/told.ts';
import { A_DAY_AGO } from '../clock.ts';
import type { Reservation } from '../model.ts';
import { nameCause } from './causes.ts';
import { isAhead, isCancellable, isUnflown } from './find.ts';
import { movesToOtherDays } from './moves.ts';
import { nameDate } from './literals.ts';
import { nameTraveller, replaced } from './passengers.ts';
import { cancelIs, isBasic } from './premises.ts';
import { settlingMethods } from './draw.ts';
import { bagsAfter, extraBags, paidBagsAfter } from './bags.ts';
import { nameBags } from './literals.ts';
import { namePayment } from './payments.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation, nameSaved } from './words.ts';

/** Basic economy cannot be changed, but the insurance pays. */
export const changeBasicThenCancel: AirlineFamily = (stage) => {
  const { random } = stage;
  const cause = random.pick(['health', 'weather'] as const);
  const found = stage.fromReservation((r) =>
    r.cabin === 'basic_economy' && r.insured && isAhead(r) && isCancellable(r, cause) ? movesToOtherDays(stage, r) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, { wish }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.cancel(trip);
  const goal = tell`You would like to fly on ${nameDate(wish.date)} instead on ${trip}, because ${nameCause(random, cause)}. Another cabin is out of the question. If the flights cannot be changed, you want the whole trip cancelled for that reason and the money back.`;
  const premises = [isBasic(true, reservation), cancelIs('allowed', reservation, cause)];
  return { customer, script, goal, premises };
};

/** Nobody can be left out, but somebody else can go. */
export const removeThenReplace: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => {
    if (!isUnflown(r) || r.passengers.length < 2) return [];
    const substitutes = r.customer.saved.filter((p) => r.passengers.every((other) => other.firstName !== p.firstName));
    return r.passengers.slice(1).flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
  });
  if (found === undefined) return undefined;
  const [reservation, { leaves, comes }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const person = nameTraveller(trip, leaves);
  const substitute = nameSaved(customer, comes);
  script.changePassengers(trip, replaced(trip, person, substitute));
  const goal = tell`${person} drops out of ${trip}. Your first wish is to travel with one passenger less and to get that share of the money back. If that is not possible, you want ${substitute}, to travel in that place.`;
  return { customer, script, goal };
};

/** It cannot be cancelled, so the customer goes, and takes more along. */
export const cancelThenBags: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isForbidden(r) ? [1, 2].filter((more) => extraBags(r, more) >= 0) : []));
  if (found === undefined) return undefined;
  const [reservation, more] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const bags = nameBags(more, true);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, extraBags(reservation, more) * 50)));
  script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
  const goal = tell`You ask whether ${trip} can be cancelled, because ${nameCause(random, 'plans')}. If not, you will go after all, and then you want to take ${bags}; if something has to be paid for that, and when you are asked for a payment method, you name ${pay}.`;
  return { customer, script, goal, premises: [cancelIs('forbidden', reservation, 'plans')] };
};

function isForbidden(reservation: Reservation): boolean {
  const { insured, cabin, createdAt } = reservation;
  return isAhead(reservation) && !insured && cabin !== 'business' && createdAt <= A_DAY_AGO;
}
