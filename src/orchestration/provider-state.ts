/**
 * A provider as the held calls of a sweep see it. While the provider answers, each held call is made again after its
 * own delay. If several episodes fail in a row without an answer in between, the provider is away: then one call at a
 * time probes it, at growing intervals, and no episode is opened. An answer releases the other calls, a few at first. A
 * refusal of the account is probed only when the run is resumed. docs/durability.md shows the states.
 */

import {
  AGENT_SERVICE,
  FailureType,
  awayTooLong,
  episodeName,
  isAccountFailure,
  isFailureOfTheWay,
  isTransient,
  type HeldCall,
  type HeldProvider,
} from '../evaluation/index.ts';
import { OWN_FAILURES, countFailure, isAgentsFault, type FailureCounts } from './own-failures.ts';

/** Next state by state and event; an event without an entry changes nothing. */
export const PROVIDER_STATES = {
  up: { 'calls of 2 episodes failed': 'away', refused: 'refused', 'away too long': 'refused' },
  away: { answered: 'up', 'no call left': 'up', refused: 'refused', 'away too long': 'refused' },
  refused: { resumed: 'away' },
} as const;

type ProviderStateName = keyof typeof PROVIDER_STATES;
type ProviderEvent = { [S in ProviderStateName]: keyof (typeof PROVIDER_STATES)[S] }[ProviderStateName];

/** Delays before a held call is made again, doubled from the first to the last. @unit milliseconds */
export const HOLD_MS = { first: 5_000, last: 300_000 } as const;
/** Number of different episodes that fail in a row before the provider is treated as away. */
const AWAY_EPISODES = 2;
/** Number of batches that are released within the first delay after an outage. */
const BATCHES = 5;
/** Most episodes whose names are shown. */
const MOST_NAMES = 3;
/** Attempts of a held call after which another episode may be opened to find the cause. */
export const WITNESS_TRIES = 2;

/**
 * Returns how many refusals in a row stop the opening of episodes. One refusal may come from one worker's key, so it
 * takes two if the provider has answered before. A refused request (for example for a model that does not exist) stops
 * the run only if no call has succeeded yet, and a failed connection only if the provider has never sent a completion.
 * @param hasWorked true if an episode has ended by itself
 * @param hasAnswered true if the provider has answered a call
 * @returns Infinity for failures of the call alone, and for transient ones
 */
export function refusalsToHalt(failure: string, hasWorked: boolean, hasAnswered = hasWorked): number {
  if (isAccountFailure(failure)) return hasWorked || hasAnswered ? 2 : 1;
  if (isFailureOfTheWay(failure)) return hasWorked || hasAnswered ? Infinity : 2;
  return failure === FailureType.RequestRefused && !hasWorked ? 2 : Infinity;
}

/** A held call that is due. */
export interface DueCall {
  readonly call: HeldCall;
  /** True if the call is made again, false if it is given up. */
  readonly again: boolean;
  /** True if the call is given up as the agent's fault. */
  readonly isAgentsFault?: true;
}

export interface ProviderWait extends FailureCounts {
  readonly call: HeldCall;
  /** Time of the call's first failure. */
  readonly since: number;
  /** Number of failures, each after the activity's own retries. */
  readonly tries: number;
  /** Number of the provider's answers at the time of the call's first and last failure. */
  readonly answersAtFirst: number;
  readonly answersAtLast: number;
  /** Time of the call's next attempt if the provider is up; null during an attempt. */
  dueAt: number | null;
  isGivenUp: boolean;
  /** True if the call is given up as the agent's fault. */
  isAgentsFault?: true;
  /** Time of the current attempt, or of the last one. */
  takenAt?: number;
}

/** Returns the delay after a number of failures, in milliseconds. */
export function holdMs(failures: number, { first, last }: { readonly first: number; readonly last: number }): number {
  return Math.min(first * 2 ** failures, last);
}

