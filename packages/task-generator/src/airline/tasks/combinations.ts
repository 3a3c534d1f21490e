/** Families with two goals that belong together, or with a second choice. */

import { aboutReservation } from './subjects.ts';
import { statement } from '../../tasks/ground.ts';
import { bagsAfter, extraBags, nameTraveller, paidBagsAfter, replaced } from './passengers.ts';
import { book, creditCards, drawParty, drawWay, search, settlingMethods } from './booking.ts';
import { describeRefund } from './cancellations.ts';
import { nameBags, nameCause, nameDate, namePayment, nameReservation, nameSaved } from './words.ts';
import { cancelIs, isAhead, isBasic, isCancellable, isUnflown } from './facts.ts';
import {
  changePremises,
  extraCost,
  flightsAfter,
  isChangeable,
  movesToOtherDays,
  nameJourney,
  sameCabin,
  wayWords,
} from './journeys.ts';
import type { AirlineFamily } from './context.ts';
import { A_DAY_AGO, type Reservation } from '../model.ts';

export const COMBINATIONS = {
  /** Moves a trip to another day and adds bags. */
  changeAndBags: aboutReservation({
    find: (r, context) => (isChangeable(r) ? movesToOtherDays(context, r) : []),
    draw: ({ random, customer }) => {
      const more = random.int(1, 2);
      const payment = random.pick(creditCards(customer));
      return { more, payment };
    },
    plan: ({ reservation, customer, script, trip, found: move, drawn: { more, payment } }) => {
      const journey = nameJourney(move.wish, move.journey);
      const bags = nameBags(more, true);
      const pay = namePayment(customer, payment);
      search(script, move.wish);
      script.readReservation(reservation);
      script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
      script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
      const goal = statement`You want two changes to ${trip} and say so at once: ${wayWords(move)} should be on ${nameDate(move.wish.date)}, with ${journey} in the same cabin, all else as it is; and you take ${bags}. Everything goes through ${pay}.`;
      return { goal, premises: changePremises(reservation) };
    },
  }),

  /** Somebody else, who brings bags along. */
  replaceAndBags: aboutReservation({
    find: (r) => {
      if (!isUnflown(r)) return [];
      const substitutes = r.customer.saved.filter((p) =>
        r.passengers.every((other) => other.firstName !== p.firstName),
      );
      return r.passengers.flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
    },
    draw: ({ random }) => random.int(1, 3),
    plan: ({ random, reservation, customer, script, trip, found: { leaves, comes }, drawn: more }) => {
      const person = nameTraveller(trip, leaves);
      const substitute = nameSaved(customer, comes);
      const bags = nameBags(more, true);
      const cost = extraBags(reservation, more) * 50;
      const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
      script.changePassengers(trip, replaced(trip, person, substitute));
      script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
      const goal = statement`Instead of ${person} there will be ${substitute}, on ${trip}. When that is settled, you also ask for ${bags}, and name ${pay} as payment method for them.`;
      return { goal };
    },
  }),

  /** Cancels a trip and books another. */
  cancelAndBook: (context) => {
    const { random } = context;
    const found = context.fromReservation((r) => (isCancellable(r, 'plans') ? [r] : []));
    const way = drawWay(context, { stops: 0, passengers: 1 });
    if (found === undefined || way === undefined) return undefined;
    const [reservation] = found;
    const { customer } = reservation;
    const script = context.begin(customer);
    const trip = nameReservation(context, script, reservation);
    script.readReservation(reservation);
    script.cancel(trip);
    const sentences = book(script, {
      customer,
      out: way,
      party: drawParty(context, customer, 1),
      bags: nameBags(random.int(0, 1)),
      insured: random.chance(0.4),
      methods: [namePayment(customer, random.pick(creditCards(customer)))],
    });
    const goal = statement`First you want to cancel ${trip}, because ${nameCause(random, 'plans')}, and hear how much is paid back. When that is done, you come up with something new. ${sentences}`;
    const outputs = [describeRefund(reservation)];
    return { customer, script, goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
  },

  /** Cancels one of a customer's trips and moves another. */
  cancelAndChange: (context) => {
    const { random } = context;
    const found = context.fromReservation((r) =>
      isChangeable(r)
        ? movesToOtherDays(context, r).flatMap((move) =>
            r.customer.reservations
              .filter((other) => other !== r && isCancellable(other, 'plans'))
              .map((other) => ({ move, other })),
          )
        : [],
    );
    if (found === undefined) return undefined;
    const [reservation, { move, other }] = found;
    const { customer } = reservation;
    const script = context.begin(customer);
    const gone = nameReservation(context, script, other);
    const trip = nameReservation(context, script, reservation);
    const journey = nameJourney(move.wish, move.journey);
    const pay = namePayment(customer, random.pick(settlingMethods(customer, extraCost(move))));
    script.readReservation(other);
    script.cancel(gone);
    search(script, move.wish);
    script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
    const goal = statement`Your month looks different from what you had thought. You want ${gone} to be cancelled, because ${nameCause(random, 'plans')}. And of ${trip} you want ${wayWords(move)} on ${nameDate(move.wish.date)}, with ${journey}; the cabin and everything else about it stay, and the difference goes through ${pay}.`;
    const premises = [cancelIs('allowed', other, 'plans'), ...changePremises(reservation)];
    return { customer, script, goal, premises };
  },
} satisfies Record<string, AirlineFamily>;

export const FALLBACKS = {
  /** Basic economy cannot be changed, but the insurance pays. */
  changeBasicThenCancel: (context) => {
    const { random } = context;
    const cause = random.pick(['health', 'weather'] as const);
    return aboutReservation({
      find: (r, context) =>
        r.cabin === 'basic_economy' && r.insured && isAhead(r) && isCancellable(r, cause)
          ? movesToOtherDays(context, r)
          : [],
      plan: ({ random, reservation, script, trip, found: { wish } }) => {
        script.cancel(trip);
        const goal = statement`You would like to fly on ${nameDate(wish.date)} instead on ${trip}, because ${nameCause(random, cause)}. Another cabin is out of the question. If the flights cannot be changed, you want the whole trip cancelled for that reason and the money back.`;
        const premises = [isBasic(true, reservation), cancelIs('allowed', reservation, cause)];
        return { goal, premises };
      },
    })(context);
  },

  /** A passenger cannot be removed, so another one takes the seat. */
  removeThenReplace: aboutReservation({
    find: (r) => {
      if (!isUnflown(r) || r.passengers.length < 2) return [];
      const substitutes = r.customer.saved.filter((p) =>
        r.passengers.every((other) => other.firstName !== p.firstName),
      );
      return r.passengers.slice(1).flatMap((leaves) => substitutes.map((comes) => ({ leaves, comes })));
    },
    plan: ({ customer, script, trip, found: { leaves, comes } }) => {
      const person = nameTraveller(trip, leaves);
      const substitute = nameSaved(customer, comes);
      script.changePassengers(trip, replaced(trip, person, substitute));
      const goal = statement`${person} drops out of ${trip}. Your first wish is to travel with one passenger less and to get that share of the money back. If that is not possible, you want ${substitute}, to travel in that place.`;
      return { goal };
    },
  }),

  /** The trip cannot be cancelled, so the customer keeps it and adds bags. */
  cancelThenBags: aboutReservation({
    find: (r) => (isForbidden(r) ? [1, 2].filter((more) => extraBags(r, more) >= 0) : []),
    plan: ({ random, reservation, customer, script, trip, found: more }) => {
      const bags = nameBags(more, true);
      const pay = namePayment(customer, random.pick(settlingMethods(customer, extraBags(reservation, more) * 50)));
      script.changeBags(trip, bagsAfter(trip, bags), paidBagsAfter(trip, bags), pay);
      const goal = statement`You ask whether ${trip} can be cancelled, because ${nameCause(random, 'plans')}. If not, you will go after all, and then you want to take ${bags}; if something has to be paid for that, and when you are asked for a payment method, you name ${pay}.`;
      return { goal, premises: [cancelIs('forbidden', reservation, 'plans')] };
    },
  }),
} satisfies Record<string, AirlineFamily>;

function isForbidden(reservation: Reservation): boolean {
  const { insured, cabin, createdAt } = reservation;
  return isAhead(reservation) && !insured && cabin !== 'business' && createdAt <= A_DAY_AGO;
}
