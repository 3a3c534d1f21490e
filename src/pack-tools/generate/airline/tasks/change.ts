/** Tasks in which a trip moves to other flights. */

import type { Store } from '../../../../benchmark/index.ts';
import { tell } from '../../tasks/told.ts';
import { search } from './booking.ts';
import { settlingMethods } from './draw.ts';
import { nameJourney } from './journeys.ts';
import { nameDate } from './literals.ts';
import {
  changePremises,
  extraCost,
  extraCostIn,
  extraCostSum,
  flightsAfter,
  isChangeable,
  movesToOtherDays,
  movesWithinDays,
  sameCabin,
  wayWords,
} from './moves.ts';
import { namePayment, originalPayment } from './payments.ts';
import type { AirlineFamily } from './stage.ts';
import { nameReservation } from './words.ts';

/** Another day. */
export const changeDay: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => (isChangeable(r) ? movesToOtherDays(stage, r) : []));
  if (found === undefined) return undefined;
  const [reservation, move] = found;
  const { customer } = reservation;
  const payment = random.pick(settlingMethods(customer, extraCost(move)));
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const pay = namePayment(customer, payment);
  search(script, move.wish);
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  const goal = tell`You want to move ${wayWords(move)} of ${trip} to ${nameDate(move.wish.date)}: on that day you take ${journey}. The cabin stays as it is${reservation.type === 'round_trip' ? ', and so does the other way' : ''}. Any difference in price goes through ${pay}.`;
  return { customer, script, goal, premises: changePremises(reservation) };
};

/** Another time of the same day, and what that costs. */
export const changeTime: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    isChangeable(r) ? movesWithinDays(stage, r).filter((move) => extraCost(move) !== 0) : [],
  );
  if (found === undefined) return undefined;
  const [reservation, move] = found;
  const { customer } = reservation;
  const payment = random.pick(settlingMethods(customer, extraCost(move)));
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const pay = namePayment(customer, payment);
  search(script, move.wish);
  script.calculate(extraCostSum(move));
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  const goal = tell`You want to fly at another time on the same day: for ${wayWords(move)} of ${trip} you would rather take ${journey}. Cabin and dates stay as they are. You pay the difference with ${pay} or have it refunded there, and want to hear how much it is.`;
  const answers = (store: Store) => [String(Math.abs(extraCostIn(store, move)))];
  const outputs = [{ text: String(Math.abs(extraCost(move))), answers }];
  return { customer, script, goal, outputs, premises: changePremises(reservation) };
};

/** Another day, settled with whatever the trip was paid with. */
export const changeDayAsPaid: AirlineFamily = (stage) => {
  const found = stage.fromReservation((r) =>
    isChangeable(r)
      ? movesToOtherDays(stage, r).filter((move) => settlingMethods(r.customer, extraCost(move)).includes(r.payment))
      : [],
  );
  if (found === undefined) return undefined;
  const [reservation, move] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const journey = nameJourney(move.wish, move.journey);
  const pay = originalPayment(reservation, 'the payment method that the trip was paid with');
  search(script, move.wish);
  script.changeFlights(trip, sameCabin(trip), flightsAfter(trip, move, journey), pay);
  const goal = tell`Something has come up, and ${wayWords(move)} of ${trip} should be on ${nameDate(move.wish.date)} instead; you choose ${journey} and stay in your cabin. Nothing else changes. For the difference the airline should use ${pay}.`;
  return { customer, script, goal, premises: changePremises(reservation) };
};
