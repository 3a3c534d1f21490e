/** Replays a task's ground truth, with the result of every call and the records that it changed. */

import {
  RESPOND,
  StepRaised,
  applyAction,
  getDomain,
  openOverlay,
  recordText,
  type Action,
  type EnvData,
  type Overlay,
  type Task,
} from '../../benchmarks/index.ts';
import { isDict, parseJson, type PyDict, type PyValue } from '../../benchmarks/python/index.ts';

/** A record that a call changed. */
interface Change {
  /** Name of the record: `orders/#W0000000`. */
  readonly record: string;
  /** Text of the record as the benchmark hashes it; null if it did not exist. */
  readonly before: string | null;
  readonly after: string;
}

export interface ReplayedCall {
  readonly position: number;
  readonly action: Action;
  /**
   * Kind of the call. `end`: a terminating tool, which the grader skips. `respond`: a message to the user, which is not
   * a tool call.
   */
  readonly kind: 'tool' | 'end' | 'respond';
  /** The observation for an agent; empty for calls that are not replayed. */
  readonly observation: string;
  /** The observation's value if it is JSON, otherwise its text. */
  readonly said: PyValue;
  readonly outcome: 'done' | 'failed' | 'unknown-tool' | 'raised';
  /** True if records were written, changed or not. */
  readonly wrote: boolean;
  readonly changes: readonly Change[];
}

export interface TaskReplay {
  readonly calls: readonly ReplayedCall[];
  /** Records that differ from the initial data at the end, with their texts, sorted. */
  readonly outcome: readonly string[];
}

/** @param data data of a domain that the program implements */
export function replayTask(data: EnvData, task: Task): TaskReplay {
  const state = openOverlay(data);
  const seen: SeenRows = new Map();
  const calls = task.actions.map((action, position) => replayCall(data, state, seen, action, position));
  return { calls, outcome: listOutcome(data, state) };
}

type SeenRows = Map<string, PyDict | undefined>;

function replayCall(data: EnvData, state: Overlay, seen: SeenRows, action: Action, position: number): ReplayedCall {
  const silent = { position, action, observation: '', said: null, outcome: 'done', wrote: false, changes: [] } as const;
  if (action.name === RESPOND) return { ...silent, kind: 'respond' };
  const known = getDomain(data.domain).tools.has(action.name);
  if (data.terminateTools.includes(action.name)) {
    return { ...silent, kind: 'end', outcome: known ? 'done' : 'unknown-tool' };
  }
  const writesBefore = state.writes;
  const { observation, raised } = observe(data, state, action);
  const wrote = state.writes !== writesBefore;
  const failed = observation.startsWith('Error: ');
  return {
    position,
    action,
    kind: 'tool',
    observation,
    said: parsed(observation),
    outcome: !known ? 'unknown-tool' : raised ? 'raised' : failed ? 'failed' : 'done',
    wrote,
    changes: wrote ? changesSince(data, state, seen) : [],
  };
}

function observe(data: EnvData, state: Overlay, action: Action): { observation: string; raised: boolean } {
  try {
    return { observation: applyAction(data, state, action).observation, raised: false };
  } catch (error) {
    if (error instanceof StepRaised) return { observation: `${error.type}: ${error.message}`, raised: true };
    throw error;
  }
}

/** Parses JSON; returns any other text unchanged, because it is a sentence or an id. */
function parsed(observation: string): PyValue {
  if (!/^[[{\-\d]/.test(observation)) return observation;
  try {
    return parseJson(observation);
  } catch {
    return observation;
  }
}

/** Compares the written records with their last texts, and remembers the new texts. */
function changesSince(data: EnvData, state: Overlay, seen: SeenRows): Change[] {
  const changes: Change[] = [];
  for (const table of data.tables.keys()) {
    for (const [id, record] of state.written(table)) {
      const name = `${table}/${id}`;
      const last = seen.has(name) ? seen.get(name) : findUntouched(data, table, id);
      if (last === record) continue;
      seen.set(name, record);
      const before = last === undefined ? null : recordText(last);
      const after = recordText(record);
      if (before !== after) changes.push({ record: name, before, after });
    }
  }
  return changes;
}

function listOutcome(data: EnvData, state: Overlay): string[] {
  const outcome: string[] = [];
  for (const table of data.tables.keys()) {
    for (const [id, record] of state.written(table)) {
      const before = findUntouched(data, table, id);
      const text = recordText(record);
      if (before === undefined || recordText(before) !== text) outcome.push(`${table}/${id} ${text}`);
    }
  }
  return outcome.sort();
}

function findUntouched(data: EnvData, table: string, id: string): PyDict | undefined {
  const records = data.tables.get(table);
  const record = isDict(records) ? records.get(id) : undefined;
  return isDict(record) ? record : undefined;
}
