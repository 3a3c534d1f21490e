/** The airline as the benchmark's tables: the same keys in the same order, all numbers ints. */

import type { PyDict, PyValue } from '../../../benchmark/python/index.ts';
import { timeOf } from './clock.ts';
import type { Airline, ByCabin, Customer, Flight, FlightDay, Passenger, PaymentMethod, Reservation } from './model.ts';

export function toTables(airline: Airline): PyDict {
  return new Map([
    ['flights', new Map(airline.flights.map((flight) => [flight.number, flightRecord(flight)]))],
    ['reservations', new Map(airline.reservations.map((booking) => [booking.id, reservationRecord(booking)]))],
    ['users', new Map(airline.customers.map((customer) => [customer.id, userRecord(customer)]))],
  ]);
}

function flightRecord(flight: Flight): PyValue {
  return record({
    flight_number: flight.number,
    origin: flight.origin,
    destination: flight.destination,
    scheduled_departure_time_est: timeOf(flight.departs),
    scheduled_arrival_time_est: timeOf(flight.arrives),
    dates: new Map(Array.from(flight.days, ([date, day]) => [date, dayRecord(day)])),
  });
}

function dayRecord(day: FlightDay): PyValue {
  const { status } = day;
  switch (status) {
    case 'available':
      return record({ status, available_seats: byCabin(day.seats), prices: byCabin(day.prices) });
    case 'landed':
      return record({ status, actual_departure_time_est: day.departed, actual_arrival_time_est: day.arrived });
    case 'flying':
      return record({ status, actual_departure_time_est: day.departed, estimated_arrival_time_est: day.arrives });
    case 'on time':
    case 'delayed':
      return record({ status, estimated_departure_time_est: day.departs, estimated_arrival_time_est: day.arrives });
    case 'cancelled':
      return record({ status });
  }
}

function byCabin({ basic_economy, economy, business }: ByCabin): PyValue {
  return record({
    basic_economy: BigInt(basic_economy),
    economy: BigInt(economy),
    business: BigInt(business),
  });
}

function userRecord(customer: Customer): PyValue {
  return record({
    name: record({ first_name: customer.firstName, last_name: customer.lastName }),
    address: record({ ...customer.address }),
    email: customer.email,
    dob: customer.dob,
    payment_methods: new Map(customer.payments.map((payment) => [payment.id, paymentRecord(payment)])),
    saved_passengers: customer.saved.map(passengerRecord),
    membership: customer.membership,
    reservations: customer.reservations.map((booking) => booking.id),
  });
}

function paymentRecord(payment: PaymentMethod): PyValue {
  const { source, id } = payment;
  return payment.source === 'credit_card'
    ? record({ source, brand: payment.brand, last_four: payment.lastFour, id })
    : record({ source, amount: BigInt(payment.amount), id });
}

/** As tables and tool arguments have a passenger. */
export function passengerRecord({ firstName, lastName, dob }: Passenger): PyDict {
  return record({ first_name: firstName, last_name: lastName, dob });
}

function reservationRecord(booking: Reservation): PyValue {
  return record({
    reservation_id: booking.id,
    user_id: booking.customer.id,
    origin: booking.origin,
    destination: booking.destination,
    flight_type: booking.type,
    cabin: booking.cabin,
    flights: booking.segments.map(({ flight, date, price }) =>
      record({
        origin: flight.origin,
        destination: flight.destination,
        flight_number: flight.number,
        date,
        price: BigInt(price),
      }),
    ),
    passengers: booking.passengers.map(passengerRecord),
    payment_history: [record({ payment_id: booking.payment.id, amount: BigInt(booking.paid) })],
    created_at: booking.createdAt,
    total_baggages: BigInt(booking.bags),
    nonfree_baggages: BigInt(booking.paidBags),
    insurance: booking.insured ? 'yes' : 'no',
  });
}

function record(fields: Readonly<Record<string, PyValue>>): PyDict {
  return new Map(Object.entries(fields));
}
