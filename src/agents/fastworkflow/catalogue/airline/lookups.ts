/** Commands that only read. */

import { airport, date, reservationId, userId } from './fields.ts';
import type { CommandDefinition, OutputDefinition } from '../types.ts';

/** What a search answers for each flight. */
const OFFER = 'flight number, times, and for each cabin seats and price';

const FOUND: readonly OutputDefinition[] = [
  { name: 'flights', description: `${OFFER}; nothing when none can be booked`, type: 'text' },
];

export const LOOKUPS: readonly CommandDefinition[] = [
  {
    name: 'get_user_details',
    description:
      'Get user details (name, e-mail, membership, payment methods with balances, saved passengers, and reservation ids ' +
      'of a customer).',
    utterances: [
      'show the profile of the customer',
      'which reservations does the user have',
      'look up the account of user jane_doe_0001',
      'what payment methods and gift card balances are on file',
      'is the customer a gold or silver member',
      'which passengers has the user saved',
    ],
    context: '*',
    label: 'User details: ',
    fields: [userId('id of the customer, whom to ask for it: it cannot be looked up')],
    outputs: [
      {
        name: 'user_details',
        description:
          'name, address, e-mail, day of birth, payment methods with balances, saved passengers, membership and ' +
          'reservation ids of the customer',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_reservation_details',
    description:
      'Get reservation details (user, route, cabin, flights with dates and prices, passengers, payments, bags, ' +
      'insurance, and when it was made).',
    utterances: [
      'pull up reservation ABC000',
      'check the reservation and show its details',
      'show the booking',
      'which flights are in the reservation',
      'how many bags and passengers does the reservation have',
      'in which cabin is it, when was it made, how was it paid for, and does it include insurance',
    ],
    context: '*',
    label: 'Reservation details: ',
    fields: [reservationId('id of the reservation')],
    outputs: [
      {
        name: 'reservation_details',
        description: 'user, route, cabin, flights, passengers, payments, bags, insurance and creation time',
        type: 'text',
      },
    ],
  },
  {
    name: 'list_all_airports',
    description: 'List all airports (the three-letter code of each with its city).',
    utterances: [
      'which airports are there',
      'what is the airport code of a city',
      'list every airport with its city',
      'where does the airline fly to',
      'find the IATA code by the name of the city',
    ],
    context: '*',
    label: 'Airports: ',
    fields: [],
    outputs: [{ name: 'airports', description: 'cities by airport code', type: 'text' }],
  },
  {
    name: 'search_direct_flight',
    description:
      'Search direct flight (all flights without a stop from one airport to another that can be booked on a date).',
    utterances: [
      'search direct flights from AAA to ZZZ on 2010-01-02',
      'which nonstop flights are available that day',
      'find a flight without a stop',
      'what does a direct flight cost in economy',
      'is there a non-stop connection',
    ],
    context: '*',
    label: 'Direct flights: ',
    fields: [
      airport('origin', 'airport where the flight starts'),
      airport('destination', 'airport where the flight lands'),
      date('day of departure'),
    ],
    outputs: FOUND,
  },
  {
    name: 'search_onestop_flight',
    description:
      'Search onestop flight (all pairs of flights with one stop between two airports that can be booked on a date).',
    utterances: [
      'search flights with one stop from AAA to ZZZ on 2010-01-02',
      'which connecting flights are available that day',
      'find a one-stop connection',
      'what does it cost with a change of planes',
      'get there by way of another airport, with a layover',
    ],
    context: '*',
    label: 'One-stop flights: ',
    fields: [
      airport('origin', 'airport where the first flight starts'),
      airport('destination', 'airport where the second flight lands'),
      date('day of departure of the first flight'),
    ],
    outputs: FOUND,
  },
];
