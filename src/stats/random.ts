/** Seeded draws: equal seeds give equal figures on every machine, so that a report can be made again to the last digit. */

import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A whole number from 0 to `count − 1`. @param count at most 2^32 */
export type Draw = (count: number) => number;

export function drawsFrom(seed: string): Draw {
  const generator = xoroshiro128plus(hash(seed));
  // Scaled instead of the library's uniformInt, which rejects and divides: resampling draws millions. What is left of
  // unevenness is below count / 2^32.
  return (count) => Math.floor(((generator.next() >>> 0) * count) / 0x1_0000_0000);
}

/** FNV-1a: the generator is seeded by a 32-bit number. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}
