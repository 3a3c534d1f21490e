/** True if a file's results are of a pack's tasks, by what the file says of them. Pure. */

import { equals } from '../../benchmark/python/index.ts';
import { RESPOND, type Action, type Task } from '../../benchmark/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';

/** @returns true if anything in the file says what its tasks are */
export function namesTasks(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined || recordedTruth(entry) !== undefined);
}

/** @returns true if anything in the file says whom its tasks are about */
export function namesUsers(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined);
}

/**
 * How many of the results have the user and the ground truth that the tasks of their numbers have. Instructions are
 * corrected more often than these, and are not compared.
 * @returns null where the tasks are others: one is not there or is of another user, or most ground truths differ
 */
export function fitOf(entries: readonly ResultsFileEntry[], tasks: readonly Task[]): number | null {
  let known = 0;
  let equal = 0;
  for (const entry of entries) {
    const task = tasks[entry.task_id];
    if (task === undefined) return null;
    const user = recordedUser(entry);
    if (user !== undefined && user !== task.userId) return null;
    const truth = recordedTruth(entry);
    if (truth === undefined && user === undefined) continue;
    known++;
    if (truth === undefined || areSame(truth, withoutRespond(task.actions))) equal++;
  }
  return known > 0 && 2 * equal > known ? equal : null;
}

function recordedUser({ info }: ResultsFileEntry): string | undefined {
  return info?.task?.user_id ?? undefined;
}

/**
 * tau-bench's grade has the ground truth as well, but for what is said to the user. An empty list there may as well have
 * been left empty by another tool, and tells nothing.
 */
function recordedTruth({ info }: ResultsFileEntry): readonly Action[] | undefined {
  if (info?.task !== undefined && info.task !== null) return withoutRespond(info.task.actions);
  const actions = info?.reward_info?.actions ?? [];
  return actions.length === 0 ? undefined : withoutRespond(actions);
}

function withoutRespond(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ name }) => name !== RESPOND);
}

function areSame(a: readonly Action[], b: readonly Action[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, kwargs }, at) => {
      const other = b[at];
      return other !== undefined && name === other.name && equals(kwargs, other.kwargs);
    })
  );
}
