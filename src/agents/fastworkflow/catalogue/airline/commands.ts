/** tau-bench airline: a command for each of its tools but `think`, which does nothing. */

import {
  CALCULATE,
  STATUS,
  TRANSFER_TO_HUMAN_AGENTS,
  TRANSFER_VARIANTS,
  withName,
  asRead,
  userId,
  type CommandDefinition,
  type DomainDefinition,
  type OutputDefinition,
} from '../definitions.ts';
import {
  airport,
  bags,
  bookingRules,
  cabin,
  date,
  flights,
  nonfreeAmongAll,
  passengers,
  paymentId,
  paymentMethods,
  reservationId,
  wellFormedLists,
} from './fields.ts';

/** Fields of each flight in a search's result. */
const OFFER = 'flight number, times, and for each cabin seats and price';

const FOUND: readonly OutputDefinition[] = [
  { name: 'flights', description: `${OFFER}; nothing when none can be booked`, type: 'text' },
];

/** Commands that only read. */
const LOOKUPS: readonly CommandDefinition[] = [
  {
    name: 'get_user_details',
    description:
      "Get a user's details: name, e-mail address, membership, payment methods with balances, saved passengers, " +
      'reservation ids.',
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
    fields: [userId('id of the user; ask the user for it, because it cannot be looked up')],
    outputs: [
      {
        name: 'user_details',
        description:
          'name, address, e-mail, day of birth, payment methods with balances, saved passengers, membership and ' +
          'reservation ids of the user',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_reservation_details',
    description:
      "Get a reservation's details: user, route, cabin, flights with dates and prices, passengers, payments, bags, " +
      'insurance, time of booking.',
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
    description: 'List the three-letter codes of all airports with their cities.',
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
    description: 'Find all flights without a stop from one airport to another that can be booked on a date.',
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
    description: 'Find all pairs of flights with one stop between two airports that can be booked on a date.',
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

/** Commands that change data. None of them checks the policy. */
const WRITES: readonly CommandDefinition[] = [
  {
    name: 'book_reservation',
    description:
      'Book flights for passengers who take the same flights in the same cabin. Refused unless the amounts add up to ' +
      'the price of all seats, bags that are not free, and insurance.',
    utterances: [
      'book a flight for the customer',
      'create a new reservation for the user',
      'buy tickets from AAA to ZZZ for two people',
      'reserve seats on the flights that were found',
      'purchase a round trip and pay with a certificate',
    ],
    context: '*',
    label: 'Booked: ',
    fields: [
      userId('id of the user who books'),
      airport('origin', 'airport where the trip starts'),
      airport('destination', 'airport where the trip leads'),
      {
        name: 'flight_type',
        description: 'whether the trip leads back',
        type: 'text',
        required: true,
        allowed: ['one_way', 'round_trip'],
      },
      cabin('cabin of all flights'),
      flights('every flight in the order of travel, way back included'),
      passengers('everybody who travels', ['get_user_details']),
      paymentMethods("what is paid with which of the user's payment methods, in whole dollars"),
      bags('total_baggages', 'checked bags of all passengers together'),
      bags('nonfree_baggages', 'how many of these bags are not free and cost 50 dollars'),
      {
        name: 'insurance',
        description: 'whether travel insurance is bought, for 30 dollars a passenger',
        type: 'text',
        required: true,
        allowed: ['yes', 'no'],
      },
    ],
    outputs: STATUS,
    validate: bookingRules,
  },
  {
    name: 'cancel_reservation',
    description: 'Cancel a whole reservation. The payments are refunded to their payment methods.',
    utterances: [
      'cancel the reservation',
      'call off the whole trip',
      'cancel booking ABC000 and refund it',
      'the customer does not want to travel any more',
      'drop the booking after a change of plans',
    ],
    context: '*',
    label: 'Cancelled: ',
    fields: [reservationId('id of the reservation')],
    outputs: STATUS,
  },
  {
    name: 'update_reservation_flights',
    description:
      'Change the flights, the cabin or both of a reservation. The difference in price is paid or refunded. This replaces ' +
      'all flights of the reservation, so give those that stay as well.',
    utterances: [
      'change the flights of the reservation',
      'move the trip to another date',
      'upgrade the cabin of reservation ABC000 to business class',
      'put the customer on an earlier or later flight',
      'downgrade the booking to economy',
      'rebook the trip on other flights',
    ],
    context: '*',
    label: 'Changed flights: ',
    fields: [
      reservationId('id of the reservation'),
      cabin('cabin of all flights from now on; the present one, if it stays', ['get_reservation_details']),
      flights('every flight from now on, those that stay included', ['get_reservation_details']),
      paymentId('pays or receives the difference: a credit card or a gift card of the user, no certificate'),
    ],
    outputs: STATUS,
    validate: wellFormedLists,
  },
  {
    name: 'update_reservation_passengers',
    description:
      'Change names or days of birth of the passengers of a reservation; their number stays. This replaces all passengers ' +
      'of the reservation, so give those that stay as well.',
    utterances: [
      'change a passenger of the reservation',
      'correct the name of a traveller',
      'another person travels instead',
      'fix a misspelt last name in reservation ABC000',
      'replace the passenger by a friend',
    ],
    context: '*',
    label: 'Changed passengers: ',
    fields: [
      reservationId('id of the reservation'),
      passengers('everybody who travels from now on, as many as before', [
        'get_reservation_details',
        'get_user_details',
      ]),
    ],
    outputs: STATUS,
    validate: wellFormedLists,
  },
  {
    name: 'update_reservation_baggages',
    description: 'Change the number of bags of a reservation. Bags that are not free are paid for.',
    utterances: [
      'add a checked bag to the reservation',
      'the customer brings more luggage',
      'change the number of bags',
      'pay for an extra suitcase',
      'update the baggage of reservation ABC000',
    ],
    context: '*',
    label: 'Changed baggage: ',
    fields: [
      reservationId('id of the reservation'),
      bags('total_baggages', 'all checked bags from now on, those that it has included'),
      bags('nonfree_baggages', 'how many of all these bags are not free and cost 50 dollars'),
      paymentId('pays for the bags: a credit card or a gift card of the user, no certificate'),
    ],
    outputs: STATUS,
    validate: nonfreeAmongAll,
  },
  {
    name: 'send_certificate',
    description: 'Send a certificate: travel credit that the user can pay a later booking with.',
    utterances: [
      'send a certificate to the customer',
      'compensate the user for a delayed flight',
      'issue a voucher of 100 dollars',
      'offer travel credit as an apology for the cancelled flight',
      'give jane_doe_0001 a certificate as a gesture',
    ],
    context: '*',
    label: 'Response: ',
    fields: [
      userId('id of the user who receives it'),
      {
        name: 'amount',
        description: 'what it is worth in dollars; a whole amount is written without decimals',
        type: 'number',
        required: true,
        examples: ['1000'],
      },
    ],
    outputs: STATUS,
  },
];

export const AIRLINE: DomainDefinition = {
  commands: [...LOOKUPS.map(asRead), ...WRITES, CALCULATE, TRANSFER_TO_HUMAN_AGENTS],
  withoutCommand: ['think'],
  // All other defects that change commands are known of FastWorkflow's retail workflow only.
  variants: { 'fastworkflow-legacy-catalogue': withName, ...TRANSFER_VARIANTS },
};
