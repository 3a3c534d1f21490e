/** Families about questions, and about goals that the policy forbids or leaves to a human agent. */

import { aboutCustomer, aboutReservation } from './subjects.ts';
import { number, statement, text } from '../../tasks/ground.ts';
import { A_DAY_AGO, cancelVerdict, freeBags, type Cabin, type Customer, type PaymentMethod } from '../model.ts';
import { areNeighbours, directJourneys, fareOfJourney, placeName } from '../network.ts';
import { nameCabin, nameCause, nameDate, namePlace } from './words.ts';
import {
  getBooking,
  listBookings,
  cancelIs,
  countFreeBags,
  isAhead,
  isBasic,
  belongsToOther,
  isUnflown,
  paidFor,
  partySize,
  listPayments,
  findSeatPrice,
} from './facts.ts';
import { countOnSale, movesToOtherDays } from './journeys.ts';
import type { AirlineFamily } from './context.ts';
import { nameTraveller } from './passengers.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { drawWay } from './booking.ts';

export const REFUSALS = {
  /** Booked long ago, no insurance, not in business. */
  cancelForbidden: (context) => {
    const { random } = context;
    const cause = random.pick(['plans', 'health'] as const);
    return aboutReservation({
      where: (r) => isAhead(r) && !r.insured && r.cabin !== 'business' && r.createdAt <= A_DAY_AGO,
      ending: 'declined',
      plan: ({ random, reservation, trip }) => {
        const claim = random.pick([
          'You say that somebody on the phone has promised it.',
          'You say that you are a faithful customer and expect an exception.',
          'You say that you never read the rules.',
        ]);
        const goal = statement`You want ${trip} to be cancelled and the money back, because ${nameCause(random, cause)}. ${claim} If it stays at no, you keep the trip as it is and want nothing else, no other person to talk to either.`;
        return { goal, premises: [cancelIs('forbidden', reservation, cause)] };
      },
    })(context);
  },

  /** Insured, but for a reason that the insurance does not cover. */
  cancelUncovered: aboutReservation({
    where: (r) => isAhead(r) && r.insured && r.cabin !== 'business' && r.createdAt <= A_DAY_AGO,
    ending: 'declined',
    plan: ({ random, reservation, trip }) => ({
      goal: statement`You want to cancel ${trip}, because ${nameCause(random, 'plans')}, and point out that you bought insurance. You are healthy, the weather is fine, and you do not claim anything else. If it cannot be cancelled, the trip stays as it is.`,
      premises: [cancelIs('forbidden', reservation, 'plans')],
    }),
  }),

  /** Basic economy keeps its flights. */
  changeBasic: aboutReservation({
    find: (r, context) => (r.cabin === 'basic_economy' && isAhead(r) ? movesToOtherDays(context, r) : []),
    ending: 'declined',
    plan: ({ reservation, trip, found: { wish } }) => ({
      goal: statement`You want to fly on ${nameDate(wish.date)} instead on ${trip} and would pay for the change. You do not want another cabin, and you do not want to cancel: if the flights cannot be changed as the trip is, it stays.`,
      premises: [isBasic(true, reservation)],
    }),
  }),

  /** A trip leads where it was booked to. */
  changeDestination: aboutReservation({
    where: (r) => isAhead(r),
    draw: ({ random, model, reservation }) => {
      const { origin, destination } = reservation;
      const others = model.flights
        .map((flight) => flight.destination)
        .filter((o) => o !== destination && !areNeighbours(o, origin));
      return random.pick(others);
    },
    ending: 'declined',
    plan: ({ trip, drawn: wanted }) => {
      const goal = statement`You want ${trip} to lead to ${placeName(wanted)} rather than where it leads now, on the same days. You will not cancel it and book anew, and you will not change anything else; if another destination is not possible, you fly as booked.`;
      return { goal };
    },
  }),

  /** The number of passengers cannot change. */
  removePassenger: aboutReservation({
    find: (r) => (isUnflown(r) && r.passengers.length > 1 ? r.passengers : []),
    ending: 'declined',
    plan: ({ random, trip, found: passenger }) => {
      const why = random.pick(['who has to work', 'who is not coming along after all', 'who dislikes flying']);
      const goal = statement`You want to take ${nameTraveller(trip, passenger)}, ${why}, off ${trip} and have that share of the money back. Nobody else is to travel in that place, and the others fly as booked. If it cannot be done, you leave it.`;
      return { goal };
    },
  }),

  /** Bags stay. */
  removeBags: aboutReservation({
    where: (r) => isUnflown(r) && r.bags > 0,
    ending: 'declined',
    plan: ({ trip }) => ({
      goal: statement`You will travel light and want to take one checked bag off ${trip}, and ask what you get back for it. If a bag cannot be taken off, everything stays.`,
    }),
  }),

  /** Insurance can only be bought with the trip. */
  addInsurance: aboutReservation({
    where: (r) => isAhead(r) && !r.insured,
    ending: 'declined',
    plan: ({ trip }) => ({
      goal: statement`You forgot the travel insurance for ${trip} and want to add it now; you would pay whatever it costs. Should that be impossible, you sigh and leave the trip as it is. You do not want to talk to anybody else about it.`,
    }),
  }),

  /** A request about another customer's trip. */
  strangersTrip: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const found = context.fromReservation((r) => (r.customer !== customer && isUnflown(r) ? [r] : []));
    if (found === undefined) return undefined;
    const [reservation] = found;
    const { firstName, lastName } = reservation.customer;
    const script = context.begin(customer);
    const goal = statement`Your colleague ${firstName} ${lastName} has asked you to cancel reservation ${reservation.id}, which is in the colleague's name. You do not know the colleague's user id. You try it once more when you are told no, then you give in and want nothing else.`;
    return { customer, script, goal, premises: [belongsToOther(reservation, customer)], ending: 'declined' };
  },
} satisfies Record<string, AirlineFamily>;

