/**
 * Python values as the benchmark sees them.
 *
 * To tau-bench, JSON's `131` and `131.0` are different values, with different texts and hashes. JavaScript's `number`
 * does not distinguish them, so a {@link PyValue} never contains one: an int is a `bigint`, a float is a {@link
 * PyFloat}. Objects are `Map`s, because a plain object would reorder keys that look like integers, and the order of
 * keys determines the output of `json.dumps`.
 */

/** A Python float. The wrapped number may be any double, including NaN and infinities. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A Python dict with string keys, in insertion order. */
export type PyDict = ReadonlyMap<string, PyValue>;
export type PyList = readonly PyValue[];
export type PyValue = null | boolean | bigint | PyFloat | string | PyList | PyDict;

export function isDict(value: PyValue | undefined): value is PyDict {
  return value instanceof Map;
}

export function isList(value: PyValue | undefined): value is PyList {
  return Array.isArray(value);
}

/** Names of Python's exceptions. Agents see their texts, so the texts are part of the benchmark. */
type PyErrorType =
  | 'AssertionError'
  | 'AttributeError'
  | 'IndexError'
  | 'KeyError'
  | 'OverflowError'
  | 'RecursionError'
  | 'SyntaxError'
  | 'TypeError'
  | 'ValidationError'
  | 'ValueError'
  | 'ZeroDivisionError';

/** A Python exception; the message is `str(exception)`. */
export class PyError extends Error {
  readonly type: PyErrorType;

  constructor(type: PyErrorType, message: string) {
    super(message);
    this.name = 'PyError';
    this.type = type;
  }
}

/** Returns the error for a missing key. @param keyRepr `repr` of the key */
export function keyError(keyRepr: string): PyError {
  return new PyError('KeyError', keyRepr);
}

export function typeError(message: string): PyError {
  return new PyError('TypeError', message);
}
