/** Replays the calls of an episode or a ground truth one by one, and finds which of them left the data wrong. */

import {
  RESPOND,
  diffStates,
  openOverlay,
  replayStep,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../benchmark/index.ts';
import { hashableRepr, isDict, isList, type PyValue } from '../../benchmark/python/index.ts';
import type { DataDifference } from '../types.ts';
import { jsonOrNull } from './fault.ts';

export interface Call {
  readonly action: Action;
  /** 1-based, among the actions that were replayed. */
  readonly step: number;
  /** The tool's answer; where the step raised, what it raised. */
  readonly observation: string;
  /** The data after the call; null if they stayed the same: it only read, or failed. */
  readonly change: { readonly before: Overlay; readonly after: Overlay } | null;
}

/** A call that changed the data. */
export type Write = Call & { readonly change: NonNullable<Call['change']> };

export interface ReplayedCalls {
  /** Without `respond`, which changes nothing. */
  readonly calls: readonly Call[];
  readonly state: Overlay;
  /** The first step that raised; null where none did. */
  readonly raised: { readonly step: number; readonly message: string } | null;
}

/** @param afterRaise whether steps after one that raised are taken: a ground truth's are, an episode ends there */
export function replayCalls(data: EnvData, actions: readonly Action[], afterRaise: boolean): ReplayedCalls {
  const state = openOverlay(data);
  const calls: Call[] = [];
  let raised: ReplayedCalls['raised'] = null;
  for (const [at, action] of actions.entries()) {
    const before = state.copy();
    const taken = replayStep(data, state, action, () => '');
    const observation = taken.kind === 'observed' ? taken.observation : `${taken.type}: ${taken.message}`;
    if (action.name !== RESPOND) {
      const isSame = state.writes === before.writes || sameState(data, before, state);
      calls.push({ action, step: at + 1, observation, change: isSame ? null : { before, after: state.copy() } });
    }
    if (taken.kind === 'raised') {
      raised ??= { step: at + 1, message: observation };
      if (!afterRaise) break;
    }
  }
  return { calls, state, raised };
}

/** The wanted data, and how they come about; see `groundTruthState`. */
export function replayGroundTruth(data: EnvData, actions: readonly Action[]): ReplayedCalls {
  return replayCalls(
    data,
    actions.filter(({ name }) => name !== RESPOND && !data.terminateTools.includes(name)),
    true,
  );
}

export function isWrite(call: Call): call is Write {
  return call.change !== null;
}

/** Finds the fields where the agent's data differ from the wanted data, and the step that last changed each. */
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
