/** Families about canceled trips and about compensation. */

import { aboutCustomer, aboutReservation } from './subjects.ts';
import { ruled, statement, text, type Ground, type NamedGround } from '../../tasks/ground.ts';
import {
  A_DAY_AGO,
  CANCELLED_COMPENSATION,
  DELAYED_COMPENSATION,
  isEligible,
  spellDate,
  type Reservation,
} from '../model.ts';
import { allReservations, laterDate, nameCause, nameDate, namePayment } from './words.ts';
import {
  getBooking,
  cancelIs,
  compensationIs,
  hasFlight,
  isBasic,
  isCancellable,
  isUnflown,
  meant,
  paidFor,
  partySize,
  segmentsWith,
  listFlightStatuses,
} from './facts.ts';
import type { AirlineFamily, AirlineContext } from './context.ts';
import { creditCards, search } from './booking.ts';
import { PREFERENCES, findJourney, flightsAfter, nameJourney, sameCabin, type Move, type Wish } from './journeys.ts';

const isRecent = (reservation: Reservation): boolean => reservation.createdAt > A_DAY_AGO;

export const CANCELLATIONS = {
  /** Booked within a day: any reason will do. */
  cancelRecent: aboutReservation({
    where: (r) => isRecent(r) && isUnflown(r) && r.cabin !== 'business',
    plan: ({ random, reservation, script, trip }) => {
      script.cancel(trip);
      const goal = statement`You want to cancel ${trip}, because ${nameCause(random, 'plans')}. If you are asked, you say that you booked it less than a day ago. You want to hear what you get back.`;
      const outputs = [describeRefund(reservation)];
      return { goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
    },
  }),

  /** Business class can always be cancelled. */
  cancelBusiness: aboutReservation({
    where: (r) => r.cabin === 'business' && isUnflown(r),
    plan: ({ random, reservation, script, trip }) => {
      script.cancel(trip);
      const goal = random.pick([
        statement`You want ${trip} to be cancelled, because ${nameCause(random, 'plans')}.`,
        statement`You no longer want to take ${trip}: ${nameCause(random, 'plans')}. The agent should cancel it.`,
      ]);
      return { goal, premises: [cancelIs('allowed', reservation, 'plans')] };
    },
  }),

  /** Insured, and for a reason that the insurance covers. */
  cancelInsured: (context) => {
    const { random } = context;
    const cause = random.pick(['health', 'weather'] as const);
    return aboutReservation({
      where: (r) => r.insured && r.cabin !== 'business' && !isRecent(r) && isCancellable(r, cause),
      plan: ({ random, reservation, script, trip }) => {
        script.cancel(trip);
        const goal = statement`You have to cancel ${trip}, because ${nameCause(random, cause)}. You are not sure whether you bought insurance; the agent can look that up. You want the money back the way you paid.`;
        return { goal, premises: [cancelIs('allowed', reservation, cause)] };
      },
    })(context);
  },

  /** A flight of the trip does not take place. */
  cancelAfterAirline: aboutReservation({
    find: (r) =>
      !isRecent(r) && r.cabin !== 'business' && isCancellable(r, 'airline') ? segmentsWith(r, 'cancelled') : [],
    plan: ({ reservation, script, trip, found: { flight, date } }) => {
      script.searchDirect(flight.origin, flight.destination, date);
      script.cancel(trip);
      const goal = statement`The airline has cancelled flight ${flight.number} on ${spellDate(date)}, which is part of ${trip}. You do not want another flight but the whole trip cancelled, and your money back. You ask for nothing on top.`;
      const premises = [cancelIs('allowed', reservation, 'airline'), hasFlight(reservation, 'cancelled')];
      return { goal, premises };
    },
  }),

  /** Cancels all trips of a cabin; the user asks for the total refund. */
  cancelAllBusiness: aboutCustomer({
    find: (customer) => {
      const trips = customer.reservations.filter((r) => r.cabin === 'business' && isUnflown(r));
      return trips.length >= 2 ? [trips] : [];
    },
    plan: ({ random, customer, script, found: trips }) => {
      script.readReservations(customer);
      const all = allReservations(
        customer,
        trips,
        'every trip of yours in business class of which nothing has been flown',
        (booking, store) =>
          text(booking, 'cabin') === 'business' &&
          !listFlightStatuses(store, booking).some((status) => status === 'landed' || status === 'flying'),
      );
      script.calculate(trips.map((trip) => trip.paid).join(' + '));
      for (const trip of trips) script.cancel({ set: all, argument: trip.id });
      const goal = statement`Money is short: you want ${all} to be cancelled, because ${nameCause(random, 'plans')}. You ask how much you get back for all of them together.`;
      const total = String(trips.reduce((sum, trip) => sum + trip.paid, 0));
      const premises = trips.map((trip) => cancelIs('allowed', trip, 'plans'));
      return { goal, outputs: [total], premises };
    },
  }),

  /** A part of a trip cannot be cancelled, so the user gives up all of it. */
  cancelHalfThenWhole: aboutReservation({
    where: (r) => r.type === 'round_trip' && isCancellable(r, 'plans'),
    plan: ({ random, reservation, script, trip }) => {
      script.cancel(trip);
      const goal = statement`You no longer need the way back of ${trip}, because ${nameCause(random, 'plans')}, and ask to cancel just that. If only the whole trip can be cancelled, then you want exactly that, and you ask how much is paid back.`;
      const outputs = [describeRefund(reservation)];
      return { goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
    },
  }),
} satisfies Record<string, AirlineFamily>;

/** The refund for a canceled trip: everything that was paid. */
export function describeRefund(reservation: Reservation) {
  return {
    text: String(reservation.paid),
    answers: (store: Parameters<typeof getBooking>[0]) => [String(paidFor(getBooking(store, reservation.id)))],
  };
}

export const COMPLAINTS = {
  /** A cancelled flight: a hundred dollars for each passenger. */
  complainOfCancelled: aboutReservation({
    find: (r) => (isEligible(r) ? segmentsWith(r, 'cancelled') : []),
    plan: ({ reservation, customer, script, trip, found: { flight, date } }) => {
      script.searchDirect(flight.origin, flight.destination, date);
      script.sendCertificate(customer, compensation(trip, CANCELLED_COMPENSATION));
      const goal = statement`You are cross because the airline has cancelled flight ${flight.number} on ${spellDate(date)}, which belongs to ${trip}. You demand to be compensated and take a certificate if that is what you are offered. The trip itself is not to be touched.`;
      const premises = [hasFlight(reservation, 'cancelled'), compensationIs(true, reservation)];
      return { goal, premises };
    },
  }),

  /** Cancels a trip because of a delayed flight. */
  complainAndCancel: aboutReservation({
    find: (r) => (isEligible(r) && isCancellable(r, 'plans') ? segmentsWith(r, 'delayed') : []),
    plan: ({ random, reservation, customer, script, trip, found: { flight, date } }) => {
      script.searchDirect(flight.origin, flight.destination, date);
      script.cancel(trip);
      script.sendCertificate(customer, compensation(trip, DELAYED_COMPENSATION));
      const goal = statement`Flight ${flight.number} today, ${spellDate(date)}, is delayed, and you had it on ${trip}. It is of no use to you any more: the whole trip is to be cancelled, as ${nameCause(random, 'plans')} anyway. And you insist on some compensation for the delay.`;
      const premises = [
        hasFlight(reservation, 'delayed'),
        compensationIs(true, reservation),
        cancelIs('allowed', reservation, 'plans'),
      ];
      return { goal, premises };
    },
  }),

  /** Moves a trip to another day because of a delayed flight. */
  complainAndChange: aboutReservation({
    find: (r, context) => (isEligible(r) ? movesFromDelayed(context, r) : []),
    draw: ({ reservation }) => {
      const [late] = segmentsWith(reservation, 'delayed');
      if (late === undefined) return undefined;
      return { late };
    },
    plan: ({ random, reservation, customer, script, trip, found: move, drawn: { late } }) => {
      const journey = nameJourney(move.wish, move.journey);
      const pay = namePayment(customer, random.pick(creditCards(customer)));
      script.readReservation(reservation);
      script.searchDirect(late.flight.origin, late.flight.destination, late.date);
      search(script, move.wish);
      script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
      script.sendCertificate(customer, compensation(trip, DELAYED_COMPENSATION));
      const goal = statement`You have had enough: flight ${late.flight.number} of today, ${spellDate(late.date)}, on ${trip} is delayed. You want to fly on ${nameDate(move.wish.date)} instead, with ${journey} in the same cabin, and leave the rest of the trip as it is; the difference goes through ${pay}. When that is done, you ask for compensation for the delay.`;
      const premises = [
        hasFlight(reservation, 'delayed'),
        compensationIs(true, reservation),
        isBasic(false, reservation),
      ];
      return { goal, premises };
    },
  }),

  /** A regular member without insurance, not in business: nothing is due. */
  complainInVain: (context) => {
    const { random } = context;
    const status = random.pick(['cancelled', 'delayed'] as const);
    return aboutReservation({
      find: (r) => (isEligible(r) ? [] : segmentsWith(r, status)),
      ending: 'declined',
      plan: ({ reservation, trip, found: { flight, date } }) => {
        const goal = statement`Flight ${flight.number} on ${spellDate(date)}, which is part of ${trip}, has been ${status}. You complain at length and demand a voucher for it. You do not want to change or cancel anything, and when the agent says no twice, you give up.`;
        const premises = [hasFlight(reservation, status), compensationIs(false, reservation)];
        return { goal, premises };
      },
    })(context);
  },

  /** A delay alone, without any change of the trip, is not compensated. */
  complainWithoutChange: aboutReservation({
    find: (r) => (isEligible(r) && isUnflown(r) ? segmentsWith(r, 'delayed') : []),
    ending: 'declined',
    plan: ({ reservation, trip, found: { flight, date } }) => ({
      goal: statement`You sit at the airport: flight ${flight.number} of today, ${spellDate(date)}, on ${trip} is delayed. You will wait for it and fly as booked, and want nothing changed or cancelled; but you ask for a certificate because of the delay. A no annoys you, and you leave it at that.`,
      premises: [hasFlight(reservation, 'delayed')],
    }),
  }),
} satisfies Record<string, AirlineFamily>;

/** Names so many dollars for each passenger of the reservation. */
function compensation(trip: NamedGround<Reservation>, each: number): Ground {
  return ruled([trip], BigInt(trip.value.passengers.length * each), (store) =>
    meant(store, trip).map((booking) => BigInt(partySize(booking) * each)),
  );
}

/** The way out, which is delayed, on one of the next days. */
function movesFromDelayed(context: AirlineContext, reservation: Reservation): Move[] {
  const { segments, outbound, passengers, cabin } = reservation;
  const [first, ...onward] = segments.slice(0, outbound);
  if (first === undefined || onward.length > 0 || cabin === 'basic_economy') return [];
  if (segmentsWith(reservation, 'delayed')[0] !== first) return [];
  return [1, 2].flatMap((days) => {
    const date = laterDate(first.date, days);
    if (segments.slice(outbound).some((segment) => segment.date <= date)) return [];
    const { origin, destination } = first.flight;
    const preference = context.random.pick(PREFERENCES);
    const wish: Wish = { origin, destination, date, cabin, passengers: passengers.length, stops: 0, preference };
    const journey = findJourney(context.model, wish);
    return journey === undefined ? [] : [{ reservation, back: false, wish, journey }];
  });
}
