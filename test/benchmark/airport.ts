/** A small airline to test the benchmark on: two users, two reservations, four flights on three days. */

import type { EnvData } from '../../src/benchmark/environment.ts';
import { dict } from './helpers.ts';

const DAYS = `
  "2024-05-09": {"status": "available", "available_seats": {"basic_economy": 9, "economy": 2, "business": 1},
                 "prices": {"basic_economy": 50, "economy": 110, "business": 320}},
  "2024-05-10": {"status": "available", "available_seats": {"basic_economy": 4, "economy": 8, "business": 0},
                 "prices": {"basic_economy": 62, "economy": 131, "business": 400}},
  "2024-05-16": {"status": "cancelled"}`;

function flight(number: string, from: string, to: string, departure: string, arrival: string): string {
  return `"${number}": {"flight_number": "${number}", "origin": "${from}", "destination": "${to}",
    "scheduled_departure_time_est": "${departure}", "scheduled_arrival_time_est": "${arrival}", "dates": {${DAYS}}}`;
}

function reservation(id: string, userId: string, passengers: string, paid: string): string {
  return `"${id}": {"reservation_id": "${id}", "user_id": "${userId}", "origin": "SFO", "destination": "JFK",
    "flight_type": "one_way", "cabin": "economy",
    "flights": [{"origin": "SFO", "destination": "JFK", "flight_number": "HAT001", "date": "2024-05-10", "price": 131}],
    "passengers": [${passengers}], "payment_history": [${paid}], "created_at": "2024-05-01T10:00:00",
    "total_baggages": 1, "nonfree_baggages": 0, "insurance": "no"}`;
}

const ADA = '{"first_name": "Ada", "last_name": "Byron", "dob": "1990-12-10"}';
const BOB = '{"first_name": "Bob", "last_name": "Noyce", "dob": "1987-12-12"}';

export const airport: EnvData = {
  domain: 'airline',
  terminateTools: ['transfer_to_human_agents'],
  tables: dict(`{
    "flights": {
      ${flight('HAT001', 'SFO', 'JFK', '06:00:00', '14:30:00')},
      ${flight('HAT002', 'JFK', 'SFO', '15:00:00', '23:30:00')},
      ${flight('HAT003', 'SFO', 'ORD', '22:00:00', '04:00:00+1')},
      ${flight('HAT004', 'ORD', 'JFK', '09:00:00', '12:00:00')}},
    "reservations": {
      ${reservation('RES001', 'ada_1', `${ADA}, ${BOB}`, '{"payment_id": "gift_card_1", "amount": 262}')},
      ${reservation('RES002', 'bob_2', BOB, '{"payment_id": "credit_card_2", "amount": 131}')}},
    "users": {
      "ada_1": {"name": {"first_name": "Ada", "last_name": "Byron"}, "email": "ada@example.com",
        "payment_methods": {
          "gift_card_1": {"source": "gift_card", "amount": 500, "id": "gift_card_1"},
          "certificate_1": {"source": "certificate", "amount": 100, "id": "certificate_1"},
          "credit_card_1": {"source": "credit_card", "brand": "visa", "last_four": "1111", "id": "credit_card_1"}},
        "saved_passengers": [], "membership": "gold", "reservations": ["RES001"]},
      "bob_2": {"name": {"first_name": "Bob", "last_name": "Noyce"}, "email": "bob@example.com",
        "payment_methods": {
          "credit_card_2": {"source": "credit_card", "brand": "visa", "last_four": "2222", "id": "credit_card_2"}},
        "saved_passengers": [], "membership": "regular", "reservations": ["RES002"]}}
  }`),
};
