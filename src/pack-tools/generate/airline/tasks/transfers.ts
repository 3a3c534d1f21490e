/** Tasks that a person has to take over. */

import { tell } from '../../tasks/told.ts';
import { nameCause } from './causes.ts';
import { isUnflown } from './find.ts';
import { cancelIs } from './premises.ts';
import { cancelVerdict } from '../rules.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation } from './words.ts';

/** Part of the trip has been flown. */
export const cancelBegun: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    r.type === 'round_trip' && cancelVerdict(r, 'plans') === 'beyond' ? [r] : [],
  );
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.transfer(`The customer wants to cancel reservation ${reservation.id}, part of which has been flown.`);
  const goal = tell`You have flown the way out of ${trip} and want the rest of it cancelled, because ${nameCause(random, 'plans')}. You insist on it until somebody takes care of the matter.`;
  const premises = [cancelIs('beyond', reservation, 'plans')];
  return { customer, script, goal, premises, ending: 'transferred' };
};

const MATTERS: readonly (readonly [wish: string, summary: string])[] = [
  ['to bring your old dog along in the cabin and need that to be arranged', 'to bring a dog along on'],
  ['your nephew of seven to be looked after, who flies alone on it', 'a child to be looked after on'],
  ['your cello to have a seat of its own on it', 'a seat for a cello on'],
  ['to have five more people join you on it, as one party', 'a party of more than five on'],
];

/** Something that is no business of the agent's tools. */
export const beyondTheTools: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isUnflown(r) ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const [wish, summary] = random.pick(MATTERS);
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.transfer(`The customer wants ${summary} reservation ${reservation.id}.`);
  const goal = tell`You write about ${trip}: you want ${wish}. You accept nothing else in its place.`;
  return { customer, script, goal, ending: 'transferred' };
};

/** A bag that has not come. */
export const lostBag: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => (!isUnflown(r) && r.bags > 0 ? [r] : []));
  if (found === undefined) return undefined;
  const [reservation] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.transfer(`A bag of the customer has not arrived after a flight of reservation ${reservation.id}.`);
  const goal = tell`A bag of yours has not come out at the airport after you had flown on ${trip}. You want it to be searched for, and neither money nor a certificate.`;
  return { customer, script, goal, ending: 'transferred' };
};
