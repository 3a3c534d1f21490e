/**
 * Splits a window equally among lanes; what a lane has too few episodes to use is the others'. The first lanes take what
 * does not divide. A window that was made smaller than the number of lanes leaves some without a part until others have
 * ended.
 * @param sizes number of episodes of each lane
 * @returns the parts, in the lanes' order; together the window, or all episodes where they are fewer
 */
export function splitWindow(window: number, sizes: readonly number[]): number[] {
  const parts = sizes.map(() => 0);
  // The largest come last: what the smaller ones have left is known by then.
  const order = [...sizes.entries()].sort(([a, sizeA], [b, sizeB]) => (sizeA === sizeB ? b - a : sizeA - sizeB));
  let left = window;
  for (const [place, [lane, size]] of order.entries()) {
    const part = Math.min(size, Math.floor(left / (order.length - place)));
    parts[lane] = part;
    left -= part;
  }
  return parts;
}
