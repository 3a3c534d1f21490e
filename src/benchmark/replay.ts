/** Actions replayed from the fresh data, as the reference's `Env.step` takes them. Nothing ends the sequence. */

import { applyAction, openOverlay, type EnvData } from './environment.ts';
import type { Overlay } from './overlay.ts';
import { quote } from './python/index.ts';
import { StepRaised } from './step-raised.ts';
import { RESPOND, STOP_MARKER, type Action, type StepResult } from './types.ts';

/** Reply of a simulated user that has no more replies. */
const DEFAULT_REPLY = 'OK.';

export type ReplayedStep =
  | { readonly kind: 'observed'; readonly observation: string; readonly done: boolean }
  /** An exception left the step; no step comes after it. */
  | { readonly kind: 'raised'; readonly type: string; readonly message: string };

export interface Replayed {
  /** One for each action, up to one that raised. */
  readonly steps: readonly ReplayedStep[];
  readonly state: Overlay;
}

/** @param userReplies what the user says to each `respond` in turn; then {@link DEFAULT_REPLY} */
export function replay(data: EnvData, actions: readonly Action[], userReplies: readonly string[] = []): Replayed {
  const state = openOverlay(data);
  const replies = userReplies.values();
  const reply = () => replies.next().value ?? DEFAULT_REPLY;
  const steps: ReplayedStep[] = [];
  for (const action of actions) {
    const step = replayStep(data, state, action, reply);
    steps.push(step);
    if (step.kind === 'raised') break;
  }
  return { steps, state };
}

/** Takes one action in the given state, which it changes; what raises has changed what it had until then. */
export function replayStep(data: EnvData, state: Overlay, action: Action, reply: () => string): ReplayedStep {
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
