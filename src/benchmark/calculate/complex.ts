/** Python's complex numbers, as far as a calculator meets them: even powers of negative numbers lead there. */

import { PyError, formatFloat } from '../python/index.ts';

export class Complex {
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

export function addComplex(a: Complex, b: Complex): Complex {
  return new Complex(a.re + b.re, a.im + b.im);
}

export function subtractComplex(a: Complex, b: Complex): Complex {
  return new Complex(a.re - b.re, a.im - b.im);
}

export function multiplyComplex(a: Complex, b: Complex): Complex {
  return new Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/** Smith's algorithm, as CPython has it. */
export function divideComplex(a: Complex, b: Complex): Complex {
  if (b.re === 0 && b.im === 0) throw new PyError('ZeroDivisionError', 'complex division by zero');
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re;
    const size = b.re + b.im * ratio;
    return new Complex((a.re + a.im * ratio) / size, (a.im - a.re * ratio) / size);
  }
  const ratio = b.re / b.im;
  const size = b.re * ratio + b.im;
  return new Complex((a.re * ratio + a.im) / size, (a.im * ratio - a.re) / size);
}

export function powerComplex(base: Complex, exponent: Complex): Complex {
  const result = power(base, exponent);
  if (Math.abs(result.re) === Infinity || Math.abs(result.im) === Infinity) {
    throw new PyError('OverflowError', 'complex exponentiation');
  }
  return result;
}

function power(base: Complex, exponent: Complex): Complex {
  if (exponent.re === 0 && exponent.im === 0) return new Complex(1, 0);
  if (base.re === 0 && base.im === 0) {
    if (exponent.im === 0 && exponent.re > 0) return new Complex(0, 0);
    throw new PyError('ZeroDivisionError', '0.0 to a negative or complex power');
  }
  if (exponent.im === 0 && Number.isInteger(exponent.re) && Math.abs(exponent.re) <= 100) {
    const positive = wholePower(base, Math.abs(exponent.re));
    return exponent.re > 0 ? positive : divideComplex(new Complex(1, 0), positive);
  }
  const size = Math.hypot(base.re, base.im);
  const angle = Math.atan2(base.im, base.re);
  const length = Math.pow(size, exponent.re) * Math.exp(-angle * exponent.im);
  const phase = angle * exponent.re + exponent.im * Math.log(size);
  return new Complex(length * Math.cos(phase), length * Math.sin(phase));
}

function wholePower(base: Complex, exponent: number): Complex {
  let result = new Complex(1, 0);
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyComplex(result, square);
    square = multiplyComplex(square, square);
  }
  return result;
}
