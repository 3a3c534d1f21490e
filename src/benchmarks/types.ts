/** The types of the benchmark, as in tau-bench's `types.py`. */

import type { PyDict } from './python/index.ts';

/** One environment action. `respond` speaks to the user; every other name is a tool. */
export interface Action {
  readonly name: string;
  readonly kwargs: PyDict;
  /** `user` for a call of the simulated user, who has tools in some domains. @default the agent */
  readonly requestor?: 'user';
}

/** The action that speaks to the simulated user; its text is `kwargs.content`. */
export const RESPOND = 'respond';

/** Marker in a simulated user's reply that ends the episode. */
export const STOP_MARKER = '###STOP###';

export interface Task {
  readonly userId: string;
  readonly instruction: string;
  /** One sequence of ground-truth actions that leads to the right final data. */
  readonly actions: readonly Action[];
  /** Strings that the agent must tell the user. */
  readonly outputs: readonly string[];
  /** The whole task from its file, for its benchmark only; absent if the fields above are the whole task. */
  readonly content?: PyDict;
  /** Id of the task at an environment service. */
  readonly name?: string;
  /** Sentences that a judge decides on, for a task of an environment service. */
  readonly sentences?: readonly string[] | undefined;
}

export interface StepResult {
  /** Text that the agent sees. */
  readonly observation: string;
  /** `user` for `respond`, otherwise the action's name. */
  readonly source: string;
  /** True when the episode has ended with this step. */
  readonly done: boolean;
  /** Set if the call has raised an exception, in benchmarks that end an episode after a number of them. */
  readonly failed?: true;
}

/** A judge's decision on one sentence of a task. */
export interface SentenceVerdict {
  /** The sentence, copied from the task. */
  readonly assertion: string;
  readonly met: boolean;
  /** The judge's reason, shortened. */
  readonly reason: string;
}
