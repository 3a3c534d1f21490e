/**
 * Agreement of two runs on which tasks are solved. For a task with several trials, the success rates p and q of the two
 * runs are used: a trial of one and a trial of the other agree with probability p·q + (1 − p)·(1 − q).
 */

import { mean } from 'simple-statistics';

export interface Agreement {
  /** Probability that two such trials agree, mean over tasks. */
  readonly share: number;
  /**
   * Cohen's kappa (A Coefficient of Agreement for Nominal Scales, 1960): the share beyond that expected of two runs
   * with these scores and unrelated tasks; null if the expected share is 1.
   */
  readonly kappa: number | null;
}

/** @returns null without tasks */
export function measureAgreement(
  tasks: readonly { readonly before: number; readonly after: number }[],
): Agreement | null {
  if (tasks.length === 0) return null;
  const both = (p: number, q: number) => p * q + (1 - p) * (1 - q);
  const share = mean(tasks.map(({ before, after }) => both(before, after)));
  const chance = both(mean(tasks.map(({ before }) => before)), mean(tasks.map(({ after }) => after)));
  return { share, kappa: chance >= 1 ? null : (share - chance) / (1 - chance) };
}