export interface HoldSettings {
  /** First delay in milliseconds, which doubles up to `last`. */
  readonly first: number;
  readonly last: number;
  /** Longest outage of a provider; may be changed. */
  boundMs: number;
  /** True if nobody resumes the run, so that calls for which it would pause are given up. */
  readonly unattended: boolean;
  /** True if the agent is at fault for a request that it fails at repeatedly, while it answers others. */
  readonly blamesAgents: boolean;
}

export class ProviderState {
  readonly #name: string;
  readonly #settings: HoldSettings;
  /** Calls by episode and name, in the order of their last failure. */
  readonly #calls = new Map<string, ProviderWait>();
  #state: ProviderStateName = 'up';
  /** Episodes that have failed since the last answer. */
  readonly #failing = new Set<string>();
  /** Time of the first of the {@link #failing} failures; null: none. */
  #failingSince: number | null = null;
  /** Refusals since the last answer. */
  #refusals = 0;
  #answers = 0;
  /** Failed probes since the provider went away. */
  #probes = 0;
  #nextProbeAt = 0;
  /** True if the provider's calls wait for a place, see {@link setPlace}. */
  #isBlocked = false;
  /** True if calls that fail from now on are given up as well. */
  #gaveUp = false;
  /** True if an episode was opened since the provider went away. */
  #hasWitness = false;
  #reason = '';

  constructor(name: string, settings: HoldSettings) {
    this.#name = name;
    this.#settings = settings;
  }

