/** Tasks in which a trip is cancelled, because one of the policy's four conditions is true. */

import { tell } from '../../tasks/told.ts';
import { text } from '../../tasks/read.ts';
import { spellDate } from '../clock.ts';
import { A_DAY_AGO } from '../clock.ts';
import type { Reservation } from '../model.ts';
import { nameCause } from './causes.ts';
import { bookingOf, paidFor, statusesOf } from './facts.ts';
import { isCancellable, isUnflown, segmentsWith } from './find.ts';
import { cancelIs, hasFlight } from './premises.ts';
import type { AirlineFamily } from './stage.ts';
import { allReservations, nameReservation } from './words.ts';

const isRecent = (reservation: Reservation): boolean => reservation.createdAt > A_DAY_AGO;

/** Booked within a day: any reason will do. */
export const cancelRecent: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isRecent(r) && isUnflown(r) && r.cabin !== 'business' ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.cancel(trip);
  const goal = tell`You want to cancel ${trip}, because ${nameCause(random, 'plans')}. If you are asked, you say that you booked it less than a day ago. You want to hear what you get back.`;
  const outputs = [refundOf(reservation)];
  return { customer, script, goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
};

/** Business class can always be cancelled. */
export const cancelBusiness: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (r.cabin === 'business' && isUnflown(r) ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.cancel(trip);
  const goal = random.pick([
    tell`You want ${trip} to be cancelled, because ${nameCause(random, 'plans')}.`,
    tell`You no longer want to take ${trip}: ${nameCause(random, 'plans')}. The agent should cancel it.`,
  ]);
  return { customer, script, goal, premises: [cancelIs('allowed', reservation, 'plans')] };
};

/** Insured, and for a reason that the insurance covers. */
export const cancelInsured: AirlineFamily = (stage) => {
  const { random } = stage;
  const cause = random.pick(['health', 'weather'] as const);
  const found = stage.fromReservation((r) =>
    r.insured && r.cabin !== 'business' && !isRecent(r) && isCancellable(r, cause) ? [r] : [],
  );
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.cancel(trip);
  const goal = tell`You have to cancel ${trip}, because ${nameCause(random, cause)}. You are not sure whether you bought insurance; the agent can look that up. You want the money back the way you paid.`;
  return { customer, script, goal, premises: [cancelIs('allowed', reservation, cause)] };
};

/** A flight of the trip does not take place. */
export const cancelAfterAirline: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) =>
    !isRecent(r) && r.cabin !== 'business' && isCancellable(r, 'airline') ? segmentsWith(r, 'cancelled') : [],
  );
  if (found === undefined) return undefined;
  const [reservation, { flight, date }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.searchDirect(flight.origin, flight.destination, date);
  script.cancel(trip);
  const goal = tell`The airline has cancelled flight ${flight.number} on ${spellDate(date)}, which is part of ${trip}. You do not want another flight but the whole trip cancelled, and your money back. You ask for nothing on top.`;
  const premises = [cancelIs('allowed', reservation, 'airline'), hasFlight(reservation, 'cancelled')];
  return { customer, script, goal, premises };
};

/** All trips of a cabin at once, and what they come to. */
export const cancelAllBusiness: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const trips = customer.reservations.filter((r) => r.cabin === 'business' && isUnflown(r));
    return trips.length >= 2 ? [trips] : [];
  });
  if (found === undefined) return undefined;
  const [customer, trips] = found;
  const script = stage.begin(customer);
  script.readReservations(customer);
  const all = allReservations(
    customer,
    trips,
    'every trip of yours in business class of which nothing has been flown',
    (booking, store) =>
      text(booking, 'cabin') === 'business' &&
      !statusesOf(store, booking).some((status) => status === 'landed' || status === 'flying'),
  );
  script.calculate(trips.map((trip) => trip.paid).join(' + '));
  for (const trip of trips) script.cancel({ set: all, argument: trip.id });
  const goal = tell`Money is short: you want ${all} to be cancelled, because ${nameCause(random, 'plans')}. You ask how much you get back for all of them together.`;
  const total = String(trips.reduce((sum, trip) => sum + trip.paid, 0));
  const premises = trips.map((trip) => cancelIs('allowed', trip, 'plans'));
  return { customer, script, goal, outputs: [total], premises };
};

/** Only the whole trip can be cancelled, so the customer gives all of it up. */
export const cancelHalfThenWhole: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (r.type === 'round_trip' && isCancellable(r, 'plans') ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.cancel(trip);
  const goal = tell`You no longer need the way back of ${trip}, because ${nameCause(random, 'plans')}, and ask to cancel just that. If only the whole trip can be cancelled, then you want exactly that, and you ask how much is paid back.`;
  const outputs = [refundOf(reservation)];
  return { customer, script, goal, outputs, premises: [cancelIs('allowed', reservation, 'plans')] };
};

/** What comes back when a trip is cancelled: everything that was paid. */
export function refundOf(reservation: Reservation) {
  return {
    text: String(reservation.paid),
    answers: (store: Parameters<typeof bookingOf>[0]) => [String(paidFor(bookingOf(store, reservation.id)))],
  };
}
