/** What it would take to settle a difference that is not shown. Pure. */

import { mean } from 'simple-statistics';
import { detectableDifference, standardDeviation, trialsToShow } from '../../stats/index.ts';
import type { TaskPair } from '../metrics/index.ts';

export interface Settling {
  /** The true difference that would be shown in 80 of 100 cases: the size of the one seen. */
  readonly difference: number;
  /**
   * A task, in each run, on the same tasks; null where no number of trials does, by these runs' own spread. The latter is
   * not said to people: it is an estimate so noisy that it comes out so for a third of the undecided pairs of equal agents.
   */
  readonly trials: number | null;
  /** Tasks of the same kind with as many trials as now. */
  readonly tasks: number;
}

/** Below this a difference is nothing that anybody would want settled. */
const NEGLIGIBLE = 0.005;

/**
 * The spread of the tasks' differences is that of trials and that of the true differences from task to task
 * (`src/stats/design.ts`). Where tasks have one trial each the two cannot be told apart, and all of it is taken for that
 * of trials, which is the best case.
 *
 * @returns null where the difference seen is next to none, or has no spread
 */
export function settlingOf(pairs: readonly TaskPair[]): Settling | null {
  const differences = pairs.map(({ before, after }) => after - before);
  const spread = standardDeviation(differences);
  const detectable = detectableDifference(differences);
  if (spread === null || detectable === null) return null;
  const difference = Math.abs(mean(differences));
  if (difference < NEGLIGIBLE) return null;
  return {
    difference,
    trials: trialsToShow({ tasks: pairs.length, ...varianceOf(pairs, spread ** 2) }, difference),
    // What can be detected shrinks with the root of the tasks.
    tasks: Math.ceil(pairs.length * (detectable / difference) ** 2),
  };
}

/** @param whole variance of the differences from task to task */
function varianceOf(pairs: readonly TaskPair[], whole: number): { betweenTrials: number; interaction: number } {
  const repeated = pairs.filter(({ trialsBefore, trialsAfter }) => trialsBefore > 1 && trialsAfter > 1);
  if (repeated.length === 0) {
    // (whole / 2) in each run for every trial that there was.
    const trials = mean(pairs.map(({ trialsBefore, trialsAfter }) => (trialsBefore + trialsAfter) / 2));
    return { betweenTrials: (whole * trials) / 2, interaction: 0 };
  }
  const unbiased = (p: number, trials: number) => (p * (1 - p) * trials) / (trials - 1);
  const within = repeated.map((pair) => ({
    before: unbiased(pair.before, pair.trialsBefore),
    after: unbiased(pair.after, pair.trialsAfter),
    trialsBefore: pair.trialsBefore,
    trialsAfter: pair.trialsAfter,
  }));
  const ofTrials = mean(within.map((task) => task.before / task.trialsBefore + task.after / task.trialsAfter));
  return {
    betweenTrials: mean(within.map((task) => (task.before + task.after) / 2)),
    interaction: Math.max(0, whole - ofTrials),
  };
}
