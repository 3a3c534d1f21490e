/** Sequences of calls, in any domain. */

import fc from 'fast-check';
import { dumpJson, isDict, isList, PyFloat, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { field } from '../../benchmarks/helpers.ts';
import { damage, damages } from './odd-values.ts';
import type { SentAction } from './reference-process.ts';

export interface Call {
  readonly name: string;
  readonly kwargs: PyDict;
}

/** The generator of a domain's calls. */
export interface CallsOf {
  readonly tables: readonly string[];
  /** A small part of the data in which everything that belongs to these users is there. */
  readonly sample: (tables: PyDict, userIds: readonly string[]) => PyDict;
  /** Calls that could be meant. */
  readonly calls: (tables: PyDict) => fc.Arbitrary<Call>;
}

/** A call whose arguments are drawn one by one. */
export function call(name: string, kwargs: Readonly<Record<string, fc.Arbitrary<PyValue>>>): fc.Arbitrary<Call> {
  return fc.record({ ...kwargs }).map((drawn) => ({ name, kwargs: new Map(Object.entries(drawn)) }));
}

/** Numbers that data could hold in place of others: whole ones of both kinds, and sums that are not what they look. */
const AMOUNTS: readonly PyValue[] = [
  0n,
  5n,
  131n,
  -1n,
  10n ** 17n,
  ...[0, 131, 0.1 + 0.2, 1e16, 99.995].map((x) => new PyFloat(x)),
];

/** The same tables with some numbers, statuses and answers to "available" changed, as another shop might have them. */
export function otherwise(tables: PyDict, seed: number): PyDict {
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const vary = (value: PyValue, key: string): PyValue => {
    if (isDict(value)) return new Map(Array.from(value, ([inner, item]) => [inner, vary(item, inner)] as const));
    if (isList(value)) return value.map((item) => vary(item, key));
    if (random(8) > 0) return value;
    if (typeof value === 'bigint' || value instanceof PyFloat) return AMOUNTS[random(AMOUNTS.length)] ?? value;
    if (key === 'status') return ['pending', 'delivered', 'available', 'cancelled'][random(4)] ?? value;
    return typeof value === 'boolean' ? !value : value;
  };
  const varied = vary(tables, '');
  return isDict(varied) ? varied : tables;
}

/** Sequences of up to eight calls, four in ten of them damaged, one in ten of those in three places. */
export function sequences(domain: CallsOf, tables: PyDict): fc.Arbitrary<readonly SentAction[]> {
  const strays: PyValue[] = domain.tables.flatMap((table) => idsOf(tables, table).slice(0, 8));
  const broken = damages(strays);
  const damaged = fc
    .tuple(domain.calls(tables), fc.oneof({ weight: 9, arbitrary: fc.tuple(broken) }, fc.tuple(broken, broken, broken)))
    .map(([{ name, kwargs }, done]) => ({ name, kwargs: done.reduce(damage, kwargs) }));
  const one = fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: domain.calls(tables) },
    { weight: 4, arbitrary: damaged },
  );
  return fc.array(one, { minLength: 1, maxLength: 8 }).map((calls) => calls.map(sent));
}

/** The call as a model would have written it. */
function sent({ name, kwargs }: Call): SentAction {
  return { name, kwargs: dumpJson(kwargs) };
}

export function entriesOf(container: PyValue, key: string): readonly (readonly [id: string, value: PyValue])[] {
  const inner = field(container, key);
  if (!isDict(inner)) throw new Error(`${key} is not an object`);
  return Array.from(inner);
}

export function idsOf(container: PyValue, key: string): readonly string[] {
  return entriesOf(container, key).map(([id]) => id);
}
