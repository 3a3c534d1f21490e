/** A task together with the reasons why its ground truth is the right one and the only one. */

import type { Action } from '../../../benchmark/index.ts';
import type { Evidence, Ground } from '../tasks/ground.ts';
import type { Ending, Output, Premise } from '../tasks/plot.ts';

/** One of the things that the customer has come for. */
export interface Goal {
  /** Everything that its sentences name. */
  readonly grounds: readonly Ground[];
  readonly premises: readonly Premise[];
  readonly outputs: readonly Output[];
  readonly ending: Ending;
  /** Its writes by their position among the task's actions. */
  readonly evidence: ReadonlyMap<number, Readonly<Record<string, Evidence>>>;
}

export interface Claim {
  readonly instruction: string;
  /** How the agent finds out who the customer is; the argument is the user id. */
  readonly identity: Ground;
  readonly actions: readonly Action[];
  readonly goals: readonly Goal[];
}

/** One sentence that says what is wrong with a task. */
export type Fault = string;
