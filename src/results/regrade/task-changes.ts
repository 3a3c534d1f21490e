/** Whether a recording is of the task that the pack has under its number. */

import { equals } from '../../benchmark/python/index.ts';
import type { Action, Task } from '../../benchmark/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';

export type TaskField = 'user_id' | 'instruction' | 'actions' | 'outputs';

type RecordedTask = NonNullable<ResultsFileEntry['info']>['task'];

/** Fields of which the recording says something else than the pack; what it does not say is not compared. */
export function changedFields(recorded: RecordedTask, task: Task): TaskField[] {
  if (recorded === undefined || recorded === null) return [];
  const changes: TaskField[] = [];
  if (recorded.user_id !== undefined && recorded.user_id !== task.userId) changes.push('user_id');
  if (recorded.instruction !== task.instruction) changes.push('instruction');
  if (!sameActions(recorded.actions, task.actions)) changes.push('actions');
  if (recorded.outputs !== undefined && !equals(recorded.outputs, task.outputs)) changes.push('outputs');
  return changes;
}

function sameActions(a: readonly Action[], b: readonly Action[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, kwargs }, at) => {
      const other = b[at];
      return other !== undefined && name === other.name && equals(kwargs, other.kwargs);
    })
  );
}
