/** The models of τ³-bench's airline data. */

import { create, float, integer, readEach, literal, readValues, model, readFirst, optional, text } from '../models.ts';
import type { PyDict, PyValue } from '../../python/index.ts';

const BY_CABIN = readValues(integer);
const CERTIFICATE = model('Certificate', { source: literal('certificate'), id: text, amount: float });
const PASSENGER = model('Passenger', { first_name: text, last_name: text, dob: text });
const PAYMENT = model('Payment', { payment_id: text, amount: integer });
const FLIGHT_INFO = model('FlightInfo', { flight_number: text, date: text });
const RESERVATION = model('Reservation', {
  reservation_id: text,
  user_id: text,
  origin: text,
  destination: text,
  flight_type: literal('round_trip', 'one_way'),
  cabin: literal('business', 'economy', 'basic_economy'),
  flights: readEach(
    model('ReservationFlight', { flight_number: text, origin: text, destination: text, date: text, price: integer }),
  ),
  passengers: readEach(PASSENGER),
  payment_history: readEach(PAYMENT),
  created_at: text,
  total_baggages: integer,
  nonfree_baggages: integer,
  insurance: literal('yes', 'no'),
  status: optional(literal('cancelled')),
});

const DEPARTURE = { estimated: { estimated_departure_time_est: text }, actual: { actual_departure_time_est: text } };
const ESTIMATED_ARRIVAL = { estimated_arrival_time_est: text };
const FLIGHT_DATE = readFirst(
  model('FlightDateStatusAvailable', { status: literal('available'), available_seats: BY_CABIN, prices: BY_CABIN }),
  model('FlightDateStatusLanded', { status: literal('landed'), ...DEPARTURE.actual, actual_arrival_time_est: text }),
  model('FlightDateStatusCancelled', { status: literal('cancelled') }),
  model('FlightDateStatusDelayed', { status: literal('delayed'), ...DEPARTURE.estimated, ...ESTIMATED_ARRIVAL }),
  model('FlightDataStatusFlying', { status: literal('flying'), ...DEPARTURE.actual, ...ESTIMATED_ARRIVAL }),
  model('FlightDataStatusOnTime', { status: literal('on time'), ...DEPARTURE.estimated, ...ESTIMATED_ARRIVAL }),
);
const FLIGHT = model('Flight', {
  flight_number: text,
  origin: text,
  destination: text,
  scheduled_departure_time_est: text,
  scheduled_arrival_time_est: text,
  dates: readValues(FLIGHT_DATE),
});
const USER = model('User', {
  user_id: text,
  name: model('Name', { first_name: text, last_name: text }),
  address: model('Address', {
    address1: text,
    address2: optional(text),
    city: text,
    country: text,
    state: text,
    zip: text,
  }),
  email: text,
  dob: text,
  payment_methods: readValues(
    readFirst(
      model('CreditCard', { source: literal('credit_card'), id: text, brand: text, last_four: text }),
      model('GiftCard', { source: literal('gift_card'), id: text, amount: float }),
      CERTIFICATE,
    ),
  ),
  saved_passengers: readEach(PASSENGER),
  membership: literal('gold', 'silver', 'regular'),
  reservations: readEach(text),
});
const DATABASE = model('FlightDB', {
  flights: readValues(FLIGHT),
  users: readValues(USER),
  reservations: readValues(RESERVATION),
});

/** Loads the tables of the reference's `db.json`. */
export function loadAirline(db: PyValue | undefined): PyDict {
  return create('FlightDB', DATABASE, db ?? null);
}

/** Creates a reservation. @throws PyError for invalid values */
export function createReservation(values: Readonly<Record<string, PyValue>>): PyDict {
  return create('Reservation', RESERVATION, new Map(Object.entries(values)));
}

export function createCertificate(id: string, amount: PyValue): PyDict {
  const values = Object.entries({ source: 'certificate', id, amount });
  return create('Certificate', CERTIFICATE, new Map<string, PyValue>(values));
}

export function createPassenger(values: PyDict): PyDict {
  return create('Passenger', PASSENGER, values);
}

export function createPayment(values: PyDict): PyDict {
  return create('Payment', PAYMENT, values);
}

export function createFlightInfo(values: PyDict): PyDict {
  return create('FlightInfo', FLIGHT_INFO, values);
}
