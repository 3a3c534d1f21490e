/** What the airline's tools tell a model about themselves. Names and parameters are the benchmark's, the sentences our own. */

import type { Dumpable } from '../../../benchmark/python/index.ts';
import { common, functionSchemas, text, type Parameter, type ToolTexts } from '../tool-texts.ts';
import { CABINS } from './model.ts';

const choice = (values: readonly string[], description?: string): Parameter => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
  enum: values,
});
const whole = (description: string): Parameter => ({ type: 'integer', description });
const list = (description: string, properties: Readonly<Record<string, Parameter>>): Parameter => ({
  type: 'array',
  description,
  items: { type: 'object', properties, required: Object.keys(properties) },
});

const userId = text("The customer's user id, for example 'greta_quill_5120'.");
const reservationId = text("Id of the reservation, for example 'K7RW2D'.");
const cabin = choice(CABINS, 'The cabin, the same on all flights.');
const airport = (which: string): Parameter => text(`Code of the airport ${which}, for example 'BOS'.`);
const date = text("The day of departure as YYYY-MM-DD, for example '2024-05-19'.");
const flights = (description: string): Parameter =>
  list(description, { flight_number: text("The flight's number, for example 'KTW014'."), date });
const passengers = (description: string): Parameter =>
  list(description, {
    first_name: text("The first name, for example 'Greta'."),
    last_name: text("The last name, for example 'Quill'."),
    dob: text("The date of birth as YYYY-MM-DD, for example '1979-11-02'."),
  });
const settling = text(
  "Id of the credit card or gift card that pays or receives the difference, for example 'gift_card_7713305'. The customer's profile lists them.",
);

const TOOLS: ToolTexts = {
  book_reservation: [
    "Books a trip. Check every rule and add the price up before you call this, and have the customer's yes; the payments have to come to the exact price. Gives the reservation.",
    {
      user_id: userId,
      origin: airport('where the trip starts'),
      destination: airport('where it leads to'),
      flight_type: choice(['one_way', 'round_trip']),
      cabin,
      flights: flights('All flights of the trip in the order in which they are flown, the way back included.'),
      passengers: passengers('Everybody who travels, five people at most.'),
      payment_methods: list('What is charged to which payment method, in the order in which they are charged.', {
        payment_id: text("Id of a payment method of the customer's profile, for example 'certificate_2204718'."),
        amount: { type: 'number', description: 'Dollars that this method pays.' },
      }),
      total_baggages: whole('How many bags are checked in all.'),
      nonfree_baggages: whole('How many of them are beyond the free ones and cost 50 dollars each.'),
      insurance: choice(['yes', 'no'], 'Whether insurance is bought.'),
    },
  ],
  calculate: common.calculate,
  cancel_reservation: [
    'Cancels a whole reservation and pays everything back the way it was paid. Nothing is checked: make sure that the rules allow it and that the customer agrees.',
    { reservation_id: reservationId },
  ],
  get_reservation_details: [
    'Shows a reservation: its flights, passengers, payments, bags and insurance.',
    { reservation_id: reservationId },
  ],
  get_user_details: [
    "Shows a customer's profile: membership, date of birth, payment methods, saved passengers, reservation ids.",
    { user_id: userId },
  ],
  list_all_airports: ['Lists the codes of all airports with their cities.', {}],
  search_direct_flight: [
    'Lists the flights without a stop that can be booked for a day, with seats and prices by cabin.',
    { origin: airport('of departure'), destination: airport('of arrival'), date },
  ],
  search_onestop_flight: [
    'Lists the pairs of flights with one change that can be booked for a day, with seats and prices by cabin.',
    { origin: airport('of departure'), destination: airport('of arrival'), date },
  ],
  send_certificate: [
    "Puts a certificate into a customer's profile. Only for compensation that the rules provide for; it cannot be taken back.",
    { user_id: userId, amount: { type: 'number', description: 'What the certificate is worth, in dollars.' } },
  ],
  think: common.think,
  transfer_to_human_agents: common.transfer,
  update_reservation_baggages: [
    "Sets how many bags a reservation has. What is beyond the bags that are paid for already is charged. Have the customer's yes first.",
    {
      reservation_id: reservationId,
      total_baggages: whole('How many bags are checked in all afterwards.'),
      nonfree_baggages: whole('How many of them are beyond the free ones.'),
      payment_id: settling,
    },
  ],
  update_reservation_flights: [
    "Sets the flights and the cabin of a reservation. List the whole trip: flights that stay as well. The difference in price is charged or refunded. Have the customer's yes first.",
    {
      reservation_id: reservationId,
      cabin,
      flights: flights('All flights of the trip as it shall be, in the order in which they are flown.'),
      payment_id: settling,
    },
  ],
  update_reservation_passengers: [
    "Sets who travels on a reservation. The list must be as long as before. Have the customer's yes first.",
    {
      reservation_id: reservationId,
      passengers: passengers('Everybody who travels afterwards, in the order of the reservation.'),
    },
  ],
};

/** The content of `tools.json`. */
export function toolSchemas(): Dumpable {
  return functionSchemas(TOOLS);
}
