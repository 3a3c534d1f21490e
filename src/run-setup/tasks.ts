/** Selects the tasks of a run. */

import { tasksOfSplit, type Pack } from '../benchmarks/packs/index.ts';
import { UsageError } from '../errors/index.ts';

/** Options of a run that name its tasks. */
interface TaskChoice {
  readonly taskSplit: string;
  readonly taskIds?: readonly number[] | undefined;
  readonly startIndex: number;
  readonly endIndex: number;
}

/**
 * Selects the tasks of a run, as tau-bench's `run.py` does: ids take precedence over the range; the range is half open,
 * its end is at most the number of tasks, and -1 means all.
 * @throws PackError for an unknown split; UsageError for an id that the split does not have, or an empty range
 */
export function chooseTasks(pack: Pack, { taskSplit, taskIds, startIndex, endIndex }: TaskChoice): number[] {
  const tasks = tasksOfSplit(pack, taskSplit);
  const last = tasks.length - 1;
  if (taskIds !== undefined && taskIds.length > 0) {
    const wrong = taskIds.find((id) => id > last);
    if (wrong === undefined) return [...taskIds];
    throw new UsageError(`--task-ids: there is no task ${wrong}; split ${taskSplit} has the tasks 0 to ${last}.`);
  }
  const end = endIndex === -1 ? tasks.length : Math.min(endIndex, tasks.length);
  if (startIndex >= end) {
    const range = `--start-index ${startIndex} --end-index ${endIndex}`;
    throw new UsageError(`${range} selects no task; split ${taskSplit} has the tasks 0 to ${last}.`);
  }
  return Array.from({ length: end - startIndex }, (_, index) => startIndex + index);
}
