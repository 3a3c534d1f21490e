/** Python's operators and built-ins on JSON values, exceptions included. */

import {
  keyError,
  PyError,
  typeError,
  PyFloat,
  isDict,
  isList,
  type PyDict,
  type PyList,
  type PyValue,
} from './value.ts';
import { repr, compareText, lower } from './text.ts';

/** `type(value).__name__`. */
export function typeName(value: PyValue): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'string') return 'str';
  if (value instanceof PyFloat) return 'float';
  return isList(value) ? 'list' : 'dict';
}

/** `container[key]` with a key known to the program. */
export function getItem(container: PyValue, key: string): PyValue {
  if (isDict(container)) {
    const value = container.get(key);
    if (value === undefined) throw keyError(repr(key));
    return value;
  }
  if (isList(container)) throw typeError('list indices must be integers or slices, not str');
  if (typeof container === 'string') throw typeError("string indices must be integers, not 'str'");
  throw typeError(`'${typeName(container)}' object is not subscriptable`);
}

/** `container[key]` if the key is data as well. */
export function getKey(container: PyValue, key: PyValue): PyValue {
  if (typeof key === 'string') return getItem(container, key);
  requireHashable(key);
  throw keyError(repr(key));
}

/** `container[key]` with a result that is used as a dict. */
export function getDict(container: PyValue, key: PyValue): PyDict {
  const value = getKey(container, key);
  if (!isDict(value)) throw typeError(`'${typeName(value)}' object is not a dict`);
  return value;
}

/** `container[key]` with a result that is used as a list. */
export function getList(container: PyValue, key: string): PyList {
  const value = getItem(container, key);
  if (!isList(value)) throw typeError(`'${typeName(value)}' object is not a list`);
  return value;
}

/** `list[0]`. */
export function first(list: PyList): PyValue {
  const value = list[0];
  if (value === undefined) throw new PyError('IndexError', 'list index out of range');
  return value;
}

/** Throws for a key that cannot be in a dict. Only strings are found in one; lists and dicts cannot be keys. */
export function requireHashable(key: PyValue): void {
  if (isList(key) || isDict(key)) throw typeError(`unhashable type: '${typeName(key)}'`);
}

/** `key in dict`. */
export function hasKey(dict: PyDict, key: PyValue): key is string {
  requireHashable(key);
  return typeof key === 'string' && dict.has(key);
}

/** `part in text`, if the text is data. */
export function containsText(text: PyValue, part: string): boolean {
  if (typeof text === 'string') return text.includes(part);
  if (isList(text)) return text.some((item) => item === part);
  if (isDict(text)) return text.has(part);
  throw typeError(`argument of type '${typeName(text)}' is not iterable`);
}

/** `a > b` of values that are texts in every pack. */
export function isGreaterText(a: PyValue, b: PyValue): boolean {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) > 0;
  throw typeError(`'>' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

/** `a == b`: numbers and bools compare by value, containers deeply. */
export function equals(a: PyValue, b: PyValue): boolean {
  const x = numeric(a);
  const y = numeric(b);
  // JavaScript compares a bigint with a number exactly; NaN equals nothing.
  if (x !== undefined || y !== undefined) return x !== undefined && y !== undefined && x <= y && x >= y;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, at) => sameItem(item, b[at] ?? null));
  if (isDict(a) && isDict(b)) {
    if (a.size !== b.size) return false;
    for (const [key, item] of a) {
      const other = b.get(key);
      if (other === undefined || !sameItem(item, other)) return false;
    }
    return true;
  }
  return a === b;
}

/** Compares as Python does within containers, where an object equals itself; this matters for NaN. */
function sameItem(a: PyValue, b: PyValue): boolean {
  return a === b || equals(a, b);
}

function numeric(value: PyValue): bigint | number | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return value instanceof PyFloat ? value.value : undefined;
}

/** `bool(value)`. */
export function truthy(value: PyValue): boolean {
  if (value instanceof PyFloat) return value.value !== 0;
  if (isList(value)) return value.length > 0;
  return isDict(value) ? value.size > 0 : Boolean(value);
}

/** `list(value)`: a list's items, a string's characters, a dict's keys. */
export function iterate(value: PyValue): PyList {
  if (isList(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (isDict(value)) return Array.from(value.keys());
  throw typeError(`'${typeName(value)}' object is not iterable`);
}

/** `len(value)`. */
export function len(value: PyValue): number {
  if (isList(value) || typeof value === 'string') return iterate(value).length;
  if (isDict(value)) return value.size;
  throw typeError(`object of type '${typeName(value)}' has no len()`);
}

/** `value.count(item)` of a list or a string. */
export function count(value: PyValue, item: PyValue): number {
  if (!isList(value) && typeof value !== 'string') throw noAttribute(value, 'count');
  return iterate(value).filter((other) => sameItem(other, item)).length;
}

/** `a < b`: numbers by value, texts by code point, lists by their first different items. */
export function isLess(a: PyValue, b: PyValue): boolean {
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return x < y;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) < 0;
  if (isList(a) && isList(b)) {
    const at = a.findIndex((item, position) => !sameItem(item, b[position] ?? null) || position >= b.length);
    const [left, right] = [a[at], b[at]];
    return left === undefined || right === undefined ? a.length < b.length : isLess(left, right);
  }
  throw typeError(`'<' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

/** `sorted(value)`. */
export function sorted(value: PyValue): PyList {
  return [...iterate(value)].sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
}

/** `value.lower()`. */
export function callLower(value: PyValue): string {
  if (typeof value !== 'string') throw noAttribute(value, 'lower');
  return lower(value);
}

/** Returns the error for `value.name` if the value has no such attribute. */
export function noAttribute(value: PyValue, name: string): PyError {
  return new PyError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

/** Returns a copy of a dict with another value for one key; a new key comes last. */
export function withItem(dict: PyDict, key: string, value: PyValue): PyDict {
  return new Map(dict).set(key, value);
}
