/** Tasks in which a trip changes its cabin and keeps its flights. */

import type { Store } from '../../../../benchmark/index.ts';
import { named, ruled, type Ground, type Named } from '../../tasks/ground.ts';
import { dicts, text } from '../../tasks/read.ts';
import { tell } from '../../tasks/told.ts';
import { CABINS, type Cabin, type PaymentMethod, type Reservation } from '../model.ts';
import { hasSeats, offerOf } from '../search.ts';
import { creditCards, settlingMethods } from './draw.ts';
import {
  bookingOf,
  fareOf as bookedFare,
  flightRef,
  flightRefs,
  meant,
  partySize,
  priceOf,
  statusesOf,
} from './facts.ts';
import { fareOf, isAhead } from './find.ts';
import { nameCabin } from './literals.ts';
import { namePayment } from './payments.ts';
import { comparesAs, covers, isOnSaleStill } from './premises.ts';
import type { AirlineScript } from './script.ts';
import type { AirlineFamily } from './stage.ts';
import { allReservations, nameReservation } from './words.ts';

/** A better cabin, and what it costs. */
export const upgrade: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) > 0));
  if (found === undefined) return undefined;
  const [reservation, to] = found;
  const { customer } = reservation;
  const cost = cabinCost(reservation, to);
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const cabin = nameCabin(to);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, cost)));
  work(script, reservation, to);
  script.changeFlights(trip, cabin, sameFlights(trip), pay);
  const goal = tell`You want to fly in ${cabin} on ${trip}, with all flights as they are. You pay the difference with ${pay}, and want to hear how much it is.`;
  return { customer, script, goal, outputs: [costOutput(reservation, to)], premises: [isOnSaleStill(reservation)] };
};

/** A plainer cabin, and what comes back. */
export const downgrade: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) < 0));
  if (found === undefined) return undefined;
  const [reservation, to] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const cabin = nameCabin(to);
  const pay = namePayment(customer, random.pick(settlingMethods(customer, 0)));
  work(script, reservation, to);
  script.changeFlights(trip, cabin, sameFlights(trip), pay);
  const goal = tell`You have to save: ${trip} should be in ${cabin} from now on, on the same flights. What you save goes to ${pay}. You ask how much that is.`;
  return { customer, script, goal, outputs: [costOutput(reservation, to)], premises: [isOnSaleStill(reservation)] };
};

/** Only if it does not cost too much. */
export const upgradeIfAffordable: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) => cabinsFor(r).filter((cabin) => cabinCost(r, cabin) > 40));
  if (found === undefined) return undefined;
  const [reservation, to] = found;
  const { customer } = reservation;
  const cost = cabinCost(reservation, to);
  const affordable = random.chance(0.5);
  const bound = (affordable ? Math.ceil(cost / 50) + random.int(0, 2) : Math.floor((cost - 1) / 50)) * 50;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const cabin = nameCabin(to);
  const pay = namePayment(customer, random.pick(creditCards(customer)));
  work(script, reservation, to);
  if (affordable) script.changeFlights(trip, cabin, sameFlights(trip), pay);
  const goal = tell`You think of flying in ${cabin} on ${trip}, on the same flights, and ask what that would cost you on top, for everybody together. If it is ${String(bound)} dollars or less, you want it and pay with ${pay}. If it is more, everything stays as it is.`;
  const amount = (store: Store): number => cabinCostIn(store, reservation.id, to);
  const premises = [isOnSaleStill(reservation), comparesAs(affordable ? 'at most' : 'more than', bound, amount)];
  return { customer, script, goal, outputs: [costOutput(reservation, to)], premises };
};

/** The gift card holds too little for the difference. */
export const upgradeGiftCardTooLow: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromReservation((r) =>
    cabinsFor(r).flatMap((cabin) =>
      r.customer.payments
        .filter((method) => method.source === 'gift_card' && method.amount < cabinCost(r, cabin))
        .map((card) => ({ cabin, card })),
    ),
  );
  if (found === undefined) return undefined;
  const [reservation, { cabin: to, card }] = found;
  const { customer } = reservation;
  const script = stage.begin(customer);
  const trip = nameReservation(stage, script, reservation);
  const cabin = nameCabin(to);
  const second = namePayment(customer, random.pick(creditCards(customer)));
  work(script, reservation, to);
  script.think('The gift card does not hold the whole difference, so the second choice pays it.');
  script.changeFlights(trip, cabin, sameFlights(trip), second);
  const goal = tell`You want ${trip} to be in ${cabin}, flights unchanged. You would like to pay the difference with ${namePayment(customer, card)}; if it does not hold enough for all of it, you pay the whole difference with ${second}.`;
  const amount = (store: Store): number => cabinCostIn(store, reservation.id, to);
  const premises = [isOnSaleStill(reservation), covers(false, customer, card, amount)];
  return { customer, script, goal, premises };
};

