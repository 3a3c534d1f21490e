/**
 * The environment as a fold: its state is the pack's tables after an episode's actions. It stores nothing about an
 * episode, so any process can take any step.
 */

import { getDomain } from './domains.ts';
import { PyError, quote, type PyDict } from './python/index.ts';
import { StepRaised, invokeTool } from './domain.ts';
import { Overlay, openOverlay, type EnvData } from './overlay.ts';
import { RESPOND, STOP_MARKER, type Action, type StepResult, type Task } from './types.ts';

export interface AppliedStep extends StepResult {
  /** True if stored data may have changed, even by a call that failed halfway or stored equal data. */
  readonly changed: boolean;
}

const started = new WeakMap<PyDict, WeakMap<Task, EnvData>>();

/**
 * Returns the data with which a task's episodes begin. Some tasks change the pack's data first; the result is cached.
 * @throws PyError for the reference's exceptions; Error for an impossible task of the benchmark
 */
export function taskData(data: EnvData, task: Task): EnvData {
  const initialise = getDomain(data.domain).initialise;
  if (initialise === undefined || task.content === undefined) return data;
  let byTask = started.get(data.tables);
  if (byTask === undefined) started.set(data.tables, (byTask = new WeakMap()));
  let known = byTask.get(task);
  if (known === undefined) {
    const start = new Overlay(data.tables);
    initialise(start, task.content);
    byTask.set(task, (known = { ...data, start }));
  }
  return known;
}

/**
 * Takes one action and changes the given state.
 * @param action any action except `respond`, which the simulated user answers
 * @throws StepRaised if the reference's step itself throws; Error for `respond`, and for an unknown domain
 */
export function applyAction(data: EnvData, overlay: Overlay, action: Action): AppliedStep {
  if (action.name === RESPOND) throw new Error('respond is answered by the user simulator, not by the environment');
  const domain = getDomain(data.domain);
  const source = action.name;
  if (domain.call !== undefined) {
    const before = overlay.writes;
    const { observation, error } = domain.call(overlay, action);
    return { observation, source, done: false, changed: overlay.writes !== before, ...(error ? { failed: true } : {}) };
  }
  const tool = domain.tools.get(action.name);
  if (tool === undefined) {
    return { observation: `Unknown action ${action.name}`, source, done: false, changed: false };
  }
  const writesBefore = overlay.writes;
  const observation = observe(() => invokeTool(tool, data.domain, overlay, action.kwargs));
  // A terminating tool ends the episode even when its call failed, as in the reference.
  const done = data.terminateTools.includes(action.name);
  return { observation, source, done, changed: overlay.writes !== writesBefore };
}

/** Returns the state after the actions; `respond` changes nothing and is skipped. */
export function foldActions(data: EnvData, actions: Iterable<Action>): Overlay {
  const overlay = openOverlay(data);
  for (const action of actions) if (action.name !== RESPOND) applyOrPass(data, overlay, action);
  return overlay;
}

/** Applies an action; a tool that throws keeps its earlier changes. */
function applyOrPass(data: EnvData, overlay: Overlay, action: Action): void {
  try {
    applyAction(data, overlay, action);
  } catch (error) {
    if (!(error instanceof StepRaised)) throw error;
  }
}

/** Returns a tool's result. An exception of the tool becomes an observation; an error of this program is thrown. */
function observe(invoke: () => string): string {
  try {
    return invoke();
  } catch (error) {
    if (error instanceof PyError) return `Error: ${error.message}`;
    throw error;
  }
}

/** Reply of a simulated user without further replies. */
const DEFAULT_REPLY = 'OK.';

export type StepOutcome =
  | { readonly kind: 'observed'; readonly observation: string; readonly done: boolean }
  /** The last step: an exception left the reference's `Env.step`. */
  | { readonly kind: 'raised'; readonly type: string; readonly message: string };

interface ReplayResult {
  /** Outcomes, one per action, up to an action that threw. */
  readonly steps: readonly StepOutcome[];
  readonly state: Overlay;
}

/** @param userReplies the user's replies to the `respond` actions in order; {@link DEFAULT_REPLY} answers the rest */
export function replay(data: EnvData, actions: readonly Action[], userReplies: readonly string[] = []): ReplayResult {
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

/** Takes one action, changing the given state. An action that raises keeps its changes so far. */
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
