/** How much a run's figures are worth: intervals, where the spread comes from, and what such a run can show. Pure. */

import type { Interval } from '../stats/bootstrap.ts';
import type { TrialReward } from './pass-hat-k.ts';

export interface PassHatInterval {
  readonly k: number;
  readonly value: number;
  /** Bootstrap over tasks; null for fewer than two tasks. */
  readonly interval: Interval | null;
}

/** Variance of a success, split into what differs from task to task and what differs between trials of one task. */
export interface VarianceSplit {
  readonly betweenTasks: number;
  readonly betweenTrials: number;
  /** Share of the whole that lies between tasks, in [0, 1]; null without any variance. */
  readonly taskShare: number | null;
}

export interface FlipRate {
  /** Tasks with at least two trials. */
  readonly tasks: number;
  /** Of these, tasks that were solved in some trials and not in others. */
  readonly flipped: number;
  /** `flipped / tasks`; null without such tasks. */
  readonly rate: number | null;
  /** The chance that two trials of a task disagree, mean over these tasks. */
  readonly disagreement: number | null;
}

export interface Uncertainty {
  /** Wilson's interval of pass^1, every episode taken as a draw of its own: what is usually printed. */
  readonly wilson: Interval | null;
  readonly passHatK: readonly PassHatInterval[];
  /** null where no task has two trials. */
  readonly variance: VarianceSplit | null;
  readonly flips: FlipRate;
  /** The smallest difference from another such run that a paired comparison shows in 80 of 100 cases; null: unknown. */
  readonly detectable: number | null;
  /** Trials per task that would show a difference of so much, on these tasks. */
  readonly trialsNeeded: readonly { readonly difference: number; readonly trials: number | null }[];
}

export interface UncertaintyOptions {
  /** @default 0.95 */
  readonly level?: number;
  /** @default 'tauflow' */
  readonly seed?: string;
}

export function uncertaintyOf(_rows: readonly TrialReward[], _options: UncertaintyOptions = {}): Uncertainty {
  return {
    wilson: null,
    passHatK: [],
    variance: null,
    flips: { tasks: 0, flipped: 0, rate: null, disagreement: null },
    detectable: null,
    trialsNeeded: [],
  };
}