/** All trips in business class at once. */
export const downgradeAll: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const trips = customer.reservations.filter((r) => r.cabin === 'business' && isAhead(r));
    return trips.length >= 2 && trips.every((trip) => cabinsFor(trip).includes('economy')) ? [trips] : [];
  });
  if (found === undefined) return undefined;
  const [customer, trips] = found;
  const script = stage.begin(customer);
  script.readReservations(customer);
  const all = allReservations(
    customer,
    trips,
    'every trip of yours in business class whose flights are all still on sale',
    (booking, store) =>
      text(booking, 'cabin') === 'business' && statusesOf(store, booking).every((status) => status === 'available'),
  );
  const cabin = nameCabin('economy');
  const pay: Named<PaymentMethod> = namePayment(customer, random.pick(creditCards(customer)));
  for (const trip of trips) {
    work(script, trip, 'economy');
    script.changeFlights({ set: all, argument: trip.id }, cabin, sameFlights(oneOf(all, trip)), pay);
  }
  const total = Math.abs(trips.reduce((sum, trip) => sum + cabinCost(trip, 'economy'), 0));
  const goal = tell`You want ${all} to be changed to ${cabin}, without any change of flights or passengers. The money goes to ${pay}. In the end you ask how much you have saved by all of this together.`;
  const answers = (store: Store) => [
    String(Math.abs(trips.reduce((sum, trip) => sum + cabinCostIn(store, trip.id, 'economy'), 0))),
  ];
  return { customer, script, goal, outputs: [{ text: String(total), answers }], premises: trips.map(isOnSaleStill) };
};

/** All flights of the trip as they are. */
function sameFlights(trip: Named<Reservation>): Ground {
  const { segments } = trip.value;
  return ruled(
    [trip],
    segments.map(({ flight, date }) => flightRef(flight.number, date)),
    (store) => meant(store, trip).map(flightRefs),
  );
}

/** One of the trips that a description takes together. */
function oneOf(all: Named<readonly Reservation[]>, trip: Reservation): Named<Reservation> {
  return named({ text: all.text, value: trip, argument: trip.id, candidates: () => [trip.id] });
}

/** Other cabins with a seat for everybody on every flight. */
function cabinsFor(reservation: Reservation): Cabin[] {
  const { segments, passengers, cabin } = reservation;
  if (!isAhead(reservation)) return [];
  return CABINS.filter(
    (other) =>
      other !== cabin && segments.every(({ flight, date }) => hasSeats([flight], date, other, passengers.length)),
  );
}

/** What a cabin costs on top for everybody together; negative when something comes back. */
function cabinCost(reservation: Reservation, cabin: Cabin): number {
  return (newFare(reservation, cabin) - fareOf(reservation)) * reservation.passengers.length;
}

function newFare({ segments }: Reservation, cabin: Cabin): number {
  return segments.reduce((sum, { flight, date }) => sum + (offerOf(flight, date)?.prices[cabin] ?? 0), 0);
}

/** The same from the tables. */
function cabinCostIn(store: Store, id: string, cabin: Cabin): number {
  const booking = bookingOf(store, id);
  const fare = dicts(booking, 'flights').reduce(
    (sum, flight) => sum + priceOf(store, text(flight, 'flight_number'), text(flight, 'date'), cabin),
    0,
  );
  return (fare - bookedFare(booking)) * partySize(booking);
}

function costOutput(reservation: Reservation, cabin: Cabin) {
  return {
    text: String(Math.abs(cabinCost(reservation, cabin))),
    answers: (store: Store) => [String(Math.abs(cabinCostIn(store, reservation.id, cabin)))],
  };
}

/** Looks the fares up and works the difference out. */
function work(script: AirlineScript, reservation: Reservation, cabin: Cabin): void {
  script.searchSegments(reservation);
  const fares = `(${String(newFare(reservation, cabin))} - ${String(fareOf(reservation))})`;
  script.calculate(`${fares} * ${String(reservation.passengers.length)}`);
}
