/**
 * `base ** exponent` of floats, as Python gets it from the C library: correctly rounded except for rare last digits.
 *
 * JavaScript's own `**` may be less exact and differs between engines, so powers are computed here with big integers.
 * Square roots are exact in every engine.
 */

import { PyError } from '../python/index.ts';
import { bitLength } from './arithmetic.ts';

/**
 * @param base negative only with a whole exponent, zero only with a non-negative one
 * @throws PyError an OverflowError if finite operands give an infinite result
 */
export function powerOfFloat(base: number, exponent: number): number {
  // Here JavaScript gives NaN, and C and Python give 1.
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  if (!Number.isFinite(base) || !Number.isFinite(exponent) || base === 0) return base ** exponent;
  const result = finitePower(base, exponent);
  if (Math.abs(result) !== Infinity) return result;
  throw new PyError('OverflowError', "(34, 'Numerical result out of range')");
}

function finitePower(base: number, exponent: number): number {
  if (exponent === 0.5) return Math.sqrt(base);
  if (!Number.isSafeInteger(exponent)) return realPower(Math.abs(base), exponent);
  const size = toNumber(wholePower(fromNumber(Math.abs(base)), exponent));
  return base < 0 && exponent % 2 !== 0 ? -size : size;
}

/** Computes through the logarithm; from 2**53 on every double is even, so the base's sign does not matter. */
function realPower(base: number, exponent: number): number {
  const bits = exponent * Math.log2(base);
  if (Math.abs(bits) > 1100) return bits > 0 ? Infinity : 0;
  const { digits, scale } = fromNumber(exponent);
  const product = digits * ln(fromNumber(base));
  const power = exp(scale < 0 ? product >> BigInt(-scale) : product << BigInt(scale));
  // A result so close to a number of few bits is that number: 16 ** 0.75 is 8, not slightly less.
  return toNumber(roundNumber(power, EXACT));
}

/** Reliable bits of a power: those of the logarithm, without the ones lost in the multiplication by the exponent. */
const EXACT = 96;

/** Rounds a number to `bits` bits. */
function roundNumber({ digits, scale }: ScaledNumber, bits: number): ScaledNumber {
  const excess = bitLength(digits) - bits;
  if (excess <= 0) return { digits, scale };
  return { digits: (digits + (1n << BigInt(excess - 1))) >> BigInt(excess), scale: scale + excess };
}

/** The number `digits * 2 ** scale`. */
interface ScaledNumber {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Bits of intermediate results: far more than the 54 that decide the rounding, so that the errors of up to 106 products
 * do not reach them.
 */
const PRECISION = 256;

function wholePower(base: ScaledNumber, exponent: number): ScaledNumber {
  let result: ScaledNumber = { digits: 1n, scale: 0 };
  let square = base;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, square);
    if (left > 1) square = multiply(square, square);
  }
  return exponent < 0 ? invert(result) : result;
}

function multiply(a: ScaledNumber, b: ScaledNumber): ScaledNumber {
  return shorten({ digits: a.digits * b.digits, scale: a.scale + b.scale }, PRECISION);
}

function invert({ digits, scale }: ScaledNumber): ScaledNumber {
  const shift = bitLength(digits) + PRECISION;
  const one = 1n << BigInt(shift);
  const quotient = one / digits;
  return { digits: quotient * digits === one ? quotient : quotient | 1n, scale: -scale - shift };
}

/** Cuts a number to `bits` bits. Sets the last bit if a cut bit was set, so that rounding sees no false tie. */
function shorten({ digits, scale }: ScaledNumber, bits: number): ScaledNumber {
  const excess = bitLength(digits) - bits;
  if (excess <= 0) return { digits, scale };
  const kept = digits >> BigInt(excess);
  const isExact = kept << BigInt(excess) === digits;
  return { digits: isExact ? kept : kept | 1n, scale: scale + excess };
}

function toNumber(value: ScaledNumber): number {
  const { digits, scale } = shorten(value, 64);
  // In two steps, because the power of two alone may be out of range when the product is not.
  const half = Math.trunc(scale / 2);
  return Number(digits) * 2 ** half * 2 ** (scale - half);
}

function fromNumber(x: number): ScaledNumber {
  let scale = 0;
  // Multiplying by two is exact, and ends at a whole number after at most 1074 steps.
  while (!Number.isInteger(x)) {
    x *= 2;
    scale--;
  }
  return { digits: BigInt(x), scale };
}

/** Number of bits after the point. With an exponent below 2**63, more than 96 of them remain. */
const FRACTION = 176;
const BITS = BigInt(FRACTION);
const ONE = 1n << BITS;

/** ln 2 = 2 artanh(1/3). */
const LN_2 = twiceArtanh(ONE / 3n);

// The natural logarithm and its inverse, in fixed point: far more digits than a double has, so that it rounds right.

/** The logarithm of a number above zero, times 2**{@link FRACTION}. */
function ln({ digits, scale }: ScaledNumber): bigint {
  const length = bitLength(digits);
  // The number is size * 2 ** (scale + length), with a size from 1/2 to 1.
  const size = shift(digits, FRACTION - length);
  // ln x = 2 artanh((x - 1) / (x + 1)).
  return twiceArtanh(((size - ONE) << BITS) / (size + ONE)) + BigInt(scale + length) * LN_2;
}

/** e to the power of `x`, which is given times 2**{@link FRACTION}. */
function exp(x: bigint): ScaledNumber {
  const twos = (2n * x + LN_2) / (2n * LN_2);
  const rest = x - twos * LN_2;
  let sum = ONE;
  let term = ONE;
  for (let n = 1n; term !== 0n; n++) {
    // Division rounds towards zero, so that small negative terms end.
    term = (term * rest) / ONE / n;
    sum += term;
  }
  return { digits: sum, scale: Number(twos) - FRACTION };
}

/** 2 (z + z**3 / 3 + z**5 / 5 + …) for |z| up to 1/3. */
function twiceArtanh(z: bigint): bigint {
  const square = (z * z) >> BITS;
  let sum = 0n;
  let power = z;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) / ONE;
  }
  return 2n * sum;
}

function shift(digits: bigint, by: number): bigint {
  return by >= 0 ? digits << BigInt(by) : digits >> BigInt(-by);
}
