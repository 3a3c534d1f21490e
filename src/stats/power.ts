/**
 * The minimum detectable effect by simulation: the smallest true difference of two runs that the test which decides a
 * comparison, the sign-flip test over tasks, shows in 80 of 100 cases. A formula with normal quantiles promises too much
 * for few tasks and trials, because most differences are then 0 and the test has few signs to flip.
 */

import { normalQuantile } from './proportions.ts';
import { createDraw, signFlipTest } from './resampling.ts';

/** Success rates of one task, in [0, 1], in two runs without an overall difference, and the numbers of trials. */
export interface PlannedTask {
  readonly before: number;
  readonly after: number;
  readonly trialsBefore: number;
  readonly trialsAfter: number;
}

/** Share of comparisons that show the difference, at the level 0.95. */
const POWER = 0.8;
const ALPHA = 0.05;

/** Most simulated comparisons for each difference; fewer for large runs, which take longer. */
const CASES = 300;
const LEAST_CASES = 100;
const MOST_TRIALS = 500_000;
/** Number of changed tasks from which the normal approximation is as good as the sign-flip test. */
const MANY = 40;
/** Number of halvings of the range in which the difference is searched. */
const HALVINGS = 8;
/** Fewest tasks for a significant result: with five, 2 of 2^5 sign assignments are 0.06. */
export const LEAST_TASKS = 6;

/**
 * Moves the later run's rates by the same amount on every task, up to 1, or down to 0 where the rates are above 1/2,
 * until the comparison shows the difference with the power. Tasks are drawn anew for every case, so that the
 * differences between tasks have their full effect.
 *
 * @returns the mean difference of the rates; null if even the largest possible one is shown less often
 * @param most comparisons that are simulated for each difference
 */
export function minimumDetectableEffect(tasks: readonly PlannedTask[], most = CASES): number | null {
  if (tasks.length < LEAST_TASKS) return null;
  const isHigh = averageTasks(tasks, ({ before }) => before) > 0.5;
  const planned = isHigh ? tasks.map(mirrorTask) : tasks;
  const moved = (shift: number) => planned.map((task) => ({ ...task, after: Math.min(1, task.after + shift) }));
  const isShown = (shift: number) => simulatePower(moved(shift), most) >= POWER;
  let [low, high] = [0, 1];
  if (!isShown(high)) return null;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (isShown(middle)) high = middle;
    else low = middle;
  }
  return averageTasks(moved(high), ({ before, after }) => after - before);
}

function mirrorTask({ before, after, ...trials }: PlannedTask): PlannedTask {
  return { before: 1 - before, after: 1 - after, ...trials };
}

/** Returns the share of significant simulated comparisons, with the same random numbers for every difference. */
function simulatePower(tasks: readonly PlannedTask[], most: number): number {
  const draw = createDraw('power');
  const count = (rate: number, trials: number) => {
    let successes = 0;
    for (let trial = 0; trial < trials; trial++) if (draw(RANGE) < rate * RANGE) successes += 1;
    return successes / trials;
  };
  const trials = tasks.reduce((sum, task) => sum + task.trialsBefore + task.trialsAfter, 0);
  const cases = Math.min(most, Math.round(Math.min(CASES, Math.max(LEAST_CASES, MOST_TRIALS / trials))));
  let shown = 0;
  for (let at = 0; at < cases; at++) {
    const differences = tasks.map(() => {
      const { before, after, trialsBefore, trialsAfter } = tasks[draw(tasks.length)] ?? NOTHING;
      return count(after, trialsAfter) - count(before, trialsBefore);
    });
    if (isSignificant(differences)) shown += 1;
  }
  return shown / cases;
}

const RANGE = 0x1_0000_0000;
const NOTHING: PlannedTask = { before: 0, after: 0, trialsBefore: 1, trialsAfter: 1 };

function isSignificant(differences: readonly number[]): boolean {
  const changed = differences.filter((difference) => Math.abs(difference) > 1e-9);
  if (changed.length < MANY) return signFlipTest(changed, { resamples: 500 }).p < ALPHA;
  const sum = changed.reduce((total, difference) => total + difference, 0);
  const squares = changed.reduce((total, difference) => total + difference ** 2, 0);
  return Math.abs(sum) > normalQuantile(1 - ALPHA / 2) * Math.sqrt(squares);
}

function averageTasks(tasks: readonly PlannedTask[], value: (task: PlannedTask) => number): number {
  return tasks.reduce((sum, task) => sum + value(task), 0) / tasks.length;
}
