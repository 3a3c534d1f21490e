/** Tasks that end with nothing changed, because the policy forbids what the customer asks. */

import { tell } from '../../tasks/told.ts';
import { A_DAY_AGO } from '../clock.ts';
import { areNeighbours, placeName } from '../airports.ts';
import { nameCause } from './causes.ts';
import { isAhead, isUnflown } from './find.ts';
import { movesToOtherDays } from './moves.ts';
import { nameDate } from './literals.ts';
import { cancelIs, isBasic, isStrange } from './premises.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation } from './words.ts';
import { nameTraveller } from './passengers.ts';

/** Booked long ago, no insurance, not in business. */
export const cancelForbidden: AirlineFamily = (stage) => {
  const { random } = stage;
  const cause = random.pick(['plans', 'health'] as const);
  const found = stage.fromReservation((r) =>
    isAhead(r) && !r.insured && r.cabin !== 'business' && r.createdAt <= A_DAY_AGO ? [r] : [],
  );
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const claim = random.pick([
    'You say that somebody on the phone has promised it.',
    'You say that you are a faithful customer and expect an exception.',
    'You say that you never read the rules.',
  ]);
  const goal = tell`You want ${trip} to be cancelled and the money back, because ${nameCause(random, cause)}. ${claim} If it stays at no, you keep the trip as it is and want nothing else, no other person to talk to either.`;
  return { customer, script, goal, premises: [cancelIs('forbidden', reservation, cause)], ending: 'declined' };
};

/** Insured, but for a reason that the insurance does not cover. */
export const cancelUncovered: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isAhead(r) && r.insured && r.cabin !== 'business' && r.createdAt <= A_DAY_AGO ? [r] : [],
  );
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You want to cancel ${trip}, because ${nameCause(random, 'plans')}, and point out that you bought insurance. You are healthy, the weather is fine, and you do not claim anything else. If it cannot be cancelled, the trip stays as it is.`;
  return { customer, script, goal, premises: [cancelIs('forbidden', reservation, 'plans')], ending: 'declined' };
};

/** Basic economy keeps its flights. */
export const changeBasic: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) =>
    r.cabin === 'basic_economy' && isAhead(r) ? movesToOtherDays(stage, r) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, { wish }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You want to fly on ${nameDate(wish.date)} instead on ${trip} and would pay for the change. You do not want another cabin, and you do not want to cancel: if the flights cannot be changed as the trip is, it stays.`;
  return { customer, script, goal, premises: [isBasic(true, reservation)], ending: 'declined' };
};

/** A trip leads where it was booked to. */
export const changeDestination: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const found = stage.fromReservation((r) => (isAhead(r) ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer, origin, destination } = reservation;
  const others = world.flights
    .map((flight) => flight.destination)
    .filter((o) => o !== destination && !areNeighbours(o, origin));
  const wanted = random.pick(others);
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You want ${trip} to lead to ${placeName(wanted)} rather than where it leads now, on the same days. You will not cancel it and book anew, and you will not change anything else; if another destination is not possible, you fly as booked.`;
  return { customer, script, goal, ending: 'declined' };
};

/** There is no leaving somebody out. */
export const removePassenger: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isUnflown(r) && r.passengers.length > 1 ? r.passengers : []));
  if (found === undefined) return undefined;
  const [reservation, passenger] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const why = random.pick(['who has to work', 'who is not coming along after all', 'who dislikes flying']);
  const goal = tell`You want to take ${nameTraveller(trip, passenger)}, ${why}, off ${trip} and have that share of the money back. Nobody else is to travel in that place, and the others fly as booked. If it cannot be done, you leave it.`;
  return { customer, script, goal, ending: 'declined' };
};

/** Bags stay. */
export const removeBags: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => (isUnflown(r) && r.bags > 0 ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You will travel light and want to take one checked bag off ${trip}, and ask what you get back for it. If a bag cannot be taken off, everything stays.`;
  return { customer, script, goal, ending: 'declined' };
};

/** Insurance is bought with the trip or not at all. */
export const addInsurance: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => (isAhead(r) && !r.insured ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You forgot the travel insurance for ${trip} and want to add it now; you would pay whatever it costs. Should that be impossible, you sigh and leave the trip as it is. You do not want to talk to anybody else about it.`;
  return { customer, script, goal, ending: 'declined' };
};

/** Another customer's trip. */
export const strangersTrip: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const found = stage.fromReservation((r) => (r.customer !== customer && isUnflown(r) ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { firstName, lastName } = reservation.customer;
  const script = stage.begin(customer);
  const goal = tell`Your colleague ${firstName} ${lastName} has asked you to cancel reservation ${reservation.id}, which is in the colleague's name. You do not know the colleague's user id. You try it once more when you are told no, then you give in and want nothing else.`;
  return { customer, script, goal, premises: [isStrange(reservation, customer)], ending: 'declined' };
};
