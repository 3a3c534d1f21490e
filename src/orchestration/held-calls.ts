/** The held calls of a sweep by provider: when each one is made again, or given up. */

import {
  episodeName,
  pickLimits,
  getSetting,
  type HeldCall,
  type HeldProvider,
  type SweepInput,
} from '../evaluation/index.ts';
import {
  HOLD_MS,
  ProviderState,
  WITNESS_TRIES,
  type DueCall,
  type HoldSettings,
  type ProviderWait,
} from './provider-state.ts';

export class HeldCalls {
  readonly #providers = new Map<string, ProviderState>();
  readonly #settings: HoldSettings;
  /** The run id, for commands that people see. */
  readonly #runId: string | undefined;
  /** Open episodes that were given up as the agent's fault. Their end does not count as an answer of the agent. */
  readonly #blamed = new Set<string>();

  constructor({
    tuning,
    config,
    unattended = false,
    version = 1,
    state,
    run,
  }: Pick<SweepInput, 'tuning' | 'config' | 'unattended' | 'version' | 'state'> & Partial<Pick<SweepInput, 'run'>>) {
    this.#runId = run?.runId;
    const boundMs = getSetting({ ...config, ...pickLimits(state ?? {}) }, 'outageTimeoutMs');
    this.#settings = { ...(tuning?.holdMs ?? HOLD_MS), boundMs, unattended, blamesAgents: version >= 3 };
  }

  /** Changes the longest outage of a provider, also for current outages. */
  setBound(boundMs: number): void {
    this.#settings.boundMs = boundMs;
  }

  /**
   * Records a failed call.
   * @param hasWorked true if an episode has ended by itself
   * @param isAlone true if no other episode is open, or left to open
   * @returns the reason to stop opening episodes until somebody resumes the run; null: none
   */
  failed(call: HeldCall, hasWorked: boolean, now: number, isAlone = false): string | null {
    return this.#findProvider(call.provider).failed(call, hasWorked, now, isAlone);
  }

  answered({ provider, ...call }: Pick<HeldCall, 'episode' | 'call' | 'provider'>, now: number): void {
    this.#providers.get(provider)?.callAnswered(call, now);
  }

  /** @param isWell true if the episode ended regularly, so that its providers have just answered */
  episodeEnded(name: string, isWell: boolean, now: number): void {
    const hasAnswered = isWell && !this.#blamed.delete(name);
    for (const provider of this.#providers.values()) {
      provider.forget(name);
      if (hasAnswered) provider.answered(now);
    }
  }

  /** Makes held calls again at once, refused ones included. */
  resume(now: number): void {
    for (const provider of this.#providers.values()) provider.resume(now);
  }

  /**
   * Gives up the calls of providers that have been unavailable for too long.
   * @returns the reason to open no more episodes, or null
   */
  expire(now: number): string | null {
    const expired = [...this.#providers.values()].filter((provider) => provider.expire(now));
    return expired[0]?.expiryReason() ?? null;
  }

  /** Returns the time of the next action, or null. */
  dueAt(places = Infinity): number | null {
    const times = [...this.#providers.values()].flatMap((provider) => provider.dueAt(places > 0) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /**
   * Removes and returns the calls that are due.
   * @param places most calls that may be made again, because the window has space for that many further episodes
   */
  take(now: number, places = Infinity): DueCall[] {
    const due: DueCall[] = [];
    for (const provider of this.#providers.values()) {
      due.push(...provider.take(now, places - due.filter(({ again }) => again).length));
    }
    for (const { call, isAgentsFault } of due) if (isAgentsFault === true) this.#blamed.add(episodeName(call.episode));
    return due;
  }

  /** Records the number of calls that may be made again from now on. */
  setPlaces(places: number, now: number): void {
    for (const provider of this.#providers.values()) provider.setPlace(places > 0, now);
  }

  /** Number of episodes that only wait. */
  idle(): number {
    const waiting = this.#waiting();
    const busy = new Set(waiting.filter(({ dueAt }) => dueAt === null).map(({ call }) => episodeName(call.episode)));
    return new Set(waiting.map(({ call }) => episodeName(call.episode)).filter((name) => !busy.has(name))).size;
  }

  /** True if newly opened episodes would meet a provider that is away. */
  isAway(): boolean {
    return [...this.#providers.values()].some((provider) => provider.isAway());
  }

  /**
   * True if a single call has been held so long that another episode may open in its place. It shows whether the
   * provider is away or the call itself fails.
   * @param now the time, if a call that is due or in progress occupies its place again
   */
  needsWitness(now?: number): boolean {
    const waiting = this.#waiting();
    const needsPlace = ({ dueAt }: ProviderWait) => now !== undefined && (dueAt === null || dueAt <= now);
    return waiting.length === 1 && waiting.every((one) => one.tries >= WITNESS_TRIES && !needsPlace(one));
  }

  /** True if one more episode may be opened to show whether a provider is away, while all open ones wait for it. */
  needsWitnessAway(open: number): boolean {
    const providers = [...this.#providers.values()].filter((provider) => provider.isAway());
    return open > 0 && this.idle() === open && providers.every((provider) => provider.needsWitness());
  }

  episodeOpened(): void {
    for (const provider of this.#providers.values()) provider.episodeOpened();
  }

  view(places = Infinity): HeldProvider[] {
    const run = this.#runId === undefined ? {} : { runId: this.#runId };
    const views = [...this.#providers.values()].flatMap((provider) => provider.view(places > 0) ?? []);
    return views.map((view) => ({ ...view, ...run }));
  }

  #waiting(): ProviderWait[] {
    return [...this.#providers.values()].flatMap((provider) => provider.waiting());
  }

  #findProvider(name: string): ProviderState {
    const known = this.#providers.get(name) ?? new ProviderState(name, this.#settings);
    this.#providers.set(name, known);
    return known;
  }
}
