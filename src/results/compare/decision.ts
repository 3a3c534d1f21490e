/** Whether a difference is shown. One test decides, fixed before anything is looked at. Pure. */

import type { Difference } from './difference.ts';

/** The rate at which equal agents are called different, at most. */
export const SIGNIFICANCE = 0.05;

export type Decision = 'worse' | 'better' | 'no_difference';

/**
 * The paired permutation test over tasks decides: between equal agents either run could have had either result of a
 * task, so its error rate is what is promised, however the rewards are spread. The interval is for the size of the
 * difference. It comes from resampling, is right in about 95 of 100 cases, and may end a little to the other side of 0.
 *
 * @param p of the test, or what a correction for several tests has made of it; null where there was nothing to test
 */
export function decide(delta: number | null, p: number | null): Decision {
  if (delta === null || p === null || p >= SIGNIFICANCE) return 'no_difference';
  return delta < 0 ? 'worse' : 'better';
}

/** What has to be said where the interval, read alone, would decide otherwise; null where it agrees. */
export function disagreement({ delta, permutation, interval, changed }: Difference): string | null {
  if (interval === null) return null;
  const leavesZeroOut = interval.low > 0 || interval.high < 0;
  const isShown = decide(delta, permutation?.p ?? null) !== 'no_difference';
  if (leavesZeroOut === isShown) return null;
  const tasks = changed === 1 ? 'the one task that changed' : `the ${String(changed)} tasks that changed`;
  return isShown
    ? `the interval holds 0, but the permutation test over ${tasks} decides, and shows a difference`
    : `the interval leaves 0 out, but the permutation test over ${tasks} decides, and shows none`;
}