export const TRANSFERS = {
  /** Part of the trip has been flown. */
  cancelBegun: aboutReservation({
    where: (r) => r.type === 'round_trip' && cancelVerdict(r, 'plans') === 'beyond',
    ending: 'transferred',
    plan: ({ random, reservation, script, trip }) => {
      script.transfer(`The customer wants to cancel reservation ${reservation.id}, part of which has been flown.`);
      const goal = statement`You have flown the way out of ${trip} and want the rest of it cancelled, because ${nameCause(random, 'plans')}. You insist on it until somebody takes care of the matter.`;
      const premises = [cancelIs('beyond', reservation, 'plans')];
      return { goal, premises };
    },
  }),

  /** Something that is no business of the agent's tools. */
  beyondTheTools: aboutReservation({
    where: (r) => isUnflown(r),
    draw: ({ random }) => {
      const [wish, summary] = random.pick(MATTERS);
      return { wish, summary };
    },
    ending: 'transferred',
    plan: ({ reservation, script, trip, drawn: { wish, summary } }) => {
      script.transfer(`The customer wants ${summary} reservation ${reservation.id}.`);
      const goal = statement`You write about ${trip}: you want ${wish}. You accept nothing else in its place.`;
      return { goal };
    },
  }),

  /** A bag that has not arrived. */
  lostBag: aboutReservation({
    where: (r) => !isUnflown(r) && r.bags > 0,
    ending: 'transferred',
    plan: ({ reservation, script, trip }) => {
      script.transfer(`A bag of the customer has not arrived after a flight of reservation ${reservation.id}.`);
      const goal = statement`A bag of yours has not come out at the airport after you had flown on ${trip}. You want it to be searched for, and neither money nor a certificate.`;
      return { goal };
    },
  }),
} satisfies Record<string, AirlineFamily>;

const MATTERS: readonly (readonly [wish: string, summary: string])[] = [
  ['to bring your old dog along in the cabin and need that to be arranged', 'to bring a dog along on'],
  ['your nephew of seven to be looked after, who flies alone on it', 'a child to be looked after on'],
  ['your cello to have a seat of its own on it', 'a seat for a cello on'],
  ['to have five more people join you on it, as one party', 'a party of more than five on'],
];

