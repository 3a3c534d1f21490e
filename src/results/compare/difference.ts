/** The difference of two runs over the tasks that both have, and how sure it is. Pure. */

import { mean } from 'simple-statistics';
import {
  bootstrapInterval,
  detectableDifference,
  exactMcNemar,
  signFlipTest,
  standardDeviation,
  type BootstrapOptions,
  type Interval,
  type McNemar,
  type SignFlip,
} from '../../stats/index.ts';
import { isSuccess, type TaskPair } from '../metrics/index.ts';

export interface Difference {
  /** Tasks in both runs. */
  readonly tasks: number;
  /** Of these, tasks whose mean reward is not the same in both: only they tell the runs apart. */
  readonly changed: number;
  /** Mean over these tasks of the mean over a task's trials; null without any task. */
  readonly before: number | null;
  readonly after: number | null;
  /** `after − before`. */
  readonly delta: number | null;
  /** Of `delta`; null for fewer than two tasks, and where all differ by the same: resampled, that would be certain. */
  readonly interval: Interval | null;
  /** The test that decides: tasks' differences with random signs; null without any task. */
  readonly permutation: SignFlip | null;
  /** Of the differences from task to task. */
  readonly standardDeviation: number | null;
  /** The smallest true difference that such runs show in 80 of 100 cases. */
  readonly detectable: number | null;
  /** Only where each task has one trial in both runs, and every reward is 0 or 1: then its p is the permutation test's. */
  readonly mcNemar: McNemar | null;
}

export function differenceOf(pairs: readonly TaskPair[], options: BootstrapOptions = {}): Difference {
  const differences = pairs.map(({ before, after }) => after - before);
  const isEmpty = pairs.length === 0;
  const spread = standardDeviation(differences);
  return {
    tasks: pairs.length,
    changed: differences.filter((difference) => difference !== 0).length,
    before: isEmpty ? null : mean(pairs.map((pair) => pair.before)),
    after: isEmpty ? null : mean(pairs.map((pair) => pair.after)),
    delta: isEmpty ? null : mean(differences),
    interval: spread === 0 ? null : bootstrapInterval(differences, options),
    permutation: isEmpty ? null : signFlipTest(differences),
    standardDeviation: spread,
    detectable: detectableDifference(differences, options.level),
    mcNemar: mcNemarOf(pairs),
  };
}

function mcNemarOf(pairs: readonly TaskPair[]): McNemar | null {
  if (pairs.length === 0 || pairs.some((pair) => pair.trialsBefore !== 1 || pair.trialsAfter !== 1)) return null;
  // Of a reward between it knows only solved and not solved, where the permutation test takes it as it is.
  if (pairs.some(({ before, after }) => !isZeroOrOne(before) || !isZeroOrOne(after))) return null;
  const solved = pairs.map((pair) => ({ before: isSuccess(pair.before), after: isSuccess(pair.after) }));
  return exactMcNemar(
    solved.filter(({ before, after }) => before && !after).length,
    solved.filter(({ before, after }) => after && !before).length,
  );
}

function isZeroOrOne(reward: number): boolean {
  return isSuccess(reward) || Math.abs(reward) <= 1e-6;
}
