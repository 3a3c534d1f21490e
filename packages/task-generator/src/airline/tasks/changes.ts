/** Families about trips that change their flights or their cabin. */

import { aboutCustomer, aboutReservation } from './subjects.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { dicts, named, ruled, statement, text, type Ground, type NamedGround } from '../../tasks/ground.ts';
import { creditCards, search, settlingMethods } from './booking.ts';
import {
  changePremises,
  extraCost,
  extraCostIn,
  extraCostSum,
  flightsAfter,
  isChangeable,
  movesToOtherDays,
  movesWithinDays,
  nameJourney,
  sameCabin,
  wayWords,
} from './journeys.ts';
import { allReservations, nameCabin, nameDate, namePayment, originalPayment } from './words.ts';
import type { AirlineFamily, AirlineScript } from './context.ts';
import { CABINS, type Cabin, type PaymentMethod, type Reservation } from '../model.ts';
import { hasSeats, findOffer } from '../network.ts';
import {
  bookedFare,
  bookedFareIn,
  getBooking,
  comparesAs,
  covers,
  flightRef,
  flightRefs,
  isAhead,
  isOnSaleStill,
  meant,
  partySize,
  findSeatPrice,
  listFlightStatuses,
} from './facts.ts';

export const FLIGHT_CHANGES = {
  /** Moves a trip to another day. */
  changeDay: aboutReservation({
    find: (r, context) => (isChangeable(r) ? movesToOtherDays(context, r) : []),
    draw: ({ random, customer, found: move }) => random.pick(settlingMethods(customer, extraCost(move))),
    plan: ({ reservation, customer, script, trip, found: move, drawn: payment }) => {
      const journey = nameJourney(move.wish, move.journey);
      const pay = namePayment(customer, payment);
      search(script, move.wish);
      script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
      const goal = statement`You want to move ${wayWords(move)} of ${trip} to ${nameDate(move.wish.date)}: on that day you take ${journey}. The cabin stays as it is${reservation.type === 'round_trip' ? ', and so does the other way' : ''}. Any difference in price goes through ${pay}.`;
      return { goal, premises: changePremises(reservation) };
    },
  }),

  /** Moves a trip to another time of the same day; the user asks for the price. */
  changeTime: aboutReservation({
    find: (r, context) => (isChangeable(r) ? movesWithinDays(context, r).filter((move) => extraCost(move) !== 0) : []),
    draw: ({ random, customer, found: move }) => random.pick(settlingMethods(customer, extraCost(move))),
    plan: ({ reservation, customer, script, trip, found: move, drawn: payment }) => {
      const journey = nameJourney(move.wish, move.journey);
      const pay = namePayment(customer, payment);
      search(script, move.wish);
      script.calculate(extraCostSum(move));
      script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
      const goal = statement`You want to fly at another time on the same day: for ${wayWords(move)} of ${trip} you would rather take ${journey}. Cabin and dates stay as they are. You pay the difference with ${pay} or have it refunded there, and want to hear how much it is.`;
      const answers = (store: Store) => [String(Math.abs(extraCostIn(store, move)))];
      const outputs = [{ text: String(Math.abs(extraCost(move))), answers }];
      return { goal, outputs, premises: changePremises(reservation) };
    },
  }),

  /** Moves a trip to another day, paid with the trip's own method. */
  changeDayAsPaid: aboutReservation({
    find: (r, context) =>
      isChangeable(r)
        ? movesToOtherDays(context, r).filter((move) =>
            settlingMethods(r.customer, extraCost(move)).includes(r.payment),
          )
        : [],
    plan: ({ reservation, script, trip, found: move }) => {
      const journey = nameJourney(move.wish, move.journey);
      const pay = originalPayment(reservation, 'the payment method that the trip was paid with');
      search(script, move.wish);
      script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
      const goal = statement`Something has come up, and ${wayWords(move)} of ${trip} should be on ${nameDate(move.wish.date)} instead; you choose ${journey} and stay in your cabin. Nothing else changes. For the difference the airline should use ${pay}.`;
      return { goal, premises: changePremises(reservation) };
    },
  }),
} satisfies Record<string, AirlineFamily>;

