/** The configuration of a sweep: part of every sweep's and episode's input, and of `run.json`. JSON-safe. */

import type { CallRole, StrategyOptions } from '../agents/index.ts';
import type { ModelSettings } from './model-settings.schema.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type { ReplyLimits } from './transcript.ts';

export type { EpisodeKey } from '../benchmarks/index.ts';

export type { ModelSettings };

/** Long enough for a reasoning model's longest thoughts; what hangs is found by it and by nothing else. */
export const DEFAULT_CALL_TIMEOUT_MS = 600_000;

/** Time that a sweep waits for an unavailable provider before it gives up. */
export const DEFAULT_OUTAGE_TIMEOUT_MS = 6 * 3_600_000;

/** A worker whose model call has sent no heartbeat for so long counts as dead. */
export const DEFAULT_HEARTBEAT_TIMEOUT_MS = 30_000;

/** Agreed price of a model, in USD per million tokens. */
export interface ModelPrice extends Pick<ModelSettings, 'provider' | 'model'> {
  readonly input: number;
  /** Price of the part of the prompt that the provider had in its cache. @default as `input` */
  readonly cachedInput?: number;
  /** Price of the part of the prompt that the provider wrote to its cache. @default as `input` */
  readonly cacheWrite?: number;
  /** Reasoning included. */
  readonly output: number;
}

/** Everything that changes what an episode does. Two runs with equal settings are comparable. */
export interface EvaluationConfig {
  readonly env: string;
  readonly split: string;
  readonly pack: PackRef;
  readonly strategy: string;
  readonly strategyOptions: StrategyOptions;
  /** The model that answers the agent's calls; null: the agent, a service or a function, calls models of its own. */
  readonly agentModel: ModelSettings | null;
  /** Models of the agent's calls that do not use `agentModel`; absent: all do. */
  readonly roleModels?: Readonly<Partial<Record<CallRole, ModelSettings>>>;
  readonly userStrategy: string;
  readonly userModel: ModelSettings;
  /** The judge of sentences in tasks of τ³-bench (NL_ASSERTION); absent: they are not judged. */
  readonly judgeModel?: ModelSettings;
  readonly maxSteps: number;
  /** Seeds the order of tasks and, per (task, trial), what is passed to providers that take a seed. */
  readonly seed: number;
  /** Retries of one model call after API failures. */
  readonly maxRetries: number;
  /** Timeout of one attempt of a model call; absent: {@link DEFAULT_CALL_TIMEOUT_MS}. */
  readonly callTimeoutMs?: number;
  /**
   * Time that calls wait in their episodes while a provider is away; 0: they do not wait; absent:
   * {@link DEFAULT_OUTAGE_TIMEOUT_MS}.
   */
  readonly outageTimeoutMs?: number;
  /**
   * Tokens that a completion may have, reasoning included, by role; null: no cap. A role that is missing has that of its
   * side (`agent`, `user`), and no cap where that is missing too.
   */
  readonly maxCompletionTokens?: Readonly<Partial<Record<CallRole, number | null>>>;
  /** Limits on the length of a model's reply; absent: `DEFAULT_REPLY_LIMITS`. */
  readonly replyLimits?: ReplyLimits;
  /** Absent: {@link DEFAULT_HEARTBEAT_TIMEOUT_MS}. */
  readonly heartbeatTimeoutMs?: number;
  /** Prices of its models that go before the price list's; absent: none. */
  readonly prices?: readonly ModelPrice[];
  readonly episodeTimeoutMs: number;
  /**
   * The digest under which a worker's response cache files the completions of this configuration, and finds them again
   * in a later run; absent: every call is made.
   */
  readonly responseCache?: string;
  /** The bodies of every model call are kept beside the records; absent: they are not. No part of what an episode does. */
  readonly keepRequests?: true;
}

export const isUserRole = (role: CallRole): boolean => role === 'user' || role.startsWith('user/');
export const isAgentRole = (role: CallRole): boolean => role === 'agent' || role.startsWith('agent/');

/** Place of an episode's record. */
export interface RunRef {
  readonly runId: string;
  /** Absolute path of the folder that holds the run log. */
  readonly logDir: string;
  /** Content of a file in the run's folder, by which a worker knows that it sees that very folder. Absent: unchecked. */
  readonly token?: string;
}
