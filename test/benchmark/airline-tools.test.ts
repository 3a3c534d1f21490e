import { describe, expect, it } from 'vitest';
import { applyAction, openOverlay } from '../../src/benchmark/environment.ts';
import { airport } from './airport.ts';
import { action } from './helpers.ts';

/** What a booking is answered that is paid with a certificate of the given worth. */
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
