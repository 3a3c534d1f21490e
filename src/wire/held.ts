/** Model calls that wait in their episodes: which failures may wait, and how they are shown. */

import type { EpisodeKey } from './config.ts';
import { FailureType } from './failures.ts';

/**
 * A model call that has failed, its retries included, for a reason that lies with the provider. It waits in its episode
 * until the sweep releases it.
 */
export interface HeldCall {
  readonly episode: EpisodeKey;
  /** Its name within the episode: `agent 3`. */
  readonly call: string;
  readonly provider: string;
  /** Type of the failure. */
  readonly failure: string;
  readonly message: string;
}

/** Answer of the sweep. */
export interface HeldRelease {
  readonly call: string;
  /** False: the episode ends with the failure. */
  readonly again: boolean;
  /** Address at which an agent that is a service is asked from now on; absent: as before. */
  readonly agentUrl?: string;
}

/** Held calls of one provider, for people. */
export interface HeldProvider {
  readonly provider: string;
  /** Latest failure: its type and message. */
  readonly reason: string;
  /** ISO 8601, UTC: first failure since the provider last answered. */
  readonly since: string;
  /** Episodes that wait. */
  readonly episodes: number;
  /** ISO 8601, UTC; null: a try is under way, or the calls wait for `resume`. */
  readonly nextTryAt: string | null;
  /** ISO 8601, UTC: start of the try that is under way; absent: none is. */
  readonly tryingSince?: string;
  /** Other episodes have the places of those that wait. */
  readonly needsPlace?: true;
  /** The calls wait for `resume`. */
  readonly isRefused: boolean;
}

/** Cause of a pause that nobody has asked for, as the end of a sentence: of a provider, or of an agent that is a service. */
export const HALT_CAUSE = 'calls are refused or not answered';

/** Failures that may pass without anybody's doing. */
const TRANSIENT: ReadonlySet<string> = new Set([
  FailureType.ModelUnavailable,
  FailureType.RateLimited,
  FailureType.CallTimedOut,
]);
/** Failures of the account, whatever is asked of it. */
const ACCOUNT: ReadonlySet<string> = new Set([
  FailureType.QuotaExceeded,
  FailureType.NotAuthorised,
  FailureType.MissingKey,
]);

/** Failures of the way to a provider: one that has answered before is away. */
const OF_THE_WAY: ReadonlySet<string> = new Set([FailureType.NotACompletion, FailureType.NoConnection]);

export const isTransient = (failure: string): boolean => TRANSIENT.has(failure);
export const isAccountFailure = (failure: string): boolean => ACCOUNT.has(failure);
export const isFailureOfTheWay = (failure: string): boolean => OF_THE_WAY.has(failure);

/**
 * Returns true for failures of a call that may wait in its episode. A refused request waits only if no episode of the
 * run has ended well yet, which the sweep knows.
 */
export function isHoldable(failure: string): boolean {
  return (
    isTransient(failure) ||
    isAccountFailure(failure) ||
    isFailureOfTheWay(failure) ||
    failure === FailureType.RequestRefused
  );
}

/** Adds what lanes of one sweep hold. */
export function addHeldProviders(a: readonly HeldProvider[], b: readonly HeldProvider[]): HeldProvider[] {
  const sums = new Map(a.map((held) => [held.provider, held]));
  for (const held of b) {
    const sum = sums.get(held.provider);
    sums.set(held.provider, sum === undefined ? held : addProvider(sum, held));
  }
  return [...sums.values()];
}

function addProvider(a: HeldProvider, b: HeldProvider): HeldProvider {
  const [first] = [a.since, b.since].sort();
  const [nextTryAt = null] = [a.nextTryAt, b.nextTryAt].filter((at) => at !== null).sort();
  return {
    ...a,
    since: first ?? a.since,
    episodes: a.episodes + b.episodes,
    nextTryAt,
    isRefused: a.isRefused || b.isRefused,
  };
}

/** Episodes that wait until somebody resumes the run. */
export function refusedEpisodes(held: readonly HeldProvider[]): number {
  return held.filter(({ isRefused }) => isRefused).reduce((sum, { episodes }) => sum + episodes, 0);
}

/**
 * `waiting for openai: 503 … since 14:02 UTC, 7 episodes held, next try in 40 s`
 * @param now ms since the epoch; null where the text is not redrawn, and names the time of the next try
 */
export function formatHeld(held: HeldProvider, now: number | null): string {
  const { provider, reason, since, episodes, isRefused } = held;
  return [
    `waiting for ${provider}: ${reason} since ${since.slice(11, 16)} UTC`,
    `${episodes} ${episodes === 1 ? 'episode' : 'episodes'} held`,
    isRefused ? 'until the run is resumed' : nextTry(held, now),
  ].join(', ');
}

/** A try shorter than this is one that has just begun, in ms. */
const LONG_TRY_MS = 10_000;
/** More than the longest wait until a next try, in ms. */
const LONGEST_WAIT_MS = 600_000;

function nextTry({ nextTryAt: at, tryingSince, needsPlace }: HeldProvider, now: number | null): string {
  if (at === null) {
    const forMs = tryingSince === undefined || now === null ? 0 : now - Date.parse(tryingSince);
    return forMs < LONG_TRY_MS ? 'trying now' : `a call has been running for ${Math.round(forMs / 1000)} s`;
  }
  const inMs = now === null ? Infinity : Date.parse(at) - now;
  if (needsPlace === true && inMs <= 0) return 'next try when another episode has ended';
  // Longer than any wait: the clocks of server and reader differ, or one was set meanwhile.
  if (inMs > LONGEST_WAIT_MS) return `next try at ${at.slice(11, 19)} UTC`;
  return `next try in ${Math.max(0, Math.round(inMs / 1000))} s`;
}
