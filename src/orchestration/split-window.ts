/**
 * Splits a window equally among lanes. A lane with too few episodes for its part leaves the rest to the others, and the
 * first lanes take the remainder of the division. If the window has become smaller than the number of lanes, some have
 * no part until others have ended.
 * @param sizes number of episodes of each lane
 * @returns the parts in the lanes' order; their sum is the window, or the number of all episodes if that is smaller
 */
export function splitWindow(window: number, sizes: readonly number[]): number[] {
  const parts = sizes.map(() => 0);
  // The largest come last, when it is known what the smaller ones leave.
  const order = [...sizes.entries()].sort(([a, sizeA], [b, sizeB]) => (sizeA === sizeB ? b - a : sizeA - sizeB));
  let left = window;
  for (const [place, [lane, size]] of order.entries()) {
    const part = Math.min(size, Math.floor(left / (order.length - place)));
    parts[lane] = part;
    left -= part;
  }
  return parts;
}
