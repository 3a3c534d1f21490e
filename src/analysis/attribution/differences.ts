/** Where the agent's data differ from the wanted data, and which step made it so. */

import { diffStates, type EnvData, type Overlay } from '../../benchmark/index.ts';
import { hashableRepr, isDict, isList, type PyValue } from '../../benchmark/python/index.ts';
import type { DataDifference } from '../types.ts';
import { isWrite, type ReplayedCalls } from './calls.ts';
import { jsonOrNull } from './show.ts';

export function findDifferences(data: EnvData, agent: ReplayedCalls, wanted: Overlay): DataDifference[] {
  const writes = agent.calls.filter(isWrite).reverse();
  return diffStates(data, agent.state, wanted).flatMap(({ table, id, fields }) =>
    fields.map(({ path, a, b }): DataDifference => {
      const at = (state: Overlay) => {
        const value = valueAt(state.find(table, id), path);
        return value === undefined ? undefined : hashableRepr(value);
      };
      const last = writes.find(({ change }) => at(change.before) !== at(change.after));
      return { table, id, path, step: last?.step ?? null, agent: jsonOrNull(a), wanted: jsonOrNull(b) };
    }),
  );
}

/** Undefined where there is nothing. */
export function valueAt(value: PyValue | undefined, path: DataDifference['path']): PyValue | undefined {
  let found = value;
  for (const key of path) {
    if (isDict(found)) found = found.get(String(key));
    else found = isList(found) && typeof key === 'number' ? found[key] : undefined;
  }
  return found;
}
