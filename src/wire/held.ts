/**
 * Held calls: model calls that have failed for a reason that lies with the provider, and wait in their episode until
 * their sweep has them made again. What an episode and its sweep tell each other about them.
 */

import { FailureType } from './activities.ts';
import type { EpisodeKey } from './config.ts';

/** A call that has failed, its retries included. */
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
  /** Whether they wait for `resume`. */
  readonly isRefused: boolean;
}

/** Failures that may pass without anybody's doing. */
const TRANSIENT: ReadonlySet<string> = new Set([FailureType.ModelUnavailable, FailureType.RateLimited]);
/** Failures of the account, whatever is asked of it. */
const ACCOUNT: ReadonlySet<string> = new Set([
  FailureType.QuotaExceeded,
  FailureType.NotAuthorised,
  FailureType.MissingKey,
]);

export const isTransient = (failure: string): boolean => TRANSIENT.has(failure);
export const isOfAccount = (failure: string): boolean => ACCOUNT.has(failure);

/**
 * Returns true for failures of a call that may wait in its episode. A refused request waits only if no episode of the
 * run has ended well yet, which the sweep knows.
 */
export function isHoldable(failure: string): boolean {
  return isTransient(failure) || isOfAccount(failure) || failure === FailureType.RequestRefused;
}

/** Adds what lanes of one sweep hold. */
export function addHeld(a: readonly HeldProvider[], b: readonly HeldProvider[]): HeldProvider[] {
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
export function heldSentence(held: HeldProvider, now: number | null): string {
  const { provider, reason, since, episodes, nextTryAt, isRefused } = held;
  return [
    `waiting for ${provider}: ${reason} since ${since.slice(11, 16)} UTC`,
    `${episodes} ${episodes === 1 ? 'episode' : 'episodes'} held`,
    isRefused ? 'until the run is resumed' : nextTry(nextTryAt, now),
  ].join(', ');
}

function nextTry(at: string | null, now: number | null): string {
  if (at === null) return 'trying now';
  if (now === null) return `next try at ${at.slice(11, 19)} UTC`;
  return `next try in ${Math.max(0, Math.round((Date.parse(at) - now) / 1000))} s`;
}
