/** Draws what a booking needs: ways, parties and payment methods. */

import type { Named } from '../../tasks/ground.ts';
import { areNeighbours } from '../airports.ts';
import { COMING_DAYS, dateOf, dayOf } from '../clock.ts';
import { CABINS, type Customer, type Passenger, type PaymentMethod } from '../model.ts';
import { directJourneys } from '../search.ts';
import type { Way } from './booking.ts';
import { findJourney, nameJourney, PREFERENCES, type Wish } from './journeys.ts';
import type { AirlineStage } from './stage.ts';
import { nameSaved, nameSelf } from './words.ts';

/** Draws of something before it is given up. */
const ATTEMPTS = 40;

/** Draws until something comes of it. */
export function tryOften<T>(draw: () => T | undefined): T | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  return undefined;
}

/** A way along some route of the airline; with a stop only where nothing flies without one. */
export function drawWay(stage: AirlineStage, shape: Pick<Wish, 'stops' | 'passengers'>): Way | undefined {
  return tryOften(() => tryWay(stage, shape));
}

/** A way back for an outbound one, in the same cabin. */
export function drawWayBack(stage: AirlineStage, out: Wish): Way | undefined {
  const { random } = stage;
  const later = COMING_DAYS.filter((day) => day > dayOf(out.date));
  if (later.length === 0) return undefined;
  const wish: Wish = { ...out, origin: out.destination, destination: out.origin, date: dateOf(random.pick(later)) };
  return wayOf(stage, { ...wish, preference: random.pick(PREFERENCES) });
}

function wayOf({ world }: AirlineStage, wish: Wish): Way | undefined {
  const journey = findJourney(world, wish);
  return journey === undefined ? undefined : { wish, journey: nameJourney(wish, journey) };
}

/** The customer, and some of those whom the profile remembers. */
export function drawParty({ random }: AirlineStage, customer: Customer, size: number): Named<Passenger>[] {
  if (size === 1) return [nameSelf(customer, 'You travel alone')];
  const others = random.sample(customer.saved, size - 1).map((other) => nameSaved(customer, other));
  return [nameSelf(customer, 'You travel yourself'), ...others];
}

export function creditCards(customer: Customer): PaymentMethod[] {
  return customer.payments.filter((method) => method.source === 'credit_card');
}

/** Credit cards, and gift cards that hold as much as has to be paid: what a change can be settled with. */
export function settlingMethods(customer: Customer, amount: number): PaymentMethod[] {
  return customer.payments.filter(
    (method) => method.source === 'credit_card' || (method.source === 'gift_card' && method.amount >= amount),
  );
}

/** One or two methods with a balance, a certificate before a gift card, and a credit card for the rest. */
export function drawPurse({ random }: AirlineStage, customer: Customer): PaymentMethod[] {
  const of = (source: PaymentMethod['source']) =>
    random.sample(
      customer.payments.filter((method) => method.source === source),
      1,
    );
  const balanced = [...of('certificate'), ...of('gift_card')];
  const some = balanced.length === 2 && random.chance(0.4) ? [random.pick(balanced)] : balanced;
  return [...some, random.pick(creditCards(customer))];
}

function tryWay(stage: AirlineStage, { stops, passengers }: Pick<Wish, 'stops' | 'passengers'>): Way | undefined {
  const { random, world } = stage;
  const { origin, destination: next } = random.pick(world.flights);
  const date = dateOf(random.pick(COMING_DAYS.slice(0, -3)));
  let destination = next;
  if (stops === 1) {
    const onward = world.flights.filter(
      (flight) => flight.origin === next && !areNeighbours(flight.destination, origin),
    );
    if (onward.length === 0) return undefined;
    destination = random.pick(onward).destination;
    if (directJourneys(world, origin, destination, date).length > 0) return undefined;
  }
  const notBefore = random.chance(0.2) ? { notBefore: random.int(8, 12) * 60 } : {};
  const preference = random.pick(PREFERENCES);
  const cabin = random.pick(CABINS);
  return wayOf(stage, { origin, destination, date, cabin, passengers, stops, preference, ...notBefore });
}
