/** Tells whether a script solves its task, so that a mistake is only made where it shows. */

import type { Action } from '../../bench/types.ts';
import { RESPOND } from '../../bench/types.ts';
import { dumpJson } from '../../bench/python/json.ts';
import { isRead, type Judge } from './flaws.ts';

/** Compares what was changed and told with the ground truth's, on paper: no environment is needed. */
export const judgeTask: Judge = ({ pack, task }, actions) => {
  const writes = (list: readonly Action[]) =>
    list
      .filter(
        ({ name }) => name !== RESPOND && !isRead({ name, kwargs: new Map() }) && !pack.terminateTools.includes(name),
      )
      .map(({ name, kwargs }) => dumpJson([name, ...[...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))]));
  return JSON.stringify(writes(actions)) === JSON.stringify(writes(task.actions)) && tellsAll(task.outputs, actions);
};

/** The benchmark's rule: lower case, the agent's commas dropped, plain containment. */
function tellsAll(outputs: readonly string[], actions: readonly Action[]): boolean {
  const told = actions.flatMap(({ name, kwargs }) => {
    const content = name === RESPOND ? kwargs.get('content') : undefined;
    return typeof content === 'string' ? [content.toLowerCase().replaceAll(',', '')] : [];
  });
  return outputs.every((output) => told.some((text) => text.includes(output.toLowerCase())));
}
