/** The airline domain: an airline's flights, reservations and users. */

import { calculate, think, transferToHumanAgents } from '../common.ts';
import type { Domain } from '../../domain.ts';
import { AIRLINE_AUDIT, AIRLINE_SHAPES } from './records.ts';
import { bookReservation } from './book-reservation.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { getReservationDetails, getUserDetails } from './get-details.ts';
import { listAllAirports } from './list-all-airports.ts';
import { searchDirectFlight } from './search-direct-flight.ts';
import { searchOnestopFlight } from './search-onestop-flight.ts';
import { sendCertificate } from './send-certificate.ts';
import { FLIGHTS, RESERVATIONS, USERS } from './tables.ts';
import { updateReservationBaggages } from './update-reservation-baggages.ts';
import { updateReservationFlights } from './update-reservation-flights.ts';
import { updateReservationPassengers } from './update-reservation-passengers.ts';

const TOOLS = [
  bookReservation,
  calculate,
  cancelReservation,
  getReservationDetails,
  getUserDetails,
  listAllAirports,
  searchDirectFlight,
  searchOnestopFlight,
  sendCertificate,
  think,
  transferToHumanAgents,
  updateReservationBaggages,
  updateReservationFlights,
  updateReservationPassengers,
];

export const airline: Domain = {
  tables: [FLIGHTS, RESERVATIONS, USERS],
  tools: new Map(TOOLS.map((tool) => [tool.name, tool])),
  shapes: AIRLINE_SHAPES,
  audit: AIRLINE_AUDIT,
};
