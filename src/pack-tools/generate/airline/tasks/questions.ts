/** Tasks in which the customer only wants to know something. */

import type { Store } from '../../../../benchmark/index.ts';
import { number, text } from '../../tasks/read.ts';
import { tell } from '../../tasks/told.ts';
import type { Cabin, Customer, PaymentMethod } from '../model.ts';
import { freeBags } from '../rules.ts';
import { directJourneys, fareOf } from '../search.ts';
import { drawWay } from './draw.ts';
import { bookingOf, bookingsOf, freeBagsOf, paidFor, partySize, paymentsOf, priceOf } from './facts.ts';
import { isUnflown } from './find.ts';
import { countOnSale } from './journeys.ts';
import { nameCabin, nameDate, namePlace } from './literals.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation } from './words.ts';

/** What is on all gift cards, and what all certificates are worth. */
export const sumBalances: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) =>
    (['gift_card', 'certificate'] as const).filter((source) => methodsOf(customer, source).length > 1),
  );
  if (found === undefined) return undefined;
  const [customer, source] = found;
  const methods = methodsOf(customer, source);
  const script = stage.begin(customer);
  script.calculate(methods.map((method) => method.amount).join(' + '));
  const total = methods.reduce((sum, method) => sum + method.amount, 0);
  const things = source === 'gift_card' ? 'gift cards' : 'certificates';
  const goal = random.pick([
    tell`You have lost count of your ${things}. You want to hear what all of them are worth together, as one sum.`,
    tell`Before you book anything, you want to know one figure: what your ${things} come to when they are added up. You do not book today.`,
  ]);
  const answers = (store: Store) => {
    const found = paymentsOf(store, customer.id).filter((method) => text(method, 'source') === source);
    return [String(found.reduce((sum, method) => sum + number(method, 'amount'), 0))];
  };
  return { customer, script, goal, outputs: [{ text: String(total), answers }] };
};

/** The flight that fits a wish, and its price. */
export const askFare: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const way = drawWay(stage, { stops: 0, passengers: 1 });
  const [flight] = way?.journey.value ?? [];
  if (way === undefined || flight === undefined) return undefined;
  const { wish, journey } = way;
  const script = stage.begin(customer);
  script.listAirports();
  script.searchDirect(wish.origin, wish.destination, wish.date);
  const goal = tell`You think of flying from ${namePlace(wish.origin)} to ${namePlace(wish.destination)} on ${nameDate(wish.date)} and want to know about ${journey}: its number, and what a seat in ${nameCabin(wish.cabin)} costs. You book nothing today.`;
  const answers = (store: Store) => [String(priceOf(store, flight.number, wish.date, wish.cabin))];
  const price = String(fareOf(journey.value, wish.date, wish.cabin));
  return { customer, script, goal, outputs: [flight.number, { text: price, answers }] };
};

/** How many flights a day has. */
export const countFlights: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const way = drawWay(stage, { stops: 0, passengers: 1 });
  if (way === undefined) return undefined;
  const { origin, destination, date } = way.wish;
  const count = directJourneys(world, origin, destination, date).length;
  const script = stage.begin(customer);
  script.listAirports();
  script.searchDirect(origin, destination, date);
  const goal = tell`You want to know how many direct flights from ${namePlace(origin)} to ${namePlace(destination)} are on sale for ${nameDate(date)}, in figures. That is all; you only compare airlines.`;
  const answers = (store: Store) => [String(countOnSale(store, origin, destination, date))];
  return { customer, script, goal, outputs: [{ text: String(count), answers }] };
};

/** How many bags are free on a trip. */
export const askFreeBags: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) =>
    isUnflown(r) && freeBags(r.customer.membership, r.cabin, r.passengers.length) > 0 ? [r] : [],
  );
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer, cabin, passengers } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You are packing for ${trip} and ask how many bags may be checked in free of charge on it, for everybody on it together. You want the figure, nothing else.`;
  const answers = (store: Store) => {
    const booking = bookingOf(store, reservation.id);
    return [String(freeBagsOf(store, customer.id, text(booking, 'cabin') as Cabin, partySize(booking)))];
  };
  const count = String(freeBags(customer.membership, cabin, passengers.length));
  return { customer, script, goal, outputs: [{ text: count, answers }] };
};

/** What all reservations have cost together. */
export const sumTrips: AirlineFamily = (stage) => {
  const found = stage.fromCustomer((customer) => (customer.reservations.length >= 2 ? [customer] : []));
  if (found === undefined) return undefined;
  const [customer] = found;
  const script = stage.begin(customer);
  script.readReservations(customer);
  script.calculate(customer.reservations.map((r) => r.paid).join(' + '));
  const total = String(customer.reservations.reduce((sum, r) => sum + r.paid, 0));
  const goal = tell`For your tax papers you need one figure: what you have paid for all of your reservations together, those that are over included. You know no reservation numbers.`;
  const answers = (store: Store) => [
    String(bookingsOf(store, customer.id).reduce((sum, booking) => sum + paidFor(booking), 0)),
  ];
  return { customer, script, goal, outputs: [{ text: total, answers }] };
};

type Balanced = Extract<PaymentMethod, { amount: number }>;

function methodsOf(customer: Customer, source: Balanced['source']): Balanced[] {
  return customer.payments.filter((method): method is Balanced => method.source === source);
}
