/** What a family of tasks makes: a wish of a customer, what an agent does about it, and why nothing else is right. */

import type { Store } from '../../../benchmark/index.ts';
import type { Script } from './script.ts';
import type { Told } from './told.ts';

/** Something that the instruction's sentences take for granted, such as that a first choice cannot be had. */
export interface Premise {
  readonly claim: string;
  readonly holds: (store: Store) => boolean;
}

/** What the agent has to tell. */
export interface Output {
  readonly text: string;
  /** Every answer that the question has. Absent: an observation of the ground truth shows the text. */
  readonly answers?: (store: Store) => readonly string[];
}

/**
 * `served`: data change or something is told. `declined`: the policy forbids the wish, and nothing changes.
 * `transferred`: the wish is beyond the agent, and a person takes over.
 */
export type Ending = 'served' | 'declined' | 'transferred';

/** A task without its frame: who the customer is and how the customer talks is added to it. */
export interface Plot<C = unknown, S extends Script = Script> {
  readonly customer: C;
  readonly script: S;
  /** What the customer wants, in sentences that start with "You". They leave one right outcome only. */
  readonly goal: Told;
  readonly outputs?: readonly (string | Output)[];
  readonly premises?: readonly Premise[];
  /** @default 'served' */
  readonly ending?: Ending;
}
