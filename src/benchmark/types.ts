/** The benchmark's own nouns, as tau-bench's `types.py` names them. */

import type { PyDict } from './python/index.ts';

/** One environment action. `respond` speaks to the user; every other name is a tool. */
export interface Action {
  readonly name: string;
  readonly kwargs: PyDict;
}

/** The action that speaks to the simulated user; its text is `kwargs.content`. */
export const RESPOND = 'respond';

/** A simulated user whose reply contains this anywhere ends the episode. */
export const STOP_MARKER = '###STOP###';

export interface Task {
  readonly userId: string;
  readonly instruction: string;
  /** One ground-truth path to the right final data. */
  readonly actions: readonly Action[];
  /** Strings that the agent must tell the user. */
  readonly outputs: readonly string[];
}

/** Result of one environment action. */
export interface StepResult {
  /** Text that the agent sees. */
  readonly observation: string;
  /** `user` for respond, else the action's name. */
  readonly source: string;
  /** True when the episode has ended with this step. */
  readonly done: boolean;
}
