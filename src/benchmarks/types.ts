/** The benchmark's own nouns, as tau-bench's `types.py` names them. */

import type { PyDict } from './python/index.ts';

/** One environment action. `respond` speaks to the user; every other name is a tool. */
export interface Action {
  readonly name: string;
  readonly kwargs: PyDict;
  /** Set for a call of the simulated user, who has tools in some domains. @default the agent */
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
  /** The whole task as its file has it, for its benchmark alone. Absent: the fields above are the whole task. */
  readonly content?: PyDict;
  /** Id of the task at an environment service. */
  readonly name?: string;
  /** Sentences that a judge decides on, of a task of an environment service. */
  readonly sentences?: readonly string[] | undefined;
}

export interface StepResult {
  /** Text that the agent sees. */
  readonly observation: string;
  /** `user` for respond, else the action's name. */
  readonly source: string;
  /** True when the episode has ended with this step. */
  readonly done: boolean;
  /** Set where a call has raised, in benchmarks whose episodes end after a number of them. */
  readonly failed?: true;
}

/** A judge's decision on one sentence of a task. */
export interface SentenceVerdict {
  /** The sentence, as the task has it. */
  readonly assertion: string;
  readonly met: boolean;
  /** The judge's reason, shortened. */
  readonly reason: string;
}
