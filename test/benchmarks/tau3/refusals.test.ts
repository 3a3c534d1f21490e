/** Calls that τ³-bench's retail and airline refuse, on the small shop and airline: recordings are not everywhere. */

import { expect, it } from 'vitest';

import { openOverlay } from '../../../src/benchmarks/index.ts';
import { callTool, tau3Domains } from '../../../src/benchmarks/tau3/index.ts';
import { airport, dict, shop } from '../helpers.ts';

const PEOPLE = '[{"first_name": "Ada", "last_name": "Byron", "dob": "1990-12-10"}]';
const booking = (flight: string, amount: number) =>
  `{"user_id": "ada_1", "origin": "SFO", "destination": "JFK", "flight_type": "one_way", "cabin": "economy",
  "flights": [{"flight_number": "${flight}", "date": "2024-05-10"}], "passengers": ${PEOPLE}, "payment_methods":
  [{"payment_id": "gift_card_1", "amount": ${String(amount)}}], "total_baggages": 1, "nonfree_baggages": 1, "insurance": "no"}`;

it.each([
  ['find_user_id_by_email', '{"email": "x"}', 'User not found'],
  ['get_order_details', '{"order_id": "#W3"}', 'Order not found'],
  [
    'cancel_pending_order',
    '{"order_id": "#W2", "reason": "no longer needed"}',
    'Non-pending order cannot be cancelled',
  ],
  ['cancel_pending_order', '{"order_id": "#W1", "reason": "a whim"}', 'Invalid reason'],
  [
    'modify_pending_order_items',
    '{"order_id": "#W1", "item_ids": ["100"], "new_item_ids": ["100"], "payment_method_id": "gift_card_1"}',
    'The new item id should be different from the old item id',
  ],
  [
    'modify_pending_order_items',
    '{"order_id": "#W1", "item_ids": ["100"], "new_item_ids": ["102"], "payment_method_id": "gift_card_1"}',
    'New item 102 not found or available',
  ],
  [
    'modify_pending_order_payment',
    '{"order_id": "#W1", "payment_method_id": "gift_card_1"}',
    'The new payment method should be different from the current one',
  ],
  [
    'return_delivered_order_items',
    '{"order_id": "#W2", "item_ids": ["101", "101", "101"], "payment_method_id": "card_1"}',
    'Some item not found',
  ],
])('refuses %s(%s)', (name, args, message) => {
  expect(call('tau3-retail', name, args)).toEqual({ observation: `Error: ${message}`, error: true });
});

it.each([
  ['get_user_details', '{"user_id": "eve"}', 'User eve not found'],
  [
    'get_flight_status',
    '{"flight_number": "HAT001", "date": "2024-05-01"}',
    'Flight HAT001 not found on date 2024-05-01',
  ],
  ['book_reservation', booking('HAT001', 1), 'Payment amount does not add up, total price is 181, but paid 1'],
  ['book_reservation', booking('HAT001', 501), 'Not enough balance in payment method gift_card_1'],
  ['book_reservation', booking('HAT009', 1), 'Flight HAT009 not found'],
  [
    'update_reservation_baggages',
    '{"reservation_id": "RES001", "total_baggages": 2, "nonfree_baggages": 1, "payment_id": "certificate_1"}',
    'Certificate cannot be used to update reservation',
  ],
  [
    'update_reservation_passengers',
    `{"reservation_id": "RES001", "passengers": ${PEOPLE}}`,
    'Number of passengers does not match',
  ],
])('refuses %s(%s)', (name, args, message) => {
  expect(call('tau3-airline', name, args)).toEqual({ observation: `Error: ${message}`, error: true });
});

it('books a flight, and takes the money and the seat', () => {
  const state = openOverlay(airport);
  const booked = call('tau3-airline', 'book_reservation', booking('HAT001', 181), state);
  expect(booked).toMatchObject({ error: false });
  expect(booked.observation).toContain('"reservation_id": "HATHAT"');
  const status = call('tau3-airline', 'get_user_details', '{"user_id": "ada_1"}', state).observation;
  expect(status).toContain('{"source": "gift_card", "amount": 319, "id": "gift_card_1"}');
  expect(status).toContain('"reservations": ["RES001", "HATHAT"]');
  const offers = '{"origin": "SFO", "destination": "JFK", "date": "2024-05-10"}';
  expect(call('tau3-airline', 'search_direct_flight', offers, state).observation).toContain('"economy": 7');
});

function call(domainName: string, name: string, args: string, given?: ReturnType<typeof openOverlay>) {
  const domain = tau3Domains.get(domainName);
  if (domain === undefined) throw new Error(`no domain ${domainName}`);
  const state = given ?? openOverlay(domainName === 'tau3-retail' ? shop : airport);
  return callTool(domain, state, { name, arguments: dict(args) });
}
