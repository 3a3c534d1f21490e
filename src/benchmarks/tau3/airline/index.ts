/** τ³-bench's airline domain: tau-bench's airline with other rules for its tools. */

import { FLIGHTS, RESERVATIONS, USERS } from '../../tau-bench/airline/tables.ts';
import { calculate, transferToHumanAgents } from '../common.ts';
import { toolMap, type Tau3Domain } from '../domain.ts';
import { bookReservation } from './book-reservation.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { getFlightStatus, getReservationDetails, getUserDetails } from './get-details.ts';
import { listAllAirports } from './list-all-airports.ts';
import { loadAirline } from './models.ts';
import { searchDirectFlight, searchOnestopFlight } from './search-flights.ts';
import { sendCertificate } from './send-certificate.ts';
import { updateReservationBaggages } from './update-reservation-baggages.ts';
import { updateReservationFlights } from './update-reservation-flights.ts';
import { updateReservationPassengers } from './update-reservation-passengers.ts';

export const airline: Tau3Domain = {
  name: 'tau3-airline',
  files: ['db.json'],
  assistant: {
    toolkit: 'AirlineTools',
    tools: toolMap([
      bookReservation,
      calculate,
      cancelReservation,
      getFlightStatus,
      getReservationDetails,
      getUserDetails,
      listAllAirports,
      searchDirectFlight,
      searchOnestopFlight,
      sendCertificate,
      transferToHumanAgents,
      updateReservationBaggages,
      updateReservationFlights,
      updateReservationPassengers,
    ]),
    database: [FLIGHTS, USERS, RESERVATIONS].map((table) => ({ table, form: 'map' })),
  },
  load: (files) => loadAirline(files['db.json']),
};
