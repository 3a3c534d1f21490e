/** Python's numbers: arithmetic on floats and ints, and int() of texts. */

import { PyError, typeError, PyFloat, isDict, isList, type PyValue } from './value.ts';
import { roundFloat2, quote, strip } from './text.ts';
import { typeName } from './objects.ts';

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

/** Longest text; Python refuses longer ones before reading them. */
const MAX_DIGITS = 4300;

/** `int(value)` of a text. @throws PyError ValueError for a text that is not a whole number, TypeError for a list */
export function parseInteger(value: PyValue): bigint {
  if (typeof value !== 'string') {
    throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
  }
  // U+001C to U+001F are white space in Python's texts, but not in its numbers.
  const [, sign = '', digits = ''] =
    (SEPARATORS.some((char) => value.includes(char)) ? null : INTEGER.exec(strip(value))) ?? [];
  if (digits === '') {
    const shown = Array.from(quote(value)).slice(0, 200).join('');
    throw new PyError('ValueError', `invalid literal for int() with base 10: ${shown}`);
  }
  const plain = Array.from(digits.replaceAll('_', ''), readDigit).join('');
  if (plain.length > MAX_DIGITS) {
    throw new PyError(
      'ValueError',
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion: value has ${plain.length} digits; ` +
        'use sys.set_int_max_str_digits() to increase the limit',
    );
  }
  return BigInt(`${sign === '-' ? '-' : ''}${plain}`);
}

/** Returns the value of a decimal digit of any script. */
function readDigit(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const zero = ZEROS.findLast((start) => start <= code) ?? 0;
  return String(code - zero);
}

/** The zero of each script in Unicode 14.0, Python 3.11's version; its nine other digits follow it. */
const ZEROS: readonly number[] = (
  '30 660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 1a80 1a90 1b50 ' +
  '1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 ff10 104a0 10d30 11066 110f0 11136 111d0 112f0 11450 114d0 ' +
  '11650 116c0 11730 118e0 11950 11c50 11d50 11da0 16a60 16ac0 16b50 1d7ce 1d7d8 1d7e2 1d7ec 1d7f6 1e140 1e2f0 ' +
  '1e950 1fbf0'
)
  .split(' ')
  .map((zero) => parseInt(zero, 16));

const SEPARATORS = ['\x1c', '\x1d', '\x1e', '\x1f'] as const;
const DIGIT = `[${ZEROS.map((zero) => `\\u{${zero.toString(16)}}-\\u{${(zero + 9).toString(16)}}`).join('')}]`;
const INTEGER = new RegExp(`^([+-]?)(${DIGIT}+(?:_${DIGIT}+)*)$`, 'u');

/** `value[-2:]`. */
export function lastTwo(value: PyValue): PyValue {
  if (typeof value === 'string') return Array.from(value).slice(-2).join('');
  if (isList(value)) return value.slice(-2);
  if (isDict(value)) throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}
