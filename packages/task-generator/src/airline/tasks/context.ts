/** The tool calls of an airline ground truth, and the context that the airline's families draw from. */

import { Script, DrawContext, type Scenario } from '../../tasks/scenario.ts';
import type { Evidence, Ground } from '../../tasks/ground.ts';
import type { AirlineModel, Customer, Reservation } from '../model.ts';

interface Booking {
  readonly origin: Ground;
  readonly destination: Ground;
  readonly flight_type: Ground;
  readonly cabin: Ground;
  readonly flights: Ground;
  readonly passengers: Ground;
  readonly payment_methods: Ground;
  readonly total_baggages: Ground;
  readonly nonfree_baggages: Ground;
  readonly insurance: Ground;
}

export class AirlineScript extends Script {
  readReservation(reservation: Reservation): void {
    this.lookUp('get_reservation_details', { reservation_id: reservation.id }, reservation.id);
  }

  /** Reads the customer's reservations up to the given one. */
  findReservation(reservation: Reservation): void {
    this.readReservations(reservation.customer, reservation);
  }

  /** Reads all reservations, as a comparison needs. */
  readReservations(customer: Customer, wanted?: Reservation): void {
    this.readRecords(customer, customer.reservations, (one) => this.readReservation(one), wanted);
  }

  listAirports(): void {
    this.lookUp('list_all_airports', {}, 'list_all_airports');
  }

  searchDirect(origin: string, destination: string, date: string): void {
    this.lookUp('search_direct_flight', { origin, destination, date }, `direct ${origin} ${destination} ${date}`);
  }

  searchOneStop(origin: string, destination: string, date: string): void {
    this.lookUp('search_onestop_flight', { origin, destination, date }, `one stop ${origin} ${destination} ${date}`);
  }

  /** Looks the day's fares of a reservation's flights up. */
  searchSegments(reservation: Reservation): void {
    for (const { flight, date } of reservation.segments) this.searchDirect(flight.origin, flight.destination, date);
  }

  /** Works something out that the customer or a payment needs. */
  calculate(expression: string): void {
    this.call('calculate', { expression });
  }

  book(customer: Customer, booking: Booking): void {
    this.write('book_reservation', { user_id: self(customer), ...booking });
  }

  cancel(reservation: Evidence): void {
    this.write('cancel_reservation', { reservation_id: reservation });
  }

  changeFlights(reservation: Evidence, cabin: Ground, flights: Ground, payment: Ground): void {
    this.write('update_reservation_flights', { reservation_id: reservation, cabin, flights, payment_id: payment });
  }

  changeBags(reservation: Evidence, total: Ground, nonfree: Ground, payment: Ground): void {
    this.write('update_reservation_baggages', {
      reservation_id: reservation,
      total_baggages: total,
      nonfree_baggages: nonfree,
      payment_id: payment,
    });
  }

  changePassengers(reservation: Evidence, passengers: Ground): void {
    this.write('update_reservation_passengers', { reservation_id: reservation, passengers });
  }

  sendCertificate(customer: Customer, amount: Ground): void {
    this.write('send_certificate', { user_id: self(customer), amount });
  }
}

function self(customer: Customer): Evidence {
  return { self: true, argument: customer.id };
}

export type AirlineScenario = Scenario<Customer>;
export type AirlineFamily = (context: AirlineContext) => AirlineScenario | undefined;

export class AirlineContext extends DrawContext<Customer, AirlineModel, AirlineScript> {
  /** Returns a script in which the agent has read the profile. */
  begin(customer: Customer): AirlineScript {
    const script = this.begun ?? new AirlineScript();
    script.readUser(customer);
    return script;
  }

  /** Finds a random one of what `options` gives for a random reservation. */
  fromReservation<T>(options: (reservation: Reservation) => readonly T[]): readonly [Reservation, T] | undefined {
    return this.search(this.model.reservations, options);
  }
}