export const CABIN_CHANGES = {
  /** Changes to a better cabin; the user asks for the price. */
  upgrade: aboutReservation({
    find: (r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) > 0),
    draw: ({ reservation, found: to }) => cabinCost(reservation, to),
    plan: ({ random, reservation, customer, script, trip, found: to, drawn: cost }) => {
      const cabin = nameCabin(to);
      const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
      work(script, reservation, to);
      script.changeFlights(trip, cabin, sameFlights(trip), pay);
      const goal = statement`You want to fly in ${cabin} on ${trip}, with all flights as they are. You pay the difference with ${pay}, and want to hear how much it is.`;
      return { goal, outputs: [costOutput(reservation, to)], premises: [isOnSaleStill(reservation)] };
    },
  }),

  /** Changes to a lower cabin; the user asks for the refund. */
  downgrade: aboutReservation({
    find: (r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) < 0),
    plan: ({ random, reservation, customer, script, trip, found: to }) => {
      const cabin = nameCabin(to);
      const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
      work(script, reservation, to);
      script.changeFlights(trip, cabin, sameFlights(trip), pay);
      const goal = statement`You have to save: ${trip} should be in ${cabin} from now on, on the same flights. What you save goes to ${pay}. You ask how much that is.`;
      return { goal, outputs: [costOutput(reservation, to)], premises: [isOnSaleStill(reservation)] };
    },
  }),

  /** Upgrades if the price is within the user's bound. */
  upgradeIfAffordable: aboutReservation({
    find: (r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) > 40),
    draw: ({ random, reservation, found: to }) => {
      const cost = cabinCost(reservation, to);
      const affordable = random.chance(0.5);
      const bound = (affordable ? Math.ceil(cost / 50) + random.int(0, 2) : Math.floor((cost - 1) / 50)) * 50;
      return { affordable, bound };
    },
    plan: ({ random, reservation, customer, script, trip, found: to, drawn: { affordable, bound } }) => {
      const cabin = nameCabin(to);
      const pay = namePayment(customer, random.pick(creditCards(customer)));
      work(script, reservation, to);
      if (affordable) script.changeFlights(trip, cabin, sameFlights(trip), pay);
      const goal = statement`You think of flying in ${cabin} on ${trip}, on the same flights, and ask what that would cost you on top, for everybody together. If it is ${String(bound)} dollars or less, you want it and pay with ${pay}. If it is more, everything stays as it is.`;
      const amount = (store: Store): number => cabinCostIn(store, reservation.id, to);
      const premises = [isOnSaleStill(reservation), comparesAs(affordable ? 'at most' : 'more than', bound, amount)];
      return { goal, outputs: [costOutput(reservation, to)], premises };
    },
  }),

  /** An upgrade that the gift card cannot pay. */
  upgradeGiftCardTooLow: aboutReservation({
    find: (r) =>
      cabinsFor(r).flatMap((cabin) =>
        r.customer.payments
          .filter((method) => method.source === 'gift_card' && method.amount < cabinCost(r, cabin))
          .map((card) => ({ cabin, card })),
      ),
    plan: ({ random, reservation, customer, script, trip, found: { cabin: to, card } }) => {
      const cabin = nameCabin(to);
      const second = namePayment(customer, random.pick(creditCards(customer)));
      work(script, reservation, to);
      script.think('The gift card does not hold the whole difference, so the second choice pays it.');
      script.changeFlights(trip, cabin, sameFlights(trip), second);
      const goal = statement`You want ${trip} to be in ${cabin}, flights unchanged. You would like to pay the difference with ${namePayment(customer, card)}; if it does not hold enough for all of it, you pay the whole difference with ${second}.`;
      const amount = (store: Store): number => cabinCostIn(store, reservation.id, to);
      const premises = [isOnSaleStill(reservation), covers(false, customer, card, amount)];
      return { goal, premises };
    },
  }),

  /** All trips in business class at once. */
  downgradeAll: aboutCustomer({
    find: (customer) => {
      const trips = customer.reservations.filter((r) => r.cabin === 'business' && isAhead(r));
      return trips.length >= 2 && trips.every((trip) => cabinsFor(trip).includes('economy')) ? [trips] : [];
    },
    plan: ({ random, customer, script, found: trips }) => {
      script.readReservations(customer);
      const all = allReservations(
        customer,
        trips,
        'every trip of yours in business class whose flights are all still on sale',
        (booking, store) =>
          text(booking, 'cabin') === 'business' &&
          listFlightStatuses(store, booking).every((status) => status === 'available'),
      );
      const cabin = nameCabin('economy');
      const pay: NamedGround<PaymentMethod> = namePayment(customer, random.pick(creditCards(customer)));
      for (const trip of trips) {
        work(script, trip, 'economy');
        script.changeFlights({ set: all, argument: trip.id }, cabin, sameFlights(nameTrip(all, trip)), pay);
      }
      const total = Math.abs(trips.reduce((sum, trip) => sum + cabinCost(trip, 'economy'), 0));
      const goal = statement`You want ${all} to be changed to ${cabin}, without any change of flights or passengers. The money goes to ${pay}. In the end you ask how much you have saved by all of this together.`;
      const answers = (store: Store) => [
        String(Math.abs(trips.reduce((sum, trip) => sum + cabinCostIn(store, trip.id, 'economy'), 0))),
      ];
      return { goal, outputs: [{ text: String(total), answers }], premises: trips.map(isOnSaleStill) };
    },
  }),
} satisfies Record<string, AirlineFamily>;

