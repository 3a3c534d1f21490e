import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldActions, openOverlay } from '../../src/benchmark/environment.ts';
import { sameState } from '../../src/benchmark/state.ts';
import { diffStates } from '../../src/benchmark/state-diff.ts';
import { PyFloat } from '../../src/benchmark/python/value.ts';
import { action, dict, shop, shopActions } from './helpers.ts';

const CANCEL = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}');

describe('diffStates', () => {
  it('names the fields of the records that differ, and what each state has there', () => {
    const diffs = diffStates(shop, foldActions(shop, [CANCEL]), openOverlay(shop));
    expect(diffs).toEqual([
      {
        table: 'orders',
        id: '#W1',
        fields: [
          { path: ['payment_history', 1], a: expect.any(Map) as unknown },
          { path: ['status'], a: 'cancelled', b: 'pending' },
          { path: ['cancel_reason'], a: 'no longer needed' },
        ],
      },
      {
        table: 'users',
        id: 'ada_1',
        fields: [{ path: ['payment_methods', 'gift_card_1', 'balance'], a: new PyFloat(28.5), b: 20n }],
      },
    ]);
  });

  it('tells numbers that are spelt otherwise, and records that only one state has', () => {
    const [a, b] = [openOverlay(shop), openOverlay(shop)];
    a.put('users', 'ada_1', dict('{"zip": 1, "n": [1.0, 2]}'));
    b.put('users', 'ada_1', dict('{"zip": 1.0, "n": [1.0, 2, 3]}'));
    b.put('users', 'new_1', dict('{"x": 1}'));
    expect(diffStates(shop, a, b)).toEqual([
      {
        table: 'users',
        id: 'ada_1',
        fields: [
          { path: ['zip'], a: 1n, b: new PyFloat(1) },
          { path: ['n', 2], b: 3n },
        ],
      },
      { table: 'users', id: 'new_1', fields: [{ path: [], b: dict('{"x": 1}') }] },
    ]);
  });

  it('is empty exactly when the hashes are equal', () => {
    const actions = fc.array(shopActions, { maxLength: 4 });
    fc.assert(
      fc.property(actions, actions, (first, second) => {
        const [a, b] = [foldActions(shop, first), foldActions(shop, second)];
        expect(diffStates(shop, a, b).length === 0).toBe(sameState(shop, a, b));
      }),
    );
  });
});
