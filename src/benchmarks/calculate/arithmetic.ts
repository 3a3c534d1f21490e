/** Python's ints and complex numbers: division and powers within bounds. */

import { PyError, intToFloat, formatFloat } from '../python/index.ts';

/**
 * Largest power to compute, in bits. Python may compute for hours, and then almost always finds that the result is too
 * large for a float. The program throws that error at once.
 */
const MAX_BITS = 2 ** 18;

/** `base ** exponent` for an exponent that is not negative. */
export function powerOfInt(base: bigint, exponent: bigint): bigint {
  const bits = bitLength(base);
  if (bits > 1 && exponent * BigInt(bits - 1) > MAX_BITS) throw tooLarge();
  // Powers of 0, 1 and -1 need no work, however large the exponent is.
  return bits > 1 ? base ** exponent : base ** (exponent > 2n ? 2n - (exponent % 2n) : exponent);
}

/** Refuses an int beyond the limit of computations. */
export function requireSmall(int: bigint): bigint {
  if (int > -LARGEST && int < LARGEST) return int;
  throw tooLarge();
}

const LARGEST = 1n << BigInt(2 * MAX_BITS);

function tooLarge(): PyError {
  return new PyError('OverflowError', 'int too large to convert to float');
}

/** `a // b`: the quotient rounded towards minus infinity. */
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
  // A quotient of 65 or 66 bits, whose last bit stands for everything that is cut off, rounds like the exact one.
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

/**
 * The part of Python's complex numbers that a calculator needs, because even powers of negative numbers may be complex.
 */
export class ComplexNumber {
  readonly re: number;
  readonly im: number;

  constructor(re: number, im: number) {
    this.re = re;
    this.im = im;
  }

  /** `str(self)`. */
  toString(): string {
    const short = (x: number): string => formatFloat(x).replace(/\.0$/, '');
    const imaginary = short(this.im);
    if (Object.is(this.re, 0)) return `${imaginary}j`;
    return `(${short(this.re)}${/^[-+]/.test(imaginary) ? '' : '+'}${imaginary}j)`;
  }
}

export function addComplex(a: ComplexNumber, b: ComplexNumber): ComplexNumber {
  return new ComplexNumber(a.re + b.re, a.im + b.im);
}

export function subtractComplex(a: ComplexNumber, b: ComplexNumber): ComplexNumber {
  return new ComplexNumber(a.re - b.re, a.im - b.im);
}

export function multiplyComplex(a: ComplexNumber, b: ComplexNumber): ComplexNumber {
  return new ComplexNumber(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/** Divides by Smith's algorithm, as CPython does. */
export function divideComplex(a: ComplexNumber, b: ComplexNumber): ComplexNumber {
  if (b.re === 0 && b.im === 0) throw new PyError('ZeroDivisionError', 'complex division by zero');
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re;
    const size = b.re + b.im * ratio;
    return new ComplexNumber((a.re + a.im * ratio) / size, (a.im - a.re * ratio) / size);
  }
  const ratio = b.re / b.im;
  const size = b.re * ratio + b.im;
  return new ComplexNumber((a.re * ratio + a.im) / size, (a.im * ratio - a.re) / size);
}

export function powerComplex(base: ComplexNumber, exponent: ComplexNumber): ComplexNumber {
  const result = power(base, exponent);
  if (Math.abs(result.re) === Infinity || Math.abs(result.im) === Infinity) {
    throw new PyError('OverflowError', 'complex exponentiation');
  }
  return result;
}

function power(base: ComplexNumber, exponent: ComplexNumber): ComplexNumber {
  if (exponent.re === 0 && exponent.im === 0) return new ComplexNumber(1, 0);
  if (base.re === 0 && base.im === 0) {
    if (exponent.im === 0 && exponent.re > 0) return new ComplexNumber(0, 0);
    throw new PyError('ZeroDivisionError', '0.0 to a negative or complex power');
  }
  if (exponent.im === 0 && Number.isInteger(exponent.re) && Math.abs(exponent.re) <= 100) {
    const positive = wholePower(base, Math.abs(exponent.re));
    return exponent.re > 0 ? positive : divideComplex(new ComplexNumber(1, 0), positive);
  }
  const size = Math.hypot(base.re, base.im);
  const angle = Math.atan2(base.im, base.re);
  const length = Math.pow(size, exponent.re) * Math.exp(-angle * exponent.im);
  const phase = angle * exponent.re + exponent.im * Math.log(size);
  return new ComplexNumber(length * Math.cos(phase), length * Math.sin(phase));
}

function wholePower(base: ComplexNumber, exponent: number): ComplexNumber {
  let result = new ComplexNumber(1, 0);
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyComplex(result, square);
    square = multiplyComplex(square, square);
  }
  return result;
}