  /** @param isAlone true if no other episode is open, or left to open */
  failed(call: HeldCall, hasWorked: boolean, now: number, isAlone = false): string | null {
    // The episode was answered since the first of these failures, so the provider was not away all the time.
    if (this.#failingSince !== null && (call.answeredAt ?? 0) > this.#failingSince) this.answered(now);
    const key = formatCallKey(call);
    const before = this.#calls.get(key);
    // A call that times out while others are answered shows nothing about an outage.
    const isSlow = call.failure === FailureType.CallTimedOut;
    const isOwn = isSlow || (before !== undefined && this.#isOwnFailure(before));
    const tries = (before?.tries ?? 0) + 1;
    const waiting: ProviderWait = {
      call,
      since: before?.since ?? now,
      tries,
      ...countFailure(before, call, isOwn, now),
      answersAtFirst: before?.answersAtFirst ?? this.#answers,
      answersAtLast: this.#answers,
      dueAt: now + this.#delay(tries - 1),
      isGivenUp: this.#gaveUp,
    };
    this.#calls.delete(key);
    this.#calls.set(key, waiting);
    this.#reason = `${call.failure}: ${call.message}`;
    if (!isSlow) {
      this.#failing.add(episodeName(call.episode));
      this.#failingSince ??= now;
    }
    if (this.#state === 'away' && before !== undefined) {
      this.#probes += 1;
      this.#nextProbeAt = now + this.#delay(this.#probes);
    }
    // A provider that has sent completions will send them again; now something else answers in its place.
    const isReplaced = isFailureOfTheWay(call.failure) && (hasWorked || this.#answers > 0);
    return isTransient(call.failure) || isReplaced
      ? this.#unavailable(waiting, hasWorked && isAlone, now)
      : this.#refused(waiting, hasWorked);
  }

  /**
   * True if the provider has answered other calls since the call's previous failure. For the last call of a run, an
   * answer since its first failure is enough if no other episode has failed after that answer.
   */
  #isOwnFailure({ call, answersAtFirst, answersAtLast }: ProviderWait): boolean {
    if (this.#answers > answersAtLast) return true;
    const name = episodeName(call.episode);
    return this.#answers > answersAtFirst && [...this.#failing].every((episode) => episode === name);
  }

  #unavailable(waiting: ProviderWait, isAlone: boolean, now: number): null {
    if (this.#isBlamed && isAgentsFault(waiting.call, waiting, isAlone, now)) {
      waiting.isGivenUp = true;
      waiting.isAgentsFault = true;
    } else if (waiting.ownFailures >= OWN_FAILURES && waiting.call.failure !== FailureType.RateLimited) {
      waiting.isGivenUp = true;
    }
    if (this.#state === 'up' && this.#failing.size >= AWAY_EPISODES) {
      this.#enter('calls of 2 episodes failed');
      this.#probes = 0;
      this.#nextProbeAt = now + this.#delay(0);
    }
    return null;
  }

  #refused(waiting: ProviderWait, hasWorked: boolean): string | null {
    const most = refusalsToHalt(waiting.call.failure, hasWorked, this.#answers > 0);
    if (most === Infinity) {
      waiting.isGivenUp = true;
      if (waiting.call.isOwnOnceWorked === true) waiting.isAgentsFault = true;
      return null;
    }
    this.#refusals += 1;
    if (this.#refusals < most) return null;
    this.#enter('refused');
    if (this.#settings.unattended) this.#giveUp();
    return this.#reason;
  }

  callAnswered(call: Pick<HeldCall, 'episode' | 'call'>, now: number): void {
    this.#calls.delete(formatCallKey(call));
    this.answered(now);
  }

  answered(now: number): void {
    this.#answers += 1;
    // Requests from before the refusal may still be answered.
    if (this.#state === 'refused') return;
    this.#refusals = 0;
    this.#hasWitness = false;
    this.#failing.clear();
    this.#failingSince = null;
    if (this.#state === 'up') return;
    this.#enter('answered');
    // In batches of doubling size, because all at once might overload the provider again.
    for (const [index, waiting] of this.waiting().entries()) {
      const batch = Math.floor(Math.log2(index + 1));
      if (waiting.dueAt !== null) waiting.dueAt = now + batch * (this.#settings.first / BATCHES);
    }
  }

  forget(episode: string): void {
    for (const [key, { call }] of this.#calls) if (episodeName(call.episode) === episode) this.#calls.delete(key);
    if (this.#calls.size > 0 || this.#state !== 'away') return;
    // No call is left as a probe; a newly opened episode will show the state.
    this.#enter('no call left');
    this.#failing.clear();
    this.#failingSince = null;
  }

  resume(now: number): void {
    this.#gaveUp = false;
    this.#probes = 0;
    this.#nextProbeAt = now;
    this.#failingSince = this.#calls.size === 0 ? null : now;
    this.#enter('resumed');
    for (const waiting of this.waiting()) if (waiting.dueAt !== null) waiting.dueAt = now;
  }

  /**
   * Records whether the provider's calls have a place for an attempt. Time without a place does not add to an outage,
   * because it is unknown whether the provider is away.
   */
  setPlace(hasPlace: boolean, now: number): void {
    const isBlocked = !hasPlace && this.waiting().every(({ dueAt }) => dueAt !== null);
    if (this.#isBlocked && !isBlocked && this.#failingSince !== null) this.#failingSince = now;
    this.#isBlocked = isBlocked;
  }

  /** @returns true when the provider has been away for too long */
  expire(now: number): boolean {
    const expiresAt = this.#expiresAt();
    if (expiresAt === null || now < expiresAt) return false;
    this.#giveUp();
    return true;
  }

  expiryReason(): string {
    return awayTooLong(this.#reason, this.#name, this.#settings.boundMs);
  }

  /** @param hasPlace true if a call may be retried; calls that are given up need no place */
  dueAt(hasPlace: boolean): number | null {
    const times = this.waiting().flatMap((waiting) =>
      hasPlace || waiting.isGivenUp ? (this.#findTime(waiting) ?? []) : [],
    );
    const expiresAt = this.#expiresAt();
    if (expiresAt !== null) times.push(expiresAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** @param places most calls that may be made again */
  take(now: number, places: number): DueCall[] {
    const due: DueCall[] = [];
    let left = places;
    for (const [key, waiting] of [...this.#calls]) {
      const at = this.#findTime(waiting);
      if (at === null || at > now) continue;
      if (waiting.isGivenUp) this.#calls.delete(key);
      else if (left <= 0) continue;
      else {
        left -= 1;
        waiting.dueAt = null;
        waiting.takenAt = now;
      }
      const blame = waiting.isAgentsFault === undefined ? {} : { isAgentsFault: waiting.isAgentsFault };
      due.push({ call: waiting.call, again: !waiting.isGivenUp, ...blame });
    }
    return due;
  }

  isAway(): boolean {
    return this.#state !== 'up' && this.#calls.size > 0;
  }

  /**
   * True if one more episode may show whether an agent is away, or fails all waiting requests by the same bug. At most
   * one per outage.
   */
  needsWitness(): boolean {
    if (!this.#isBlamed || this.#state !== 'away' || this.#hasWitness) return false;
    return this.waiting().every(({ tries, call }) => tries >= WITNESS_TRIES && call.isUnreached !== true);
  }

  /** Records that an episode was opened. */
  episodeOpened(): void {
    this.#hasWitness ||= this.#state === 'away';
  }

  get #isBlamed(): boolean {
    return this.#settings.blamesAgents && this.#name === AGENT_SERVICE;
  }

  waiting(): ProviderWait[] {
    return [...this.#calls.values()];
  }

  view(hasPlace: boolean): HeldProvider | null {
    const waiting = this.waiting();
    if (waiting.length === 0) return null;
    const times = waiting.flatMap((one) => this.#findTime(one) ?? []);
    const tries = waiting.flatMap(({ dueAt, takenAt }) => (dueAt === null ? (takenAt ?? []) : []));
    const names = [...new Set(waiting.map(({ call }) => episodeName(call.episode)))];
    const givesUpAt = this.#expiresAt();
    return {
      provider: this.#name,
      reason: this.#reason,
      since: new Date(this.#failingSince ?? Math.min(...waiting.map(({ since }) => since))).toISOString(),
      episodes: names.length,
      nextTryAt: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
      ...(hasPlace ? {} : { needsPlace: true as const }),
      ...(tries.length === 0 ? {} : { tryingSince: new Date(Math.min(...tries)).toISOString() }),
      isRefused: this.#state === 'refused',
      ...(givesUpAt === null ? {} : { givesUpAt: new Date(givesUpAt).toISOString() }),
      boundMs: this.#settings.boundMs,
      names: names.slice(0, MOST_NAMES),
    };
  }

  #findTime(waiting: ProviderWait): number | null {
    if (waiting.dueAt === null) return null;
    if (waiting.isGivenUp) return waiting.since;
    switch (this.#state) {
      case 'up':
        return waiting.dueAt;
      case 'away':
        return waiting === this.#probe() ? this.#nextProbeAt : null;
      case 'refused':
        return null;
    }
  }

  /** Returns the call that has waited longest; undefined during an attempt. */
  #probe(): ProviderWait | undefined {
    const waiting = this.waiting();
    return waiting.some(({ dueAt }) => dueAt === null) ? undefined : waiting[0];
  }

  #expiresAt(): number | null {
    const { boundMs } = this.#settings;
    if (this.#state === 'refused' || this.#failingSince === null || this.#calls.size === 0 || boundMs === 0)
      return null;
    if (this.#isBlocked) return null;
    return this.#failingSince + boundMs;
  }

  #giveUp(): void {
    this.#enter('away too long');
    this.#gaveUp = true;
    for (const waiting of this.waiting()) waiting.isGivenUp = true;
  }

  #enter(event: ProviderEvent): void {
    const next: Partial<Record<ProviderEvent, ProviderStateName>> = PROVIDER_STATES[this.#state];
    this.#state = next[event] ?? this.#state;
  }

  #delay(failures: number): number {
    return holdMs(failures, this.#settings);
  }
}

function formatCallKey({ episode, call }: Pick<HeldCall, 'episode' | 'call'>): string {
  return `${episodeName(episode)} ${call}`;
}
