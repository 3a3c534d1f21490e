/** Randomness without state: everything is drawn from a text that names what is drawn. */

import { createHash } from 'node:crypto';

/** A number in [0, 1), the same for the same text. */
export function drawUnit(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** The items in an order that depends on nothing but the text. */
export function shuffled<T>(items: readonly T[], text: string): T[] {
  return items
    .map((item, index) => ({ item, rank: drawUnit(`${text}#${index}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
