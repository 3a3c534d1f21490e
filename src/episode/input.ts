/** Input of an episode workflow. */

import type { EpisodeKey, WorkflowInput } from '../evaluation/index.ts';
import type { ForkInput } from './fork.ts';

export interface EpisodeInput extends WorkflowInput {
  readonly episode: EpisodeKey;
  /**
   * Set if earlier episodes of the sweep have met several workers. The first calls then repeat earlier messages,
   * because another worker does not know them.
   */
  readonly repeats?: true;
  /** Set if this episode replaces one that ended with its sweep. */
  readonly resumes?: EarlierEpisode;
  /** Number of times that the episode was played before, because its user was suspect. @default 0 */
  readonly repeat?: number;
  /** Absent in an episode that is not a fork. */
  readonly fork?: ForkInput;
}

/** Episode whose finished model calls its replacement reuses. */
export interface EarlierEpisode {
  /** Null: the newest one of the same workflow id. */
  readonly workflowRunId: string | null;
}

/** Place for notes of an episode's activities, for people who watch it. A fork is not part of its run. */
export function notedIn({ run, fork }: Pick<EpisodeInput, 'run' | 'fork'>): { readonly logDir?: string } {
  return fork === undefined ? { logDir: run.logDir } : {};
}