/** The trip's unchanged flights. */
function sameFlights(trip: NamedGround<Reservation>): Ground {
  const { segments } = trip.value;
  return ruled(
    [trip],
    segments.map(({ flight, date }) => flightRef(flight.number, date)),
    (store) => meant(store, trip).map(flightRefs),
  );
}

/** One of the trips that a description takes together. */
function nameTrip(all: NamedGround<readonly Reservation[]>, trip: Reservation): NamedGround<Reservation> {
  return named({ text: all.text, value: trip, argument: trip.id, candidates: () => [trip.id] });
}

/** Other cabins with a seat for everybody on every flight. */
function cabinsFor(reservation: Reservation): Cabin[] {
  const { segments, passengers, cabin } = reservation;
  if (!isAhead(reservation)) return [];
  return CABINS.filter(
    (other) =>
      other !== cabin && segments.every(({ flight, date }) => hasSeats([flight], date, other, passengers.length)),
  );
}

/** The additional cost of a cabin for all passengers; negative for a refund. */
function cabinCost(reservation: Reservation, cabin: Cabin): number {
  return (newFare(reservation, cabin) - bookedFare(reservation)) * reservation.passengers.length;
}

function newFare({ segments }: Reservation, cabin: Cabin): number {
  return segments.reduce((sum, { flight, date }) => sum + (findOffer(flight, date)?.prices[cabin] ?? 0), 0);
}

/** The same from the tables. */
function cabinCostIn(store: Store, id: string, cabin: Cabin): number {
  const booking = getBooking(store, id);
  const fare = dicts(booking, 'flights').reduce(
    (sum, flight) => sum + findSeatPrice(store, text(flight, 'flight_number'), text(flight, 'date'), cabin),
    0,
  );
  return (fare - bookedFareIn(booking)) * partySize(booking);
}

function costOutput(reservation: Reservation, cabin: Cabin) {
  return {
    text: String(Math.abs(cabinCost(reservation, cabin))),
    answers: (store: Store) => [String(Math.abs(cabinCostIn(store, reservation.id, cabin)))],
  };
}

/** Looks the fares up and works the difference out. */
function work(script: AirlineScript, reservation: Reservation, cabin: Cabin): void {
  script.searchSegments(reservation);
  const fares = `(${String(newFare(reservation, cabin))} - ${String(bookedFare(reservation))})`;
  script.calculate(`${fares} * ${String(reservation.passengers.length)}`);
}
