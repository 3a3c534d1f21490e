/** Tasks in which a customer complains about a flight and wants something for it. */

import { ruled, type Ground, type Named } from '../../tasks/ground.ts';
import { tell } from '../../tasks/told.ts';
import { spellDate } from '../clock.ts';
import type { Reservation } from '../model.ts';
import { CANCELLED_COMPENSATION, DELAYED_COMPENSATION, isEligible } from '../rules.ts';
import { search } from './booking.ts';
import { nameCause } from './causes.ts';
import { creditCards } from './draw.ts';
import { meant, partySize } from './facts.ts';
import { isCancellable, isUnflown, segmentsWith } from './find.ts';
import { findJourney, nameJourney, PREFERENCES, type Wish } from './journeys.ts';
import { laterDate, nameDate } from './literals.ts';
import { flightsAfter, sameCabin, type Move } from './moves.ts';
import { namePayment } from './payments.ts';
import { cancelIs, compensationIs, hasFlight, isBasic } from './premises.ts';
import type { AirlineFamily, AirlineStage } from './stage.ts';
import { nameReservation } from './words.ts';

/** A cancelled flight: a hundred dollars for each passenger. */
export const complainOfCancelled: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => (isEligible(r) ? segmentsWith(r, 'cancelled') : []));
  if (found === undefined) return undefined;
  const [reservation, { flight, date }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.searchDirect(flight.origin, flight.destination, date);
  script.sendCertificate(customer, compensation(trip, CANCELLED_COMPENSATION));
  const goal = tell`You are cross because the airline has cancelled flight ${flight.number} on ${spellDate(date)}, which belongs to ${trip}. You demand to be compensated and take a certificate if that is what you are offered. The trip itself is not to be touched.`;
  const premises = [hasFlight(reservation, 'cancelled'), compensationIs(true, reservation)];
  return { customer, script, goal, premises };
};

/** A delayed flight, because of which the trip is cancelled. */
export const complainAndCancel: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isEligible(r) && isCancellable(r, 'plans') ? segmentsWith(r, 'delayed') : [],
  );
  if (found === undefined) return undefined;
  const [reservation, { flight, date }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  script.searchDirect(flight.origin, flight.destination, date);
  script.cancel(trip);
  script.sendCertificate(customer, compensation(trip, DELAYED_COMPENSATION));
  const goal = tell`Flight ${flight.number} today, ${spellDate(date)}, is delayed, and you had it on ${trip}. It is of no use to you any more: the whole trip is to be cancelled, as ${nameCause(random, 'plans')} anyway. And you insist on some compensation for the delay.`;
  const premises = [
    hasFlight(reservation, 'delayed'),
    compensationIs(true, reservation),
    cancelIs('allowed', reservation, 'plans'),
  ];
  return { customer, script, goal, premises };
};

/** A delayed flight, instead of which the customer takes one on another day. */
export const complainAndChange: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isEligible(r) ? movesFromDelayed(stage, r) : []));
  if (found === undefined) return undefined;
  const [reservation, move] = found;
  const { customer } = reservation;
  const [late] = segmentsWith(reservation, 'delayed');
  if (late === undefined) return undefined;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const pay = namePayment(customer, random.pick(creditCards(customer)));
  script.readReservation(reservation);
  script.searchDirect(late.flight.origin, late.flight.destination, late.date);
  search(script, move.wish);
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  script.sendCertificate(customer, compensation(trip, DELAYED_COMPENSATION));
  const goal = tell`You have had enough: flight ${late.flight.number} of today, ${spellDate(late.date)}, on ${trip} is delayed. You want to fly on ${nameDate(move.wish.date)} instead, with ${journey} in the same cabin, and leave the rest of the trip as it is; the difference goes through ${pay}. When that is done, you ask for compensation for the delay.`;
  const premises = [hasFlight(reservation, 'delayed'), compensationIs(true, reservation), isBasic(false, reservation)];
  return { customer, script, goal, premises };
};

/** A regular member without insurance, not in business: nothing is due. */
export const complainInVain: AirlineFamily = (stage) => {
  const { random } = stage;
  const status = random.pick(['cancelled', 'delayed'] as const);
  const found = stage.fromReservation((r) => (isEligible(r) ? [] : segmentsWith(r, status)));
  if (found === undefined) return undefined;
  const [reservation, { flight, date }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`Flight ${flight.number} on ${spellDate(date)}, which is part of ${trip}, has been ${status}. You complain at length and demand a voucher for it. You do not want to change or cancel anything, and when the agent says no twice, you give up.`;
  const premises = [hasFlight(reservation, status), compensationIs(false, reservation)];
  return { customer, script, goal, premises, ending: 'declined' };
};

/** A delay alone, without any change of the trip, is not compensated. */
export const complainWithoutChange: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) => (isEligible(r) && isUnflown(r) ? segmentsWith(r, 'delayed') : []));
  if (found === undefined) return undefined;
  const [reservation, { flight, date }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  script.readReservation(reservation);
  const goal = tell`You sit at the airport: flight ${flight.number} of today, ${spellDate(date)}, on ${trip} is delayed. You will wait for it and fly as booked, and want nothing changed or cancelled; but you ask for a certificate because of the delay. A no annoys you, and you leave it at that.`;
  return { customer, script, goal, premises: [hasFlight(reservation, 'delayed')], ending: 'declined' };
};

/** So many dollars for each passenger of the reservation. */
function compensation(trip: Named<Reservation>, each: number): Ground {
  return ruled([trip], BigInt(trip.value.passengers.length * each), (store) =>
    meant(store, trip).map((booking) => BigInt(partySize(booking) * each)),
  );
}

/** The way out, which is delayed, on one of the next days. */
function movesFromDelayed(stage: AirlineStage, reservation: Reservation): Move[] {
  const { segments, outbound, passengers, cabin } = reservation;
  const [first, ...onward] = segments.slice(0, outbound);
  if (first === undefined || onward.length > 0 || cabin === 'basic_economy') return [];
  if (segmentsWith(reservation, 'delayed')[0] !== first) return [];
  return [1, 2].flatMap((days) => {
    const date = laterDate(first.date, days);
    if (segments.slice(outbound).some((segment) => segment.date <= date)) return [];
    const { origin, destination } = first.flight;
    const preference = stage.random.pick(PREFERENCES);
    const wish: Wish = { origin, destination, date, cabin, passengers: passengers.length, stops: 0, preference };
    const journey = findJourney(stage.world, wish);
    return journey === undefined ? [] : [{ reservation, back: false, wish, journey }];
  });
}
