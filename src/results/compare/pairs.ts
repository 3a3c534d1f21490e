/** Two runs side by side, task by task: what a task's trials came to in each. Pure. */

import type { EpisodeRow } from '../rows.ts';

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
export type PairedRow = Pick<EpisodeRow, 'taskId' | 'reward'>;

/** @param counts which episodes count; a task without any is not there */
export function pairTasks<Row extends PairedRow>(
  before: readonly Row[],
  after: readonly Row[],
  counts: (row: Row) => boolean,
): Pairing {
  const [earlier, later] = [meansByTask(before.filter(counts)), meansByTask(after.filter(counts))];
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

function meansByTask(rows: readonly PairedRow[]): Map<number, TaskMean> {
  const sums = new Map<number, { sum: number; trials: number }>();
  for (const { taskId, reward } of rows) {
    const task = sums.get(taskId) ?? { sum: 0, trials: 0 };
    sums.set(taskId, { sum: task.sum + reward, trials: task.trials + 1 });
  }
  return new Map([...sums].map(([taskId, { sum, trials }]) => [taskId, { mean: sum / trials, trials }]));
}

function keysNotIn(tasks: ReadonlyMap<number, TaskMean>, others: ReadonlyMap<number, TaskMean>): number[] {
  return [...tasks.keys()].filter((taskId) => !others.has(taskId)).sort((a, b) => a - b);
}
