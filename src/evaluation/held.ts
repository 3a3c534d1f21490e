/** Model calls that wait in their episodes: the failures that may wait, and the data for showing such calls. */

import type { EarlierAttempts } from './model-call.ts';
import type { EpisodeKey } from '../benchmarks/index.ts';
import { FailureType } from './failures.ts';

/**
 * A model call whose retries have all failed because of the provider. It waits in its episode until the sweep releases
 * it.
 */
export interface HeldCall {
  readonly episode: EpisodeKey;
  /** Name of the call within the episode: `agent 3`. */
  readonly call: string;
  readonly provider: string;
  /** Type of the failure. */
  readonly failure: string;
  readonly message: string;
  /** Numbers of failed attempts so far. */
  readonly earlier?: EarlierAttempts;
  /** Status of the answer; absent: there was none. */
  readonly status?: number;
  /** True if no connection was made, so that no server has received the request. */
  readonly isUnreached?: true;
  /**
   * True if the failure is the agent's own error, provided that an episode has ended regularly. Before that, a wrong
   * set-up may be the cause.
   */
  readonly isOwnOnceWorked?: true;
  /** Time at which the agent last answered another request of this episode, in ms since the epoch. */
  readonly answeredAt?: number;
}

/** Answer of the sweep to a held call. */
export interface HeldRelease {
  readonly call: string;
  /** True if the call is made again; false: the episode ends with the failure. */
  readonly again: boolean;
  /** True if the agent answers other requests, so that the failure is its own error. */
  readonly isAgentsFault?: true;
  /** New address of an agent that is a service. @default unchanged */
  readonly agentUrl?: string;
}

/** Held calls of one provider, for display. */
export interface HeldProvider {
  readonly provider: string;
  /** Latest failure: its type and message. */
  readonly reason: string;
  /** Time of the first failure since the provider last answered, ISO 8601, UTC. */
  readonly since: string;
  /** Number of waiting episodes. */
  readonly episodes: number;
  /** Time of the next attempt, ISO 8601, UTC; null during an attempt, or while the calls wait for `resume`. */
  readonly nextTryAt: string | null;
  /** Start of the current attempt, ISO 8601, UTC. @default no attempt is running */
  readonly tryingSince?: string;
  /** True if other episodes use the places of the waiting ones. */
  readonly needsPlace?: true;
  /** True if the calls wait for `resume`. */
  readonly isRefused: boolean;
  /** End of the wait if the provider answers nothing until then, ISO 8601, UTC; absent while its clock is stopped. */
  readonly givesUpAt?: string;
  /** Longest wait without an answer, in milliseconds. */
  readonly boundMs?: number;
  /** Names of the first episodes that wait. */
  readonly names?: readonly string[];
  /** Id of the run, for commands. */
  readonly runId?: string;
}

/** Failures that may end without an intervention. */
const TRANSIENT: ReadonlySet<string> = new Set([
  FailureType.ModelUnavailable,
  FailureType.RateLimited,
  FailureType.CallTimedOut,
  FailureType.EnvironmentUnavailable,
]);
/** Failures of the account, which affect every request. */
const ACCOUNT: ReadonlySet<string> = new Set([
  FailureType.QuotaExceeded,
  FailureType.NotAuthorised,
  FailureType.MissingKey,
]);

/** Failures of the connection to a provider. If the provider has answered before, it is away. */
const OF_THE_WAY: ReadonlySet<string> = new Set([FailureType.NotACompletion, FailureType.NoConnection]);

export const isTransient = (failure: string): boolean => TRANSIENT.has(failure);
export const isAccountFailure = (failure: string): boolean => ACCOUNT.has(failure);
export const isFailureOfTheWay = (failure: string): boolean => OF_THE_WAY.has(failure);
