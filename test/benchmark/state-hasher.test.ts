import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvData } from '../../src/benchmark/environment.ts';
import { foldActions } from '../../src/benchmark/environment.ts';
import { Overlay } from '../../src/benchmark/overlay.ts';
import type { PyDict } from '../../src/benchmark/python/value.ts';
import { dataHash } from '../../src/benchmark/state.ts';
import { StateHasher } from '../../src/benchmark/state-hasher.ts';
import { sha256, sha256Hashing } from '../../src/io/sha256.ts';
import { pyValues, shop, shopActions } from './helpers.ts';

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