export const QUESTIONS = {
  /** The balance of all gift cards, or the worth of all certificates. */
  sumBalances: aboutCustomer({
    find: (customer) =>
      (['gift_card', 'certificate'] as const).filter((source) => findMethods(customer, source).length > 1),
    draw: ({ customer, found: source }) => findMethods(customer, source),
    plan: ({ random, customer, script, found: source, drawn: methods }) => {
      script.calculate(methods.map((method) => method.amount).join(' + '));
      const total = methods.reduce((sum, method) => sum + method.amount, 0);
      const things = source === 'gift_card' ? 'gift cards' : 'certificates';
      const goal = random.pick([
        statement`You have lost count of your ${things}. You want to hear what all of them are worth together, as one sum.`,
        statement`Before you book anything, you want to know one figure: what your ${things} come to when they are added up. You do not book today.`,
      ]);
      const answers = (store: Store) => {
        const found = listPayments(store, customer.id).filter((method) => text(method, 'source') === source);
        return [String(found.reduce((sum, method) => sum + number(method, 'amount'), 0))];
      };
      return { goal, outputs: [{ text: String(total), answers }] };
    },
  }),

  /** The flight that fits a wish, and its price. */
  askFare: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const way = drawWay(context, { stops: 0, passengers: 1 });
    const [flight] = way?.journey.value ?? [];
    if (way === undefined || flight === undefined) return undefined;
    const { wish, journey } = way;
    const script = context.begin(customer);
    script.listAirports();
    script.searchDirect(wish.origin, wish.destination, wish.date);
    const goal = statement`You think of flying from ${namePlace(wish.origin)} to ${namePlace(wish.destination)} on ${nameDate(wish.date)} and want to know about ${journey}: its number, and what a seat in ${nameCabin(wish.cabin)} costs. You book nothing today.`;
    const answers = (store: Store) => [String(findSeatPrice(store, flight.number, wish.date, wish.cabin))];
    const price = String(fareOfJourney(journey.value, wish.date, wish.cabin));
    return { customer, script, goal, outputs: [flight.number, { text: price, answers }] };
  },

  /** The number of flights of a day. */
  countFlights: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const way = drawWay(context, { stops: 0, passengers: 1 });
    if (way === undefined) return undefined;
    const { origin, destination, date } = way.wish;
    const count = directJourneys(model, origin, destination, date).length;
    const script = context.begin(customer);
    script.listAirports();
    script.searchDirect(origin, destination, date);
    const goal = statement`You want to know how many direct flights from ${namePlace(origin)} to ${namePlace(destination)} are on sale for ${nameDate(date)}, in figures. That is all; you only compare airlines.`;
    const answers = (store: Store) => [String(countOnSale(store, origin, destination, date))];
    return { customer, script, goal, outputs: [{ text: String(count), answers }] };
  },

  /** The number of free bags on a trip. */
  askFreeBags: aboutReservation({
    where: (r) => isUnflown(r) && freeBags(r.customer.membership, r.cabin, r.passengers.length) > 0,
    plan: ({ reservation, customer, trip }) => {
      const { cabin, passengers } = reservation;
      const goal = statement`You are packing for ${trip} and ask how many bags may be checked in free of charge on it, for everybody on it together. You want the figure, nothing else.`;
      const answers = (store: Store) => {
        const booking = getBooking(store, reservation.id);
        return [String(countFreeBags(store, customer.id, text(booking, 'cabin') as Cabin, partySize(booking)))];
      };
      const count = String(freeBags(customer.membership, cabin, passengers.length));
      return { goal, outputs: [{ text: count, answers }] };
    },
  }),

  /** The cost of all reservations together. */
  sumTrips: aboutCustomer({
    where: (customer) => customer.reservations.length >= 2,
    plan: ({ customer, script }) => {
      script.readReservations(customer);
      script.calculate(customer.reservations.map((r) => r.paid).join(' + '));
      const total = String(customer.reservations.reduce((sum, r) => sum + r.paid, 0));
      const goal = statement`For your tax papers you need one figure: what you have paid for all of your reservations together, those that are over included. You know no reservation numbers.`;
      const answers = (store: Store) => [
        String(listBookings(store, customer.id).reduce((sum, booking) => sum + paidFor(booking), 0)),
      ];
      return { goal, outputs: [{ text: total, answers }] };
    },
  }),
} satisfies Record<string, AirlineFamily>;

type PrepaidMethod = Extract<PaymentMethod, { amount: number }>;

function findMethods(customer: Customer, source: PrepaidMethod['source']): PrepaidMethod[] {
  return customer.payments.filter((method): method is PrepaidMethod => method.source === source);
}
