/** Python's int division and powers, exact and within bounds. */

import { PyError, intToFloat } from '../python/index.ts';

/**
 * Powers above this many bits are not computed. Python would compute them, if need be for hours, to find in nearly
 * every case that the result is too large for a float; so that is said at once.
 */
const MAX_BITS = 2 ** 18;

/** `base ** exponent` for an exponent that is not negative. */
export function powerOfInt(base: bigint, exponent: bigint): bigint {
  const bits = bitLength(base);
  if (bits > 1 && exponent * BigInt(bits - 1) > MAX_BITS) throw tooLarge();
  // The powers of 0, 1 and -1 need no work however large the exponent.
  return bits > 1 ? base ** exponent : base ** (exponent > 2n ? 2n - (exponent % 2n) : exponent);
}

/** An int that has outgrown the bound on what is computed. */
export function requireSmall(int: bigint): bigint {
  if (int > -LARGEST && int < LARGEST) return int;
  throw tooLarge();
}

const LARGEST = 1n << BigInt(2 * MAX_BITS);

function tooLarge(): PyError {
  return new PyError('OverflowError', 'int too large to convert to float');
}

/** `a // b`: towards minus infinity. */
export function floorDivideInts(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PyError('ZeroDivisionError', 'integer division or modulo by zero');
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** `a / b`: the double nearest to the exact quotient. */
export function divideInts(a: bigint, b: bigint): number {
  if (b === 0n) throw new PyError('ZeroDivisionError', 'division by zero');
  if (isExact(a) && isExact(b)) return intToFloat(a) / intToFloat(b);
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  // A quotient of 65 or 66 bits whose last one stands for all that is cut off rounds as the exact one does.
  const shift = 66 + bitLength(y) - bitLength(x);
  const [numerator, denominator] = shift > 0 ? [x << BigInt(shift), y] : [x, y << BigInt(-shift)];
  const quotient = numerator / denominator;
  const rest = quotient * denominator === numerator ? 0n : 1n;
  const half = Math.trunc(shift / 2);
  const size = Number(quotient | rest) * 2 ** -half * 2 ** -(shift - half);
  if (size === Infinity) throw new PyError('OverflowError', 'integer division result too large for a float');
  return a < 0n === b < 0n ? size : -size;
}

function isExact(int: bigint): boolean {
  return int >= -9007199254740992n && int <= 9007199254740992n;
}

/** `int.bit_length()`. */
export function bitLength(int: bigint): number {
  const hex = (int < 0n ? -int : int).toString(16);
  return hex === '0' ? 0 : (hex.length - 1) * 4 + parseInt(hex.charAt(0), 16).toString(2).length;
}
