/** Model calls that wait in their episodes: which failures may wait, and how they are shown. */

import type { EarlierAttempts } from './model-call.ts';
import type { EpisodeKey } from '../benchmarks/index.ts';
import { FailureType } from './failures.ts';

/**
 * A model call that has failed with all its retries because of the provider. It waits in its episode until the sweep
 * releases it.
 */
export interface HeldCall {
  readonly episode: EpisodeKey;
  /** Its name within the episode: `agent 3`. */
  readonly call: string;
  readonly provider: string;
  /** Type of the failure. */
  readonly failure: string;
  readonly message: string;
  /** Failed attempts so far. */
  readonly earlier?: EarlierAttempts;
  /** Status of the answer; absent: there was none. */
  readonly status?: number;
  /** True if no connection was made, so that nothing has received the request. */
  readonly isUnreached?: true;
  /**
   * True if the failure counts as the agent's own once an episode has ended well. Before that, a wrong set-up may be
   * the cause.
   */
  readonly isOwnOnceWorked?: true;
  /** Time at which the agent last answered another request of this episode, in ms since the epoch. */
  readonly answeredAt?: number;
}

/** Answer of the sweep. */
export interface HeldRelease {
  readonly call: string;
  /** False: the episode ends with the failure. */
  readonly again: boolean;
  /** True if the agent answers other requests, so that the failure is its own error. */
  readonly isAgentsFault?: true;
  /** New address of an agent that is a service. @default unchanged */
  readonly agentUrl?: string;
}

/** Held calls of one provider, for people. */
export interface HeldProvider {
  readonly provider: string;
  /** Latest failure: its type and message. */
  readonly reason: string;
  /** ISO 8601, UTC: first failure since the provider last answered. */
  readonly since: string;
  /** Waiting episodes. */
  readonly episodes: number;
  /** ISO 8601, UTC; null during a try, or while the calls wait for `resume`. */
  readonly nextTryAt: string | null;
  /** ISO 8601, UTC: start of the current try. @default no try is running */
  readonly tryingSince?: string;
  /** True if other episodes use the places of the waiting ones. */
  readonly needsPlace?: true;
  /** The calls wait for `resume`. */
  readonly isRefused: boolean;
  /** ISO 8601, UTC: end of the wait, if the provider answers nothing until then; absent: its time does not run now. */
  readonly givesUpAt?: string;
  /** Longest wait without an answer. @unit milliseconds */
  readonly boundMs?: number;
  /** Names of the first episodes that wait. */
  readonly names?: readonly string[];
  /** The run, for commands. */
  readonly runId?: string;
}

/** Failures that may pass by themselves. */
const TRANSIENT: ReadonlySet<string> = new Set([
  FailureType.ModelUnavailable,
  FailureType.RateLimited,
  FailureType.CallTimedOut,
  FailureType.EnvironmentUnavailable,
]);
/** Failures of the account, which every request gets. */
const ACCOUNT: ReadonlySet<string> = new Set([
  FailureType.QuotaExceeded,
  FailureType.NotAuthorised,
  FailureType.MissingKey,
]);

/** Failures of the connection to a provider. A provider that has answered before is away. */
const OF_THE_WAY: ReadonlySet<string> = new Set([FailureType.NotACompletion, FailureType.NoConnection]);

export const isTransient = (failure: string): boolean => TRANSIENT.has(failure);
export const isAccountFailure = (failure: string): boolean => ACCOUNT.has(failure);
export const isFailureOfTheWay = (failure: string): boolean => OF_THE_WAY.has(failure);
