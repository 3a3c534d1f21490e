/** Arithmetic on amounts of money as Python does it: ints stay ints until a float joins them. */

import { PyError, typeError } from './error.ts';
import { roundFloat2 } from './float.ts';
import { typeName } from './objects.ts';
import { PyFloat, type PyValue } from './value.ts';

/** `a + b` of numbers. */
export function add(a: PyValue, b: PyValue): PyValue {
  return combine(
    '+',
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

/** `a - b` of numbers. */
export function subtract(a: PyValue, b: PyValue): PyValue {
  return combine(
    '-',
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );
}

/** `a * b` of numbers. */
export function multiply(a: PyValue, b: PyValue): PyValue {
  return combine(
    '*',
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );
}

/** `-value` of a number. */
export function negate(value: PyValue): PyValue {
  if (value instanceof PyFloat) return new PyFloat(-value.value);
  const int = toInt(value);
  if (int === undefined) throw typeError(`bad operand type for unary -: '${typeName(value)}'`);
  return -int;
}

/** `abs(value)` of a number. */
export function abs(value: PyValue): PyValue {
  if (value instanceof PyFloat) return new PyFloat(Math.abs(value.value));
  const int = toInt(value);
  if (int === undefined) throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
  return int < 0n ? -int : int;
}

/** `round(value, 2)`: an int stays one. */
export function round2(value: PyValue): PyValue {
  if (value instanceof PyFloat) return new PyFloat(roundFloat2(value.value));
  const int = toInt(value);
  if (int === undefined) throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  return int;
}

function combine(
  operator: string,
  a: PyValue,
  b: PyValue,
  ints: (x: bigint, y: bigint) => bigint,
  floats: (x: number, y: number) => number,
): PyValue {
  const x = toInt(a);
  const y = toInt(b);
  if (x !== undefined && y !== undefined) return ints(x, y);
  const left = a instanceof PyFloat ? a.value : x === undefined ? undefined : intToFloat(x);
  const right = b instanceof PyFloat ? b.value : y === undefined ? undefined : intToFloat(y);
  if (left === undefined || right === undefined) {
    throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
  }
  return new PyFloat(floats(left, right));
}

function toInt(value: PyValue): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'bigint' ? value : undefined;
}

/** `float(int)`: the nearest double, ties to even. */
export function intToFloat(int: bigint): number {
  const x = Number(int);
  if (!Number.isFinite(x)) throw new PyError('OverflowError', 'int too large to convert to float');
  return x;
}
