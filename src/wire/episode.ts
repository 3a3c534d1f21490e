/** What goes into an episode workflow and what comes out of it. */

import type { AgentErrorKind, CallRole } from '../agents/index.ts';
import type { EpisodeKey, EvaluationConfig, RunRef } from './config.ts';
import type { ForkInput } from './fork.ts';

export interface EpisodeInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
  /** Whether the namespace has the search attributes. */
  readonly indexed: boolean;
  /** See `WORKFLOW_VERSION`. */
  readonly version?: number;
  /** Absent in an episode that starts at its beginning. */
  readonly fork?: ForkInput;
}

/** Workflows and quick activities share one queue; model calls have one for each provider and endpoint. */
export interface TaskQueues {
  readonly main: string;
  readonly llm: string;
  /** Label of the endpoint that a provider's calls are for, by provider; one that is absent: any worker's. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/**
 * How an episode ended. `infrastructure_error` is never the model's fault; the reference turns it into reward 0,
 * so both readings are reported.
 */
export type Outcome =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  | { readonly kind: 'max_steps' }
  | { readonly kind: 'agent_error'; readonly error: AgentErrorKind; readonly message: string }
  | { readonly kind: 'infrastructure_error'; readonly error: string; readonly message: string }
  | { readonly kind: 'cancelled' }
  /** The agent was only to decide (`--decision-only`): its actions are in the record, none was taken. */
  | { readonly kind: 'decision_only' };

export type OutcomeKind = Outcome['kind'];

/** @returns false for the outcomes that run again when the run is resumed: cancelled, or ended by infrastructure */
export function isFinal(outcome: OutcomeKind): boolean {
  return outcome !== 'infrastructure_error' && outcome !== 'cancelled';
}

/** What the model calls of one role added up to. */
export interface RoleUsage {
  readonly role: CallRole;
  readonly calls: number;
  /** Of these, answered by a response cache: their tokens are in the sums, their cost is 0. Absent: none. */
  readonly cachedCalls?: number;
  /** Attempts beyond the last that may have been paid: sent, and then failed or lost. A 429 is never paid. */
  readonly extraAttempts: number;
  /** Of the calls, those whose completion reached a limit on tokens and was cut. Absent: none. */
  readonly truncatedReplies?: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** USD; null as soon as one call's price is unknown. */
  readonly costUsd: number | null;
  /** Cost of the role's last call: what the reference calls `user_cost`. */
  readonly lastCallCostUsd: number | null;
  readonly latencyMs: number;
}

/** One environment step, without its texts. */
export interface StepMetric {
  /** 1-based. */
  readonly index: number;
  readonly name: string;
  /** Whether the environment's data changed. */
  readonly changed: boolean;
  /** Milliseconds of workflow time from the step's start to its result. */
  readonly durationMs: number;
  /** Milliseconds from the end of the step before, or the customer's opening, to this one's start. */
  readonly thinkMs?: number;
  /** The agent's model calls since the step before, and what they used. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** USD; null when one of these calls has no known price. */
  readonly costUsd: number | null;
}

/** All that travels up to the sweep: under 2 kB, never the trajectory. */
export interface EpisodeSummary {
  readonly episode: EpisodeKey;
  readonly reward: number;
  readonly outcome: OutcomeKind;
  /** The outcome's message where it has one, cut to 200 characters. */
  readonly error: string | null;
  /** Of an infrastructure error: the failure's type. Absent as well from sweeps of before version 3. */
  readonly fault?: string;
  readonly steps: number;
  /** How often the agent spoke to the user. */
  readonly turns: number;
  readonly calls: number;
  readonly extraAttempts: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly agentCostUsd: number | null;
  readonly userCostUsd: number | null;
  readonly durationMs: number;
}
