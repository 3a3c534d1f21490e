/** `base ** exponent` of floats, as the C library gives it to Python. */

import { PyError } from '../python/error.ts';

/**
 * @param base negative only with a whole exponent, zero only with one that is not negative
 * @throws PyError an OverflowError when finite numbers lead out of range
 */
export function powerOfFloat(base: number, exponent: number): number {
  // JavaScript says NaN where C and Python say 1.
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  const result = base ** exponent;
  if (Math.abs(result) === Infinity && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new PyError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return result;
}
