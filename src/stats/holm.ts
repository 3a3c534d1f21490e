/**
 * Several tests at once: p-values adjusted so that, of all that hold no true difference, one is called significant in at
 * most as many cases as the level says (Holm, Scandinavian Journal of Statistics 6, 1979). No assumption on how the
 * tests depend on each other.
 *
 * The smallest is multiplied by their number m, the next by m − 1, and so on; none falls below one before it.
 *
 * @returns in the order given, each in [p, 1]; to be compared with the level itself
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  order.forEach(({ p, index }, rank) => {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = least;
  });
  return adjusted;
}
