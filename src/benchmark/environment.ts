/**
 * The environment is a fold: its state is the pack's tables after an episode's actions. Nothing here remembers an
 * episode, so any process can take any step of it.
 */

import { getDomain } from './domains.ts';
import {
  PyError,
  isDict,
  keyError,
  repr,
  requireHashable,
  typeError,
  typeName,
  quote,
  type PyDict,
  type PyValue,
} from './python/index.ts';
import { StepRaised, invokeTool, type Store } from './domain.ts';
import { RESPOND, STOP_MARKER, type Action, type StepResult } from './types.ts';

/** The part of a pack that the environment needs. */
export interface EnvData {
  readonly domain: string;
  /** Table name → records; never changed. */
  readonly tables: PyDict;
  /** Tools that end an episode. */
  readonly terminateTools: readonly string[];
}

export interface AppliedStep extends StepResult {
  /** True if stored data may have changed: also true of a call that failed halfway, or stored what was there. */
  readonly changed: boolean;
}

/** An environment's data, of either benchmark. */
export type Tables = Pick<EnvData, 'tables'>;

/** The state of a fresh episode. */
export function openOverlay(data: Tables): Overlay {
  return new Overlay(data.tables);
}

/**
 * Takes one action in the given state, which it changes.
 * @param action anything but `respond`, which the simulated user answers
 * @throws StepRaised where the reference's step itself raises; Error for `respond`, and for an unknown domain
 */
export function applyAction(data: EnvData, overlay: Overlay, action: Action): AppliedStep {
  if (action.name === RESPOND) throw new Error('respond is answered by the user simulator, not by the environment');
  const tool = getDomain(data.domain).tools.get(action.name);
  const source = action.name;
  if (tool === undefined) {
    return { observation: `Unknown action ${action.name}`, source, done: false, changed: false };
  }
  const writesBefore = overlay.writes;
  const observation = observe(() => invokeTool(tool, data.domain, overlay, action.kwargs));
  // A terminating tool ends the episode even when its call failed, as in the reference.
  const done = data.terminateTools.includes(action.name);
  return { observation, source, done, changed: overlay.writes !== writesBefore };
}

/** The state after the actions; `respond` changes nothing and is passed over. */
export function foldActions(data: EnvData, actions: Iterable<Action>): Overlay {
  const overlay = openOverlay(data);
  for (const action of actions) if (action.name !== RESPOND) applyOrPass(data, overlay, action);
  return overlay;
}

/** A tool that raises keeps the changes that it made before. */
function applyOrPass(data: EnvData, overlay: Overlay, action: Action): void {
  try {
    applyAction(data, overlay, action);
  } catch (error) {
    if (!(error instanceof StepRaised)) throw error;
  }
}

/** Every exception of a tool is an observation; an error of this program is not an exception of the tool's. */
function observe(invoke: () => string): string {
  try {
    return invoke();
  } catch (error) {
    if (error instanceof PyError) return `Error: ${error.message}`;
    throw error;
  }
}

/**
 * An episode's state: the records that differ from the pack's tables, over the tables themselves.
 *
 * The tables are shared by all episodes of a process and never change; neither does a record once it is stored.
 * Opening, copying and comparing states therefore costs only what an episode has written.
 */
type Records = ReadonlyMap<string, PyDict>;
const NONE: Records = new Map();

export class Overlay implements Store {
  readonly #tables: PyDict;
  readonly #written = new Map<string, Map<string, PyDict>>();
  #writes = 0;

  constructor(tables: PyDict) {
    this.#tables = tables;
  }

  /** Number of records put: two equal counts mean that nothing was written in between. */
  get writes(): number {
    return this.#writes;
  }

  /** The records that were put, by id. */
  written(table: string): Records {
    return this.#written.get(table) ?? NONE;
  }

  /** An independent state that starts where this one is. */
  copy(): Overlay {
    const copy = new Overlay(this.#tables);
    copy.#writes = this.#writes;
    for (const [table, records] of this.#written) copy.#written.set(table, new Map<string, PyDict>(records));
    return copy;
  }

  find(table: string, id: PyValue): PyDict | undefined {
    const base = this.#base(table);
    requireHashable(id);
    if (typeof id !== 'string') return undefined;
    const record = this.#written.get(table)?.get(id) ?? base.get(id);
    return record === undefined ? undefined : requireRecord(record);
  }

  get(table: string, id: PyValue): PyDict {
    const record = this.find(table, id);
    if (record === undefined) throw keyError(repr(id));
    return record;
  }

  entries(table: string): Iterable<readonly [id: string, record: PyValue]> {
    const written = this.#written.get(table);
    return written === undefined ? this.#base(table) : merged(this.#base(table), written);
  }

  put(table: string, id: PyValue, record: PyDict): void {
    if (typeof id !== 'string') throw keyError(repr(id));
    let records = this.#written.get(table);
    if (records === undefined) this.#written.set(table, (records = new Map<string, PyDict>()));
    records.set(id, record);
    this.#writes++;
  }

  #base(table: string): PyDict {
    const base = this.#tables.get(table);
    if (base === undefined) throw keyError(repr(table));
    return requireRecord(base);
  }
}

/** A table as it is after the writes. */
function* merged(base: PyDict, written: Records): Iterable<readonly [id: string, record: PyValue]> {
  for (const [id, record] of base) yield [id, written.get(id) ?? record];
  for (const entry of written) if (!base.has(entry[0])) yield entry;
}

/** Packs are checked when they are read; this guards data that were put together by hand. */
function requireRecord(value: PyValue): PyDict {
  if (!isDict(value)) throw typeError(`'${typeName(value)}' object is not a record`);
  return value;
}

/** Reply of a simulated user that has no more replies. */
const DEFAULT_REPLY = 'OK.';

export type StepOutcome =
  | { readonly kind: 'observed'; readonly observation: string; readonly done: boolean }
  /** An exception left the step; no step comes after it. */
  | { readonly kind: 'raised'; readonly type: string; readonly message: string };

interface Replayed {
  /** One for each action, up to one that raised. */
  readonly steps: readonly StepOutcome[];
  readonly state: Overlay;
}

/** @param userReplies what the user says to each `respond` in turn; then {@link DEFAULT_REPLY} */
export function replay(data: EnvData, actions: readonly Action[], userReplies: readonly string[] = []): Replayed {
  const state = openOverlay(data);
  const replies = userReplies.values();
  const reply = () => replies.next().value ?? DEFAULT_REPLY;
  const steps: StepOutcome[] = [];
  for (const action of actions) {
    const step = replayStep(data, state, action, reply);
    steps.push(step);
    if (step.kind === 'raised') break;
  }
  return { steps, state };
}

/** Takes one action in the given state, which it changes; what raises has changed what it had until then. */
export function replayStep(data: EnvData, state: Overlay, action: Action, reply: () => string): StepOutcome {
  try {
    const { observation, done } = takeStep(data, state, action, reply);
    return { kind: 'observed', observation, done };
  } catch (error) {
    if (error instanceof StepRaised) return { kind: 'raised', type: error.type, message: error.message };
    throw error;
  }
}

/** @throws StepRaised */
function takeStep(data: EnvData, state: Overlay, action: Action, reply: () => string): StepResult {
  if (action.name !== RESPOND) return applyAction(data, state, action);
  if (!action.kwargs.has('content')) throw new StepRaised('KeyError', quote('content'));
  const observation = reply();
  return { observation, source: 'user', done: observation.includes(STOP_MARKER) };
}
