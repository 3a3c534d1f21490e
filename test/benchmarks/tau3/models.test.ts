/** Values as pydantic reads them, and the errors of those that it refuses. */

import { expect, it } from 'vitest';

import { PyError, PyFloat, type PyValue } from '../../../src/benchmarks/python/index.ts';
import {
  boolean,
  create,
  enumeration,
  float,
  integer,
  readEach,
  literal,
  model,
  readFirst,
  optional,
  withDefault,
  type Read,
} from '../../../src/benchmarks/tau3/testing.ts';
import { dict } from '../helpers.ts';

/** The value of a field, or the names and paths of the errors. */
function read(reader: Read, value: PyValue): PyValue {
  try {
    return create('M', model('M', { f: reader }), new Map([['f', value]])).get('f') ?? null;
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    return Array.from(
      error.message.matchAll(/^(\S+)\n.*\[type=(\w+)/gm),
      ([, path, type]) => `${path}: ${type}`,
    ).join();
  }
}

it.each<[Read, PyValue, PyValue]>([
  ...['1', 'on', 't', 'TRUE', 'y', 'Yes', 1n, new PyFloat(1)].map((v): [Read, PyValue, PyValue] => [boolean, v, true]),
  ...['0', 'off', 'f', 'False', 'N', 'no', 0n, new PyFloat(-0)].map((v): [Read, PyValue, PyValue] => [
    boolean,
    v,
    false,
  ]),
  [boolean, 2n ** 63n, 'f: bool_type'],
  [boolean, 2n ** 63n - 1n, 'f: bool_parsing'],
  [boolean, new PyFloat(0.5), 'f: bool_type'],
  [boolean, null, 'f: bool_type'],
  [integer, ' +1_000.00\n', 1000n],
  [integer, '-007', -7n],
  [integer, '1__0', 'f: int_parsing'],
  [integer, '1.5', 'f: int_parsing'],
  [integer, '\ufeff1', 'f: int_parsing'],
  [integer, '9'.repeat(4300), BigInt('9'.repeat(4300))],
  [integer, '9'.repeat(4301), 'f: int_parsing_size'],
  [integer, `${'0'.repeat(5000)}9`, 9n],
  [integer, true, 1n],
  [integer, new PyFloat(2), 2n],
  [integer, new PyFloat(2 ** 63), 'f: int_parsing_size'],
  [integer, new PyFloat(NaN), 'f: finite_number'],
  [float, 2n, new PyFloat(2)],
  [float, '-1_0.5e1', new PyFloat(-105)],
  [float, '-Infinity', new PyFloat(-Infinity)],
  [float, '1e', 'f: float_parsing'],
  [float, [], 'f: float_type'],
  [literal('a', 'b'), 'c', 'f: literal_error'],
  [enumeration('a', 'b'), 'c', 'f: enum'],
  [readEach(integer), ['1', null, 'x'], 'f.1: int_type,f.2: int_parsing'],
  [readFirst(integer, literal('a')), 'a', 'a'],
  [readFirst(integer, literal('a')), 'b', 'f: literal_error'],
])('reads %o', (reader, value, expected) => {
  expect(read(reader, value)).toEqual(expected);
});

it('fills in defaults, and lists all that is wrong in the order of the fields', () => {
  const fields = { a: integer, b: withDefault(boolean, true), c: optional(integer) };
  const values = dict('{"x": 1, "a": "7"}');
  expect(create('M', model('M', fields), values)).toEqual(dict('{"a": 7, "b": true, "c": null}'));
  expect(() => create('M', model('M', fields, { isClosed: true }), values)).toThrow(
    '1 validation error for M\nx\n  Extra inputs are not permitted [type=extra_forbidden, input_value=1, input_type=int]',
  );
  expect(() => create('M', model('M', fields), dict('{"c": "?", "b": null}'))).toThrow(
    /^3 validation errors for M\na\n {2}Field required .*\n.*\nb\n.*\n.*\nc\n/,
  );
});
