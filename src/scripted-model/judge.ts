/** Tells whether a script solves its task, so that a mistake is only made where it shows. */

import { RESPOND, domains, findOutputs, grade, type Action } from '../benchmark/index.ts';
import { dumpJson } from '../benchmark/python/index.ts';
import { isRead, type Judge } from './flaws.ts';
import type { IndexedTask } from './task-index.ts';

/** As the benchmark grades; on paper for a domain whose tools the program does not have. */
export const judgeTask: Judge = (item, actions) =>
  domains.has(item.pack.domain) ? isRewarded(item, actions) : isRightOnPaper(item, actions);

function isRewarded({ pack, task }: IndexedTask, actions: readonly Action[]): boolean {
  // Only the comparison counts here, so no hash is made of the data.
  const none = () => '';
  const graded = grade(pack, task, actions, { sha256: none, groundTruthHash: none });
  return graded.kind === 'graded' && graded.info.reward === 1;
}

/** The same writes in the same order, and every output told. */
function isRightOnPaper({ pack, task }: IndexedTask, actions: readonly Action[]): boolean {
  const writes = (list: readonly Action[]) =>
    list
      .filter((action) => action.name !== RESPOND && !isRead(action) && !pack.terminateTools.includes(action.name))
      .map(({ name, kwargs }) => dumpJson([name, ...[...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))]));
  const told = [...findOutputs(task.outputs, actions).values()];
  return told.every(Boolean) && JSON.stringify(writes(actions)) === JSON.stringify(writes(task.actions));
}
