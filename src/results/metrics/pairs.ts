/** Two runs side by side, task by task: what a task's trials came to in each. Pure. */

import type { EpisodeRow } from '../log/index.ts';

export interface TaskPair {
  readonly taskId: number;
  /** Mean reward over the task's trials, in the earlier and in the later run. */
  readonly before: number;
  readonly after: number;
  readonly trialsBefore: number;
  readonly trialsAfter: number;
}

export interface Pairing {
  /** Tasks ascending, so that figures do not depend on the order of files. */
  readonly pairs: readonly TaskPair[];
  /** Tasks that only one of the runs has. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
}

/** What is needed of an episode to pair it. */
export type PairedRow = Pick<EpisodeRow, 'taskId' | 'trial' | 'reward'>;

export interface PairOptions {
  /**
   * A trial that a task lacks and its run has counts as a failure, as in tau-bench's pass^k.
   * @default false: a task's mean is over the trials that count
   */
  readonly missingAsFailures?: boolean;
}

/** @param counts which episodes count; a task without any is not there */
export function pairTasks<Row extends PairedRow>(
  before: readonly Row[],
  after: readonly Row[],
  counts: (row: Row) => boolean,
  { missingAsFailures = false }: PairOptions = {},
): Pairing {
  const means = (rows: readonly Row[]) => meansByTask(rows.filter(counts), missingAsFailures);
  const [earlier, later] = [means(before), means(after)];
  const pairs: TaskPair[] = [];
  for (const [taskId, { mean, trials }] of earlier) {
    const other = later.get(taskId);
    if (other === undefined) continue;
    pairs.push({ taskId, before: mean, after: other.mean, trialsBefore: trials, trialsAfter: other.trials });
  }
  return {
    pairs: pairs.sort((a, b) => a.taskId - b.taskId),
    onlyBefore: keysNotIn(earlier, later),
    onlyAfter: keysNotIn(later, earlier),
  };
}

interface TaskMean {
  readonly mean: number;
  readonly trials: number;
}

function meansByTask(rows: readonly PairedRow[], missingAsFailures: boolean): Map<number, TaskMean> {
  const all = new Set(rows.map(({ trial }) => trial)).size;
  const sums = new Map<number, { sum: number; trials: number }>();
  for (const { taskId, reward } of rows) {
    const task = sums.get(taskId) ?? { sum: 0, trials: 0 };
    sums.set(taskId, { sum: task.sum + reward, trials: task.trials + 1 });
  }
  return new Map(
    [...sums].map(([taskId, { sum, trials }]) => [taskId, { mean: sum / (missingAsFailures ? all : trials), trials }]),
  );
}

function keysNotIn(tasks: ReadonlyMap<number, TaskMean>, others: ReadonlyMap<number, TaskMean>): number[] {
  return [...tasks.keys()].filter((taskId) => !others.has(taskId)).sort((a, b) => a - b);
}
