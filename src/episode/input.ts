/** Input of an episode workflow. */

import type { EpisodeKey, WorkflowInput } from '../evaluation/index.ts';
import type { ForkInput } from './fork.ts';

export interface EpisodeInput extends WorkflowInput {
  readonly episode: EpisodeKey;
  /**
   * Set if earlier episodes of the sweep have met several workers. Calls then repeat earlier messages at first, because
   * another worker does not know them.
   */
  readonly repeats?: true;
  /** Set if this episode replaces one that ended with its sweep. */
  readonly resumes?: EarlierEpisode;
  /** Number of earlier plays of the episode, whose user was suspect. @default 0 */
  readonly repeat?: number;
  /** Input of a fork; absent in any other episode. */
  readonly fork?: ForkInput;
}

/** Episode whose finished model calls its replacement reuses. */
export interface EarlierEpisode {
  /** Id of the workflow run; null: the newest one of the same workflow id. */
  readonly workflowRunId: string | null;
}

/**
 * Returns the folder for notes of an episode's activities, for people who watch it. A fork has none, because it is not
 * part of its run.
 */
export function notedIn({ run, fork }: Pick<EpisodeInput, 'run' | 'fork'>): { readonly logDir?: string } {
  return fork === undefined ? { logDir: run.logDir } : {};
}
