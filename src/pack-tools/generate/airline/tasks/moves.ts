/** A move of one way of a trip to other flights: which there are, what they cost, what the tool is given. */

import type { Store } from '../../../../benchmark/index.ts';
import type { PyValue } from '../../../../benchmark/python/index.ts';
import { concat, ruled, type Ground, type Named } from '../../tasks/ground.ts';
import type { Premise } from '../../tasks/plot.ts';
import { dicts, number, text } from '../../tasks/read.ts';
import { COMING_DAYS, dayOf } from '../clock.ts';
import type { Reservation, Segment } from '../model.ts';
import { fareOf as journeyFare, type Journey } from '../search.ts';
import { bookingOf, fareOf as bookedFare, flightRef, flightRefs, meant, partySize, priceOf } from './facts.ts';
import { fareOf, isAhead } from './find.ts';
import { findJourney, PREFERENCES, type Wish } from './journeys.ts';
import { laterDate } from './literals.ts';
import { isBasic, isOnSaleStill } from './premises.ts';
import type { AirlineStage } from './stage.ts';

/** A way of a trip, and what takes its place. */
export interface Move {
  readonly reservation: Reservation;
  /** The way back rather than the way out. */
  readonly back: boolean;
  readonly wish: Wish;
  readonly journey: Journey;
}

/** Every move of one way to a day near its own, for a preference drawn for each. */
export function movesToOtherDays(stage: AirlineStage, reservation: Reservation): Move[] {
  return waysOf(reservation).flatMap((back) =>
    [-2, -1, 1, 2].flatMap((days) => moveBy(stage, reservation, back, days)),
  );
}

/** Every move to other flights of the same day. */
export function movesWithinDays(stage: AirlineStage, reservation: Reservation): Move[] {
  return waysOf(reservation).flatMap((back) => moveBy(stage, reservation, back, 0));
}

/** Basic economy keeps its flights, and so does what has begun. */
export function isChangeable(reservation: Reservation): boolean {
  return reservation.cabin !== 'basic_economy' && isAhead(reservation);
}

export function changePremises(reservation: Reservation): Premise[] {
  return [isBasic(false, reservation), isOnSaleStill(reservation)];
}

/** What the customer pays more; negative when something comes back. */
export function extraCost(move: Move): number {
  return (newFare(move) - fareOf(move.reservation)) * move.reservation.passengers.length;
}

/** The sum behind {@link extraCost}, for the calculator. */
export function extraCostSum(move: Move): string {
  const { reservation } = move;
  return `(${String(newFare(move))} - ${String(fareOf(reservation))}) * ${String(reservation.passengers.length)}`;
}

/** The same from the tables. */
export function extraCostIn(store: Store, { reservation, back, wish, journey }: Move): number {
  const booking = bookingOf(store, reservation.id);
  const kept = keptOf(dicts(booking, 'flights'), reservation, back).reduce((sum, one) => sum + number(one, 'price'), 0);
  const fare = journey.reduce((sum, flight) => sum + priceOf(store, flight.number, wish.date, wish.cabin), kept);
  return (fare - bookedFare(booking)) * partySize(booking);
}

/** All flights of the trip after the move: those of the other way as they are. */
export function flightsAfter(trip: Named<Reservation>, { reservation, back }: Move, journey: Ground): Ground {
  const keep = (list: readonly PyValue[]): PyValue => keptOf(list, reservation, back);
  const kept = ruled(
    [trip],
    keep(reservation.segments.map(({ flight, date }) => flightRef(flight.number, date))),
    (store) => meant(store, trip).map((booking) => keep(flightRefs(booking))),
  );
  return concat(back ? [kept, journey] : [journey, kept]);
}

/** Where nothing is said about it, the cabin stays. */
export function sameCabin(trip: Named<Reservation>): Ground {
  return ruled([trip], trip.value.cabin, (store) => meant(store, trip).map((booking) => text(booking, 'cabin')));
}

export function wayWords({ reservation, back }: Move): string {
  if (reservation.type === 'round_trip') return back ? 'the way back' : 'the way out';
  return reservation.segments.length === 1 ? 'the flight' : 'the flights';
}

function waysOf({ type }: Reservation): boolean[] {
  return type === 'round_trip' ? [false, true] : [false];
}

function moveBy(stage: AirlineStage, reservation: Reservation, back: boolean, days: number): Move[] {
  const { segments, outbound, passengers, cabin } = reservation;
  const way = back ? segments.slice(outbound) : segments.slice(0, outbound);
  const [first] = way;
  if (first === undefined) return [];
  const date = laterDate(first.date, days);
  if (!COMING_DAYS.includes(dayOf(date))) return [];
  // The way back stays after the way out.
  const other = keptOf(segments, reservation, back);
  if (other.some((segment) => (back ? segment.date >= date : segment.date <= date))) return [];
  const wish: Wish = {
    origin: first.flight.origin,
    destination: way.at(-1)?.flight.destination ?? '',
    date,
    cabin,
    passengers: passengers.length,
    stops: way.length === 1 ? 0 : 1,
    preference: stage.random.pick(PREFERENCES),
  };
  const journey = findJourney(stage.world, wish);
  // A flight that is booked already would keep its old price.
  const isNew = journey?.every((flight) => !isBooked(way, flight.number, date)) === true;
  return journey !== undefined && isNew ? [{ reservation, back, wish, journey }] : [];
}

function isBooked(way: readonly Segment[], number: string, date: string): boolean {
  return way.some((segment) => segment.flight.number === number && segment.date === date);
}

function newFare({ reservation, back, wish, journey }: Move): number {
  const kept = keptOf(reservation.segments, reservation, back).reduce((sum, segment) => sum + segment.price, 0);
  return kept + journeyFare(journey, wish.date, wish.cabin);
}

/** What belongs to the other way. */
function keptOf<T>(segments: readonly T[], { outbound }: Reservation, back: boolean): readonly T[] {
  return back ? segments.slice(0, outbound) : segments.slice(outbound);
}
