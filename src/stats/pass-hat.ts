/** pass^k: the probability that k trials of a task all succeed, estimated without bias from the trials. */

import { boundedMeanInterval } from './bounded-mean.ts';
import type { TaskCount } from './design.ts';
import type { Interval } from './proportions.ts';

export interface PassHatEstimate {
  readonly k: number;
  /** Mean over the tasks with k trials or more, in [0, 1]; null if there are none. */
  readonly value: number | null;
  /** Number of tasks in the mean. */
  readonly tasks: number;
  /** Interval for a population of similar tasks; null for fewer than two tasks. */
  readonly interval: Interval | null;
}

export function passHatK(counts: readonly TaskCount[], k: number, level = 0.95): PassHatEstimate {
  const shares = counts
    .filter(({ trials }) => trials >= k)
    .map(({ trials, successes }) => passHatOfTask(successes, trials, k));
  const value = shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { k, value, tasks: shares.length, interval: boundedMeanInterval(shares, level) };
}

/** Returns one task's share, C(c,k)/C(n,k), for c successes in n trials. */
export function passHatOfTask(successes: number, trials: number, k: number): number {
  return divide(binomial(successes, k), binomial(trials, k));
}

/** Returns C(n,k) exactly: from about 57 trials on, it no longer fits a double. */
export function binomial(n: number, k: number): bigint {
  if (k > n) return 0n;
  let result = 1n;
  for (let i = 1; i <= Math.min(k, n - k); i++) result = (result * BigInt(n - i + 1)) / BigInt(i);
  return result;
}

/** Returns `a / b` of non-negative ints, rounded once to the nearest double, as in Python. */
function divide(a: bigint, b: bigint): number {
  const exact = BigInt(Number.MAX_SAFE_INTEGER);
  if (a <= exact && b <= exact) return Number(a) / Number(b);
  // A quotient of at least 64 bits with a sticky last bit rounds to the same double as the true one.
  const shift = Math.max(0, 64 + b.toString(2).length - a.toString(2).length);
  const scaled = a << BigInt(shift);
  const sticky = scaled % b === 0n ? 0n : 1n;
  return Number((scaled / b) | sticky) * 2 ** -shift;
}
