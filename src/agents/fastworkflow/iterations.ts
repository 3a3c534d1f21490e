/** How many tools the agent may still use before it must answer. */

import type { StrategyOptions } from '../port.ts';
import { hasCompat } from './compat.ts';

/** Tools between two answers of the customer. */
export const MAX_ITERATIONS = 25;

/** One for every episode. */
export class Iterations {
  readonly #perEpisode: boolean;
  #used = 0;

  constructor(options: StrategyOptions) {
    this.#perEpisode = hasCompat(options, 'fastworkflow-iterations');
  }

  /** FastWorkflow itself counts on, so that after 25 tools without a question each turn has but one. */
  openTurn(): void {
    if (!this.#perEpisode) this.#used = 0;
  }

  /** The customer answered a question. */
  startAnew(): void {
    this.#used = 0;
  }

  /**
   * Counts a tool.
   * @returns whether another one may follow
   */
  use(): boolean {
    this.#used += 1;
    return this.#used < MAX_ITERATIONS;
  }
}
