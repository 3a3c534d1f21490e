import type { FailureType } from '../evaluation/index.ts';

/** Ends an episode without a score: what happened is neither the agent's doing nor the user's. */
export class EpisodeError extends Error {
  readonly type: FailureType;

  constructor(message: string, type: FailureType) {
    super(message);
    this.name = 'EpisodeError';
    this.type = type;
  }
}
