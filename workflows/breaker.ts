/**
 * When a sweep stops opening episodes by itself: a provider refuses for a reason that every further episode would meet
 * too. From version 4 on refused calls wait in their episodes instead (`held-calls.ts`).
 */

import { FailureType, isAccountFailure, type EpisodeSummary } from '../src/wire/index.ts';

export class Breaker {
  #inARow = 0;

  /**
   * A single refusal may be one worker's (its key is another one), so it takes two in a row where the models have
   * answered before. A refused request may be one episode's own; only where nothing has worked yet it is taken for the
   * run's, such as a model that does not exist. Trouble that may pass neither counts nor speaks against it.
   *
   * @param hasWorked whether an episode has come to an end of its own before
   * @returns why to stop; null: go on
   */
  episodeEnded(
    { fault, outcome, error }: Pick<EpisodeSummary, 'fault' | 'outcome' | 'error'>,
    hasWorked: boolean,
  ): string | null {
    if (outcome === 'cancelled') return null;
    if (outcome !== 'infrastructure_error') {
      this.#inARow = 0;
      return null;
    }
    if (fault === undefined) return null;
    const threshold = thresholdOf(fault, hasWorked);
    if (threshold === Infinity) return null;
    this.#inARow += 1;
    return this.#inARow >= threshold ? `${fault}: ${error ?? 'no more is known'}` : null;
  }

  reset(): void {
    this.#inARow = 0;
  }
}

function thresholdOf(fault: string, hasWorked: boolean): number {
  if (isAccountFailure(fault)) return hasWorked ? 2 : 1;
  return fault === FailureType.RequestRefused && !hasWorked ? 2 : Infinity;
}
