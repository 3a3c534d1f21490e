/** Values that no tool expects, and ways to damage arguments that were right. */

import fc from 'fast-check';
import { isDict, isList, PyFloat, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';

const NUMBERS: readonly PyValue[] = [
  ...[0n, 1n, -1n, 2n, 131n, 9007199254740993n, 10n ** 30n, 10n ** 400n, -(10n ** 400n)],
  ...[0, -0, 0.1, 1, 1.5, 131, 1e15, 1e16, -1e16, 1e22, 1e308, 5e-324, 1e-5, NaN, Infinity, -Infinity].map(
    (x) => new PyFloat(x),
  ),
];

const TEXTS: readonly string[] = [
  ...['', ' ', '0', '1', '10', '131.0', 'null', 'None', 'true', 'yes', 'no', 'a', '###STOP###'],
  ...['gift_card', 'credit_card', 'certificate', '2024-05-20', '2024-05-2', '２０２４-０５-２０', '-1', '1_0', '٣٤'],
  ...["it's", `"both" 'quotes'`, '\\', '\n\t\r', '\u0000', '\u007f\u0085\u00a0', 'é', 'ΟΔΟΣ', 'İ', 'ß', '\u2028'],
  ...['😀', '\ud83d', '\udc00\ud83d', '\u0378', '\ufeff', '\u{e0001}', '#W0000000', '__proto__', 'constructor'],
];

const scalar: fc.Arbitrary<PyValue> = fc.oneof(
  fc.constantFrom<PyValue>(null, true, false),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom<PyValue>(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.double().map((x) => new PyFloat(x)),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
);

/** Anything that JSON can hold, and NaN and the infinities, which Python's JSON holds as well. */
export const { odd: oddValue } = fc.letrec<{ odd: PyValue }>((tie) => ({
  odd: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.constantFrom<PyValue>([], new Map()),
    fc.array(tie('odd'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...TEXTS, 'data', 'amount', 'payment_id'), tie('odd')), { maxLength: 3 })
      .map((entries) => new Map(entries)),
  ),
}));

/** One change somewhere inside the arguments. `where` picks the place. */
export interface Damage {
  readonly kind: 'replace' | 'drop' | 'add' | 'double' | 'wrap' | 'retype';
  readonly where: number;
  readonly name: string;
  readonly value: PyValue;
}

/** @param strays values that are right elsewhere: ids of other tables, names of other fields */
export function damages(strays: readonly PyValue[]): fc.Arbitrary<Damage> {
  return fc.record({
    kind: fc.constantFrom('replace', 'replace', 'replace', 'retype', 'drop', 'add', 'double', 'wrap'),
    where: fc.noBias(fc.nat({ max: 99_999 })),
    name: fc.constantFrom('data', 'id', 'order_id', 'user_id', 'amount', 'zip', 'self', 'cls', '', 'é', '\ud83d'),
    value: fc.oneof(oddValue, fc.constantFrom(...strays)),
  });
}

/** The arguments with one change; places are counted depth first. The arguments as a whole are only added to. */
export function damage(kwargs: PyDict, done: Damage): PyDict {
  const places = countPlaces(kwargs);
  const target = done.kind === 'add' || places === 1 ? done.where % places : 1 + (done.where % (places - 1));
  let place = -1;
  const visit = (value: PyValue, isRoot: boolean): readonly PyValue[] => {
    const isTarget = ++place === target;
    const inner = isDict(value)
      ? new Map(
          Array.from(value).flatMap(([key, item]) => {
            const [kept] = visit(item, false);
            return kept === undefined ? [] : [[key, kept] as const];
          }),
        )
      : isList(value)
        ? value.flatMap((item) => visit(item, false))
        : value;
    return isTarget ? change(inner, done, isRoot) : [inner];
  };
  const [changed] = visit(kwargs, true);
  return isDict(changed) ? changed : kwargs;
}

function countPlaces(value: PyValue): number {
  const items = isDict(value) ? Array.from(value.values()) : isList(value) ? value : [];
  return items.reduce<number>((sum, item) => sum + countPlaces(item), 1);
}

/** The replacement of a value: nothing, one value, or in a list also two. */
function change(value: PyValue, { kind, name, value: other }: Damage, isRoot: boolean): readonly PyValue[] {
  if (isRoot || (kind === 'add' && isDict(value))) return isDict(value) ? [new Map(value).set(name, other)] : [value];
  switch (kind) {
    case 'replace':
      return [other];
    case 'drop':
      return [];
    case 'double':
      return [value, value];
    case 'add':
      return [isList(value) ? [...value, other] : value];
    case 'wrap':
      return [[value]];
    case 'retype':
      return [retyped(value)];
  }
}

/** The same to a person: a number as text, a text as a number, an int as a float, an empty list as an empty text. */
function retyped(value: PyValue): PyValue {
  if (typeof value === 'bigint') return new PyFloat(Number(value));
  if (value instanceof PyFloat) return Number.isInteger(value.value) ? BigInt(value.value) : String(value.value);
  if (typeof value === 'string') return /^\d+$/.test(value) ? BigInt(value) : value.toUpperCase();
  if (isList(value)) return value.length === 0 ? '' : new Map(value.map((item, at) => [String(at), item]));
  if (isDict(value)) return Array.from(value.values());
  return value === null ? '' : String(value);
}
