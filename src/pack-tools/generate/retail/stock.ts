/** Makes the shop's products with their variants. */

import { CATALOGUE } from './catalogue.ts';
import type { Product, ProductType, Variant } from './model.ts';
import type { Random } from '../random.ts';

/** Fewer would leave nothing to choose from, more would make `get_product_details` long. */
const VARIANTS = [8, 14] as const;

export function makeProducts(random: Random, count: number): Product[] {
  const taken = new Set<string>();
  return random
    .shuffle(CATALOGUE)
    .slice(0, count)
    .map((type) => {
      const own = random.fork(type.name);
      return { id: own.freshDigits(10, taken), type, variants: makeVariants(own, type, taken) };
    });
}

function makeVariants(random: Random, type: ProductType, taken: Set<string>): Variant[] {
  const all = random.shuffle(combinations(type));
  const chosen = all.slice(0, random.int(...VARIANTS));
  const prices = new Set<number>();
  // Every fourth or so is sold out, and never the first ones: there is always something to change to.
  return chosen.map((options, at) => ({
    itemId: random.freshDigits(10, taken),
    options,
    available: at < 4 || random.chance(0.7),
    cents: freshPrice(random, type, prices),
  }));
}

function freshPrice(random: Random, type: ProductType, taken: Set<number>): number {
  for (;;) {
    const [low, high] = type.price;
    // Some prices are whole dollars: they are written `46.0`, and a reader must not make `46` of it.
    const cents = random.chance(0.12) ? random.int(low, high) * 100 : random.int(low * 100, high * 100);
    if (taken.has(cents)) continue;
    taken.add(cents);
    return cents;
  }
}

function combinations(type: ProductType): Record<string, string>[] {
  let result: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(type.options)) {
    result = result.flatMap((options) => values.map((value) => ({ ...options, [name]: value })));
  }
  return result;
}
