/** Orders and draws that a seed decides. */

/** A Fisher-Yates shuffle from the last place down; the items themselves stay as they are. */
export function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const result = [...items];
  const random = mulberry32(seed);
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [result[last], result[other]];
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a];
  }
  return result;
}

/** Tommy Ettinger's 32-bit generator; small, and good enough to order tasks. Draws from [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
