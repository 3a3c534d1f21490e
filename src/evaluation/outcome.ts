/** Outcome and summary of an episode, for its run. */

import type { AgentErrorKind } from '../agents/index.ts';
import type { EpisodeKey } from '../benchmarks/index.ts';

/**
 * Outcome of an episode. `infrastructure_error` is never the model's fault. The reference gives it reward 0, so reports
 * have both readings.
 */
export type Outcome =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  | { readonly kind: 'max_steps' }
  /** The agent service has ended the conversation. */
  | { readonly kind: 'agent_stop' }
  | { readonly kind: 'agent_error'; readonly error: AgentErrorKind; readonly message: string }
  | { readonly kind: 'infrastructure_error'; readonly error: string; readonly message: string }
  | { readonly kind: 'cancelled' }
  /** The agent only decided (`--decision-only`): the record has its actions, which were not executed. */
  | { readonly kind: 'decision_only' };

export type OutcomeKind = Outcome['kind'];

/** @returns false for outcomes that run again when the run is resumed: canceled, or ended by infrastructure */
export function isFinalOutcome(outcome: OutcomeKind): boolean {
  return outcome !== 'infrastructure_error' && outcome !== 'cancelled';
}

/** Summary of an episode for its sweep: under 2 kB, never the trajectory. */
export interface EpisodeSummary {
  readonly episode: EpisodeKey;
  readonly reward: number;
  readonly outcome: OutcomeKind;
  /** Message of the outcome, cut to 200 characters; null if it has none. */
  readonly error: string | null;
  /** Failure type of an infrastructure error. Absent for all other outcomes. */
  readonly fault?: string;
  readonly steps: number;
  readonly turns: number;
  readonly calls: number;
  readonly extraAttempts: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly agentCostUsd: number | null;
  readonly userCostUsd: number | null;
  /** Cost of the judge in USD; absent if it was not called. */
  readonly judgeCostUsd?: number | null;
  /** Cost of all calls with a known price in USD; absent if every price is known. */
  readonly knownCostUsd?: number;
  readonly durationMs: number;
  /** Set if a worker lacked the conversation, because another worker had the earlier calls. */
  readonly hasMissed?: true;
  /** Set if the simulated user is suspect. */
  readonly isSuspect?: true;
  /** Cost in USD that the earlier episode had paid, if this record's costs include it; absent: none. */
  readonly reusedUsd?: number;
}
