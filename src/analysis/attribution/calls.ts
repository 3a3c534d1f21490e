/** Replays calls of an episode or a ground truth, compares their data, and creates faults. */

import {
  RESPOND,
  diffStates,
  openOverlay,
  replayStep,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../benchmarks/index.ts';
import { hashableRepr, isDict, isList, type PyValue, dumpJson } from '../../benchmarks/python/index.ts';
import { FAULT_TYPE_OF, type DataDifference, type Fault, type FaultKind } from '../types.ts';

export interface Call {
  readonly action: Action;
  /** Step of the call, see {@link TakenAction}. */
  readonly step: number;
  /** Observation of the tool, or its exception. */
  readonly observation: string;
  /** States before and after the call; null if it did not change the data. */
  readonly change: { readonly before: Overlay; readonly after: Overlay } | null;
}

export type Write = Call & { readonly change: NonNullable<Call['change']> };

export interface ReplayedCalls {
  /** Calls other than `respond`. */
  readonly calls: readonly Call[];
  readonly state: Overlay;
  /** The first step that raised; null if none did. */
  readonly raised: { readonly step: number; readonly message: string } | null;
}

interface TakenAction {
  readonly action: Action;
  /** Number of the step, from 1; a user's call has the step of the agent's message before it. */
  readonly step: number;
}

/** @param afterRaise true to continue after a step that threw, as for a ground truth */
export function replayCalls(data: EnvData, actions: readonly TakenAction[], afterRaise: boolean): ReplayedCalls {
  const state = openOverlay(data);
  const calls: Call[] = [];
  let raised: ReplayedCalls['raised'] = null;
  for (const { action, step } of actions) {
    const before = state.copy();
    const taken = replayStep(data, state, action, () => '');
    const observation = taken.kind === 'observed' ? taken.observation : `${taken.type}: ${taken.message}`;
    if (action.name !== RESPOND) {
      const isSame = state.writes === before.writes || sameState(data, before, state);
      calls.push({ action, step, observation, change: isSame ? null : { before, after: state.copy() } });
    }
    if (taken.kind === 'raised') {
      raised ??= { step, message: observation };
      if (!afterRaise) break;
    }
  }
  return { calls, state, raised };
}

/** Replays the ground truth; see `groundTruthState`. */
export function replayGroundTruth(data: EnvData, actions: readonly Action[]): ReplayedCalls {
  const wanted = actions.filter(({ name }) => name !== RESPOND && !data.terminateTools.includes(name));
  return replayCalls(
    data,
    wanted.map((action, at) => ({ action, step: at + 1 })),
    true,
  );
}

export function isWrite(call: Call): call is Write {
  return call.change !== null;
}

/** Finds the fields of the data that differ, and for each the last step that changed it. */
export function findDifferences(data: EnvData, agent: ReplayedCalls, wanted: Overlay): DataDifference[] {
  const writes = agent.calls.filter(isWrite).reverse();
  return diffStates(data, agent.state, wanted).flatMap(({ table, id, fields }) =>
    fields.map(({ path, a, b }): DataDifference => {
      const at = (state: Overlay) => {
        const value = valueAtPath(state.find(table, id), path);
        return value === undefined ? undefined : hashableRepr(value);
      };
      const last = writes.find(({ change }) => at(change.before) !== at(change.after));
      return { table, id, path, step: last?.step ?? null, agent: jsonOrNull(a), wanted: jsonOrNull(b) };
    }),
  );
}

export function valueAtPath(value: PyValue | undefined, path: DataDifference['path']): PyValue | undefined {
  let found = value;
  for (const key of path) {
    if (isDict(found)) found = found.get(String(key));
    else found = isList(found) && typeof key === 'number' ? found[key] : undefined;
  }
  return found;
}

export type FaultParts = Pick<Fault, 'kind' | 'step' | 'sentence'> &
  Partial<Pick<Fault, 'tool' | 'argument' | 'expected' | 'given'>>;

/** Completes a fault with its type; missing facts are null. */
export function makeFault(parts: FaultParts): Fault {
  const faultType = FAULT_TYPE_OF[parts.kind];
  return { tool: null, argument: null, expected: null, given: null, ...parts, faultType };
}

/** Order of faults at one step, causes first. */
const RANK: Readonly<Record<FaultKind, number>> = {
  infrastructure: 0,
  unreadable_call: 1,
  other: 2,
  out_of_steps: 3,
  transferred_early: 4,
  wrong_order: 5,
  wrong_tool: 6,
  wrong_argument: 7,
  number_spelling: 8,
  extra_write: 9,
  said_not_done: 10,
  missing_write: 11,
  missing_output: 12,
};

/** Sorts by step; faults without a step come last. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity) || RANK[a.kind] - RANK[b.kind]);
}

/** Longest value in a sentence, in characters. */
const MAX_CHARS = 80;

/** Formats a value. @param json JSON text; null: no value */
export function showJson(json: string | null): string {
  return json === null ? 'nothing' : shortenText(json);
}

export function shortenText(text: string): string {
  const chars = Array.from(text);
  return chars.length <= MAX_CHARS ? text : `${chars.slice(0, MAX_CHARS - 1).join('')}…`;
}

/** Formats a call with only the arguments that identify records: `cancel_order (order_id "#W1")`. */
export function namedCall({ name, kwargs }: Action, keys: ReadonlyMap<string, string>): string {
  const named = keys.size > 0 ? [...keys] : [...kwargs].slice(0, 1);
  if (named.length === 0) return name;
  return `${name} (${named.map(([key, value]) => `${key} ${shortenText(dumpJson(value))}`).join(', ')})`;
}

/** Formats a call as JSON: `{"name": …, "kwargs": …}`. */
export function callJson({ name, kwargs }: Action): string {
  return dumpJson({ name, kwargs });
}

export function jsonOrNull(value: PyValue | undefined): string | null {
  return value === undefined ? null : dumpJson(value);
}

/** Formats a number with its noun: `1 change`, `2 changes`. */
export function countNoun(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
