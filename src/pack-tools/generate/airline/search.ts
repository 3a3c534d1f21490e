/** Finds flights in the airline as it is being made, the way its tools find them in the tables. */

import { routeKey, type Airline, type Cabin, type Flight, type FlightDay, type Segment } from './model.ts';

/** A way from one airport to another on one day: one flight, or two with a change. */
export type Journey = readonly Flight[];

/** Flights of the route that can be booked on the date. */
export function directJourneys(airline: Airline, origin: string, destination: string, date: string): Journey[] {
  return flightsOn(airline, origin, destination, date).map((flight) => [flight]);
}

/** Pairs of flights that can be booked, the second not before the first has arrived. */
export function oneStopJourneys(airline: Airline, origin: string, destination: string, date: string): Journey[] {
  const stops = new Set(
    Array.from(airline.routes.values(), ([flight]) => flight)
      .filter((flight) => flight?.origin === origin)
      .map((flight) => flight?.destination ?? ''),
  );
  return Array.from(stops).flatMap((stop) =>
    flightsOn(airline, origin, stop, date).flatMap((first) =>
      flightsOn(airline, stop, destination, date)
        .filter((second) => second.departs >= first.arrives)
        .map((second) => [first, second]),
    ),
  );
}

/** Whether as many seats as that are left in a cabin, all the way. */
export function hasSeats(journey: Journey, date: string, cabin: Cabin, passengers: number): boolean {
  return journey.every((flight) => (offerOf(flight, date)?.seats[cabin] ?? 0) >= passengers);
}

/** What one passenger pays, all the way. */
export function fareOf(journey: Journey, date: string, cabin: Cabin): number {
  return journey.reduce((sum, flight) => sum + (offerOf(flight, date)?.prices[cabin] ?? 0), 0);
}

export function segmentsOf(journey: Journey, date: string, cabin: Cabin): Segment[] {
  return journey.map((flight) => ({ flight, date, price: offerOf(flight, date)?.prices[cabin] ?? 0 }));
}

export function offerOf(flight: Flight, date: string): Extract<FlightDay, { status: 'available' }> | undefined {
  const day = flight.days.get(date);
  return day?.status === 'available' ? day : undefined;
}

function flightsOn(airline: Airline, origin: string, destination: string, date: string): Flight[] {
  const flights = airline.routes.get(routeKey(origin, destination)) ?? [];
  return flights.filter((flight) => offerOf(flight, date) !== undefined);
}
