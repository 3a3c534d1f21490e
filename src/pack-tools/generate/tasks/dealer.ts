/** What a domain gives to have tasks dealt. */

import type { Difficulty } from '../level.ts';
import type { Ground } from './ground.ts';
import type { Plot } from './plot.ts';
import type { Stage, StageParts } from './stage.ts';

/** Makes one task of its kind; undefined when the data have nobody whom it fits. Its name is its function's. */
export type Family<St, C> = (stage: St) => Plot<C> | undefined;

export interface Introduction {
  /** Who the customer is, in the instruction's first sentence. */
  readonly text: string;
  /** What the agent can find the customer by. */
  readonly identity: Ground;
}

export interface Dealer<W, St extends Stage<W>, C extends { readonly id: string }> {
  /** The families in the order in which they are dealt, over and over. */
  readonly decks: Readonly<Record<Difficulty, readonly Family<St, C>[]>>;
  /** Dealt when a family of the deck finds nobody: these ask for hardly anything. */
  readonly spare: readonly Family<St, C>[];
  /** Families whose goals leave room for another goal of the same customer. */
  readonly companions: readonly Family<St, C>[];
  /** Families with a single wish that a customer can drop before anything is done. */
  readonly wishes: readonly Family<St, C>[];
  /** @param at position of the task in its split */
  open(parts: StageParts<W>, at: number): St;
  /**
   * A stage with one customer and with what earlier goals do not write to.
   * @param script `same`: the goal is reached in the same conversation
   */
  narrow(stage: St, plots: readonly Plot<C>[], script: 'same' | 'fresh'): St;
  introduce(stage: St, customer: C): Introduction;
  /** How many customers there are. */
  size(world: W): number;
}
