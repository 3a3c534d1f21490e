/** The benchmark's own nouns, as tau-bench's `types.py` names them. */

import type { PyDict } from './python/index.ts';

/** One environment action. `respond` speaks to the user; every other name is a tool. */
export interface Action {
  readonly name: string;
  readonly kwargs: PyDict;
  /** Set for a call of the simulated user, who has tools in some domains of τ³-bench. @default the agent */
  readonly requestor?: 'user';
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
  /** The whole task as its file has it, where it is one of τ³-bench: initial state, scenario, criteria. */
  readonly tau3?: PyDict;
}

export interface StepResult {
  /** Text that the agent sees. */
  readonly observation: string;
  /** `user` for respond, else the action's name. */
  readonly source: string;
  /** True when the episode has ended with this step. */
  readonly done: boolean;
  /** Set where a call of τ³-bench has raised; its episodes end after a number of them. */
  readonly failed?: true;
}
