/** Held calls of a sweep by provider: when each is made again, or given up. */

import { DEFAULT_OUTAGE_TIMEOUT_MS, type HeldCall, type HeldProvider, type SweepInput } from '../wire/index.ts';
import { HOLD_MS, ProviderState, type DueCall, type HoldSettings } from './provider-state.ts';

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

  /** Enters that a held call was answered. */
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
  dueAt(): number | null {
    const times = [...this.#providers.values()].flatMap((provider) => provider.dueAt() ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Takes the calls that are due. */
  take(now: number): DueCall[] {
    return [...this.#providers.values()].flatMap((provider) => provider.take(now));
  }

  /** True if episodes that are opened now would meet a provider that is away. */
  isAway(): boolean {
    return [...this.#providers.values()].some((provider) => provider.isAway());
  }

  /**
   * True if a single call has been held for so long that another episode may be opened in its place: that shows
   * whether the provider is away, or the call itself is the fault.
   */
  needsWitness(): boolean {
    const waiting = [...this.#providers.values()].flatMap((provider) => provider.waiting());
    return waiting.length === 1 && waiting.every(({ tries }) => tries >= WITNESS_TRIES);
  }

  view(): HeldProvider[] {
    return [...this.#providers.values()].flatMap((provider) => provider.view() ?? []);
  }

  #providerOf(name: string): ProviderState {
    const known = this.#providers.get(name) ?? new ProviderState(name, this.#settings);
    this.#providers.set(name, known);
    return known;
  }
}
