import { describe, expect, it } from 'vitest';
import { applyAction, openOverlay, dataHash, type EnvData } from '../../src/benchmarks/index.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { action, dict, sha256, airport } from './helpers.ts';

/** An order with items of two products, one of which has a variant with the id of the other's item. */
const TABLES = `{
  "orders": {"#W1": {"order_id": "#W1", "user_id": "ada_1", "status": "pending",
    "items": [{"product_id": "10", "item_id": "100", "price": 8.5, "options": {"size": "S"}},
              {"product_id": "20", "item_id": "101", "price": 3.0, "options": {"size": "S"}}],
    "payment_history": [{"transaction_type": "payment", "amount": 11.5, "payment_method_id": "gift_card_1"}]}},
  "products": {
    "10": {"name": "Mug", "product_id": "10", "variants": {
      "100": {"item_id": "100", "options": {"size": "S"}, "available": true, "price": 8.5},
      "101": {"item_id": "101", "options": {"size": "M"}, "available": true, "price": 9.0}}},
    "20": {"name": "Cup", "product_id": "20", "variants": {
      "101": {"item_id": "101", "options": {"size": "S"}, "available": true, "price": 3.0},
      "201": {"item_id": "201", "options": {"size": "M"}, "available": true, "price": 4.25}}}},
  "users": {"ada_1": {"email": "ada@example.com",
    "payment_methods": {"gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 20}}}}
}`;

describe('modify_pending_order_items', () => {
  it('keeps what it had changed when an id leads to another product’s item halfway', () => {
    const data: EnvData = { domain: 'retail', tables: dict(TABLES), terminateTools: [] };
    const overlay = openOverlay(data);
    const step = applyAction(
      data,
      overlay,
      action(
        'modify_pending_order_items',
        '{"order_id": "#W1", "item_ids": ["100", "101"], "new_item_ids": ["101", "201"], "payment_method_id": "gift_card_1"}',
      ),
    );
    expect(step).toMatchObject({ observation: "Error: '201'", changed: true });
    // Paid for, and the first item has the id of the second exchange by now, with the price of its own.
    expect(dumpJson(overlay.get('orders', '#W1'))).toContain(
      '"items": [{"product_id": "10", "item_id": "201", "price": 9.0',
    );
    expect(dumpJson(overlay.get('users', 'ada_1'))).toContain('"balance": 18.25');
    expect(dataHash(data, overlay, sha256)).toBe('7a14241f61782362ab14868883b51a239a8571cb7639fa3d320fe4ba8918f734');
  });
});

/** The observation of a booking that is paid with a certificate of the given worth. */
function pay(worth: string, amount: string): string {
  const state = openOverlay(airport);
  applyAction(airport, state, action('send_certificate', `{"user_id": "bob_2", "amount": ${worth}}`));
  const payments = `[{"payment_id": "certificate_3221322", "amount": ${amount}}]`;
  const booking = action(
    'book_reservation',
    `{"user_id": "bob_2", "origin": "SFO", "destination": "JFK", "flight_type": "one_way", "cabin": "economy",
      "flights": [], "passengers": [], "payment_methods": ${payments}, "total_baggages": 0, "nonfree_baggages": 0,
      "insurance": "no"}`,
  );
  return applyAction(airport, state, booking).observation;
}

describe('book_reservation with a certificate that is worth anything', () => {
  const TOO_LITTLE = 'Error: not enough balance in payment method certificate_3221322';

  it.each([
    ['"5"', '"7"', TOO_LITTLE],
    ['"7"', '"5"', "Error: unsupported operand type(s) for +: 'int' and 'str'"],
    ['[1, 2]', '[1, 3]', TOO_LITTLE],
    ['[1]', '[1, 0]', TOO_LITTLE],
    ['[NaN]', '[NaN, 1]', TOO_LITTLE],
    ['[1]', '[1]', "Error: unsupported operand type(s) for +: 'int' and 'list'"],
    ['[["a"]]', '[[1]]', "Error: '<' not supported between instances of 'str' and 'int'"],
    ['{}', '{}', "Error: '<' not supported between instances of 'dict' and 'dict'"],
    ['null', '1', "Error: '<' not supported between instances of 'NoneType' and 'int'"],
    ['5', '"5"', "Error: '<' not supported between instances of 'int' and 'str'"],
  ])('compares %s with %s as Python does', (worth, amount, answer) => {
    expect(pay(worth, amount)).toBe(answer);
  });
});
