import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldActions,
  openOverlay,
  dataHash,
  sameState,
  diffStates,
  StateHasher,
  type EnvData,
} from '../../src/benchmarks/index.ts';
import { Overlay } from '../../src/benchmarks/testing.ts';
import { PyFloat, type PyDict } from '../../src/benchmarks/python/index.ts';
import { sha256, sha256Hashing } from '../../src/io/index.ts';
import { pyValues, shop, shopActions, action, dict } from './helpers.ts';

const ids = fc.oneof(fc.constantFrom('a', 'b', 'c', 'zz', '10', '9', 'é', '\ue000', '😀'), fc.string({ maxLength: 3 }));
const records: fc.Arbitrary<PyDict> = fc
  .array(fc.tuple(ids, pyValues), { maxLength: 3 })
  .map((entries) => new Map(entries));
const table: fc.Arbitrary<PyDict> = fc
  .array(fc.tuple(ids, records), { maxLength: 6 })
  .map((entries) => new Map(entries));
const writes = fc.array(fc.tuple(fc.constantFrom('users', 'orders'), ids, records), { maxLength: 8 });

describe('StateHasher', () => {
  it('gives the hash of the data rendered as a whole, whatever was written, replaced or added, and where', () => {
    const all = fc.tuple(table, table, fc.array(writes, { minLength: 1, maxLength: 4 }), fc.nat(2));
    fc.assert(
      fc.property(all, ([users, orders, states, maxKnown]) => {
        const tables = new Map([
          ['users', users],
          ['orders', orders],
        ]);
        const data: EnvData = { domain: 'retail', terminateTools: [], tables };
        const hasher = new StateHasher(data, sha256Hashing, { maxKnown });
        for (const written of [...states, ...states]) {
          const state = new Overlay(tables);
          for (const [name, id, record] of written) state.put(name, id, record);
          expect(hasher.hash(state)).toBe(dataHash(data, state, sha256));
        }
      }),
    );
  });

  it('gives the hash of what tools have written', () => {
    const hasher = new StateHasher(shop, sha256Hashing);
    fc.assert(
      fc.property(fc.array(shopActions, { maxLength: 6 }), (actions) => {
        const state = foldActions(shop, actions);
        expect(hasher.hash(state)).toBe(dataHash(shop, state, sha256));
      }),
    );
  });

  it('resumes where the first written record is, and knows a state again by what was written', () => {
    const many = new Map(
      Array.from({ length: 2000 }, (_, at) => [
        `id${String(at).padStart(4, '0')}`,
        new Map([['text', 'x'.repeat(40)]]),
      ]),
    );
    const data: EnvData = { domain: 'retail', terminateTools: [], tables: new Map([['many', many]]) };
    let bytesRead = 0;
    const hasher = new StateHasher(data, {
      encode: sha256Hashing.encode,
      start: () => counting(sha256Hashing.start(), (bytes) => (bytesRead += bytes)),
    });
    hasher.hash(new Overlay(data.tables));
    const late = () => {
      const state = new Overlay(data.tables);
      state.put('many', 'id1990', new Map([['text', 'y']]));
      state.put('many', 'id1995', new Map([['text', 'x'.repeat(40)]]));
      return state;
    };
    bytesRead = 0;
    expect(hasher.hash(late())).toBe(dataHash(data, late(), sha256));
    expect(bytesRead).toBeLessThan(20_000);
    bytesRead = 0;
    hasher.hash(late());
    expect(bytesRead).toBeLessThan(100);
  });
});

type Started = ReturnType<typeof sha256Hashing.start>;

function counting(inner: Started, count: (bytes: number) => void): Started {
  return {
    update: (bytes) => {
      count(bytes.length);
      inner.update(bytes);
    },
    copy: () => counting(inner.copy(), count),
    digest: () => inner.digest(),
  };
}

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

  it('reports numbers that are spelt otherwise, and records that only one state has', () => {
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
