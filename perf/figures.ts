/** Arithmetic of the benchmark: medians, and what a harness without any cost of its own would need. */

/** @throws RangeError for an empty list */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of nothing');
  return (lower + upper) / 2;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/**
 * The least wall time of episodes whose model calls come one after another: the sum of all latencies over the
 * concurrency, and at least the longest episode's own chain.
 * @param chainsMs per episode, the sum of its model latencies
 */
export function idealWallMs(chainsMs: readonly number[], concurrency: number): number {
  if (!(concurrency >= 1)) throw new RangeError(`a concurrency of ${concurrency}`);
  return Math.max(sum(chainsMs) / concurrency, ...chainsMs, 0);
}

/** The wall time when episodes are opened in the given order, each as soon as a place is free, at no other cost. */
export function inOrderWallMs(chainsMs: readonly number[], concurrency: number): number {
  if (!(concurrency >= 1)) throw new RangeError(`a concurrency of ${concurrency}`);
  const freeAt = new Array<number>(Math.floor(concurrency)).fill(0);
  for (const chain of chainsMs) {
    const first = freeAt.indexOf(Math.min(...freeAt));
    freeAt[first] = (freeAt[first] ?? 0) + chain;
  }
  return Math.max(...freeAt);
}
