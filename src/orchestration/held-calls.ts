/** Held calls of a sweep by provider: when each is made again, or given up. */

import {
  DEFAULT_OUTAGE_TIMEOUT_MS,
  episodeName,
  type HeldCall,
  type HeldProvider,
  type SweepInput,
} from '../wire/index.ts';
import { HOLD_MS, ProviderState, type DueCall, type HoldSettings, type Waiting } from './provider-state.ts';

/** Tries after which a single held call no longer fills its place in the window. */
const WITNESS_TRIES = 2;

export class HeldCalls {
  readonly #providers = new Map<string, ProviderState>();
  readonly #settings: HoldSettings;

  constructor({ tuning, config, unattended = false }: Pick<SweepInput, 'tuning' | 'config' | 'unattended'>) {
    const boundMs = config.outageTimeoutMs ?? DEFAULT_OUTAGE_TIMEOUT_MS;
    this.#settings = { ...(tuning?.holdMs ?? HOLD_MS), boundMs, unattended };
  }

  /**
   * Enters a call that has failed, for the first time or again.
   * @param hasWorked whether an episode has come to an end of its own
   * @returns the reason to stop opening episodes until somebody resumes the run; null: none
   */
  failed(call: HeldCall, hasWorked: boolean, now: number): string | null {
    return this.#providerOf(call.provider).failed(call, hasWorked, now);
  }

  answered({ provider, ...call }: Pick<HeldCall, 'episode' | 'call' | 'provider'>, now: number): void {
    this.#providers.get(provider)?.callAnswered(call, now);
  }

  /** @param isWell whether it came to an end of its own, so that its providers have just answered */
  episodeEnded(name: string, isWell: boolean, now: number): void {
    for (const provider of this.#providers.values()) {
      provider.forget(name);
      if (isWell) provider.answered(now);
    }
  }

  /** Makes held calls again at once, refused ones included. */
  resume(now: number): void {
    for (const provider of this.#providers.values()) provider.resume(now);
  }

  /**
   * Gives up the calls of providers that have been away for too long.
   * @returns the reason to stop opening episodes; null: there is none
   */
  expire(now: number): string | null {
    const expired = [...this.#providers.values()].filter((provider) => provider.expire(now));
    return expired[0]?.expiryReason() ?? null;
  }

  /** Time at which something is to be done; null: nothing is. */
  dueAt(places = Infinity): number | null {
    const times = [...this.#providers.values()].flatMap((provider) => provider.dueAt(places > 0) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /**
   * Takes the calls that are due.
   * @param places most calls that may be made again, because the window has space for so many more episodes
   */
  take(now: number, places = Infinity): DueCall[] {
    const due: DueCall[] = [];
    for (const provider of this.#providers.values()) {
      due.push(...provider.take(now, places - due.filter(({ again }) => again).length));
    }
    return due;
  }

  /** Enters how many calls may be made again from now on. */
  setPlaces(places: number, now: number): void {
    for (const provider of this.#providers.values()) provider.setPlace(places > 0, now);
  }

  /** Number of episodes that do nothing but wait. */
  idle(): number {
    const waiting = this.#waiting();
    const busy = new Set(waiting.filter(({ dueAt }) => dueAt === null).map(({ call }) => episodeName(call.episode)));
    return new Set(waiting.map(({ call }) => episodeName(call.episode)).filter((name) => !busy.has(name))).size;
  }

  /** True if episodes that are opened now would meet a provider that is away. */
  isAway(): boolean {
    return [...this.#providers.values()].some((provider) => provider.isAway());
  }

  /**
   * True if a single call has been held for so long that another episode may be opened in its place: that shows
   * whether the provider is away, or the call itself is the fault.
   * @param now where a call that is due, or being made, has its place back
   */
  needsWitness(now?: number): boolean {
    const waiting = this.#waiting();
    const needsPlace = ({ dueAt }: Waiting) => now !== undefined && (dueAt === null || dueAt <= now);
    return waiting.length === 1 && waiting.every((one) => one.tries >= WITNESS_TRIES && !needsPlace(one));
  }

  view(places = Infinity): HeldProvider[] {
    return [...this.#providers.values()].flatMap((provider) => provider.view(places > 0) ?? []);
  }

  #waiting(): Waiting[] {
    return [...this.#providers.values()].flatMap((provider) => provider.waiting());
  }

  #providerOf(name: string): ProviderState {
    const known = this.#providers.get(name) ?? new ProviderState(name, this.#settings);
    this.#providers.set(name, known);
    return known;
  }
}
