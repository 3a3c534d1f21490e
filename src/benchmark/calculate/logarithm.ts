/** The natural logarithm and its inverse, in fixed point: far more digits than a double has, so that it rounds right. */

import { bitLength } from './integers.ts';
import type { Scaled } from './power.ts';

/** Bits behind the point. An exponent below 2**63 leaves more than 96 of them. */
const FRACTION = 176;
const BITS = BigInt(FRACTION);
const ONE = 1n << BITS;

/** ln 2 = 2 artanh(1/3). */
const LN_2 = twiceArtanh(ONE / 3n);

/** The logarithm of a number above zero, times 2**{@link FRACTION}. */
export function ln({ digits, scale }: Scaled): bigint {
  const length = bitLength(digits);
  // The number is size * 2 ** (scale + length), with a size from 1/2 to 1.
  const size = shift(digits, FRACTION - length);
  // ln x = 2 artanh((x - 1) / (x + 1)).
  return twiceArtanh(((size - ONE) << BITS) / (size + ONE)) + BigInt(scale + length) * LN_2;
}

/** e to the power of `x`, which is given times 2**{@link FRACTION}. */
export function exp(x: bigint): Scaled {
  const twos = (2n * x + LN_2) / (2n * LN_2);
  const rest = x - twos * LN_2;
  let sum = ONE;
  let term = ONE;
  for (let n = 1n; term !== 0n; n++) {
    // Divided towards zero, so that small negative terms end.
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
