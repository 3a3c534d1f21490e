/**
 * The environment is a fold: its state is the pack's tables after an episode's actions. Nothing here remembers an
 * episode, so any process can take any step of it.
 */

import { getDomain } from './domains.ts';
import { Overlay } from './overlay.ts';
import { PyError, type PyDict } from './python/index.ts';
import { StepRaised } from './step-raised.ts';
import { invokeTool } from './tool.ts';
import { RESPOND, type Action, type StepResult } from './types.ts';

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

/** The state of a fresh episode. */
export function openOverlay(data: EnvData): Overlay {
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
