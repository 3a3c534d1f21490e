import {
  getSetting,
  pickLimits,
  type ConfigLimits,
  type EvaluationConfig,
  type SweepControl,
  type SweepInput,
  type SweepLimits,
  type SweepTotals,
} from '../evaluation/index.ts';

/** Tolerance of a budget in USD: sums of the same costs in another order differ by less. */
const ROUNDING = 1e-9;

/** Settings of a sweep that people and providers change while it runs: its pause, its window, and its budget. */
export class SweepSettings {
  paused: boolean;
  /** Reason why the sweep paused itself, or null. */
  pausedFor: string | null;
  maxConcurrency: number;
  maxCostUsd: number | null;
  /** Current address of an agent service; undefined: the configuration's. */
  agentUrl: string | undefined;
  #limits: ConfigLimits;
  readonly #config: Pick<EvaluationConfig, 'repeatSuspect'>;
  readonly #isLane: boolean;
  /** True if nobody watches the sweep, so that it never waits for a person. */
  readonly #isUnattended: boolean;

  constructor(input: Pick<SweepInput, 'config' | 'maxConcurrency' | 'maxCostUsd' | 'lane' | 'state' | 'unattended'>) {
    const { state } = input;
    this.#config = input.config;
    this.paused = state?.paused ?? false;
    this.pausedFor = state?.pausedFor ?? null;
    this.maxConcurrency = state?.maxConcurrency ?? input.maxConcurrency;
    this.maxCostUsd = state?.maxCostUsd === undefined ? input.maxCostUsd : state.maxCostUsd;
    this.agentUrl = state?.agentUrl;
    this.#limits = pickLimits(state ?? {});
    this.#isLane = input.lane !== undefined;
    this.#isUnattended = input.unattended === true;
  }

  limit({ maxConcurrency, maxCostUsd, agentUrl, ...limits }: SweepLimits): void {
    this.agentUrl = agentUrl ?? this.agentUrl;
    this.#limits = { ...this.#limits, ...pickLimits(limits) };
    if (maxConcurrency !== undefined) this.maxConcurrency = maxConcurrency;
    if (maxCostUsd !== undefined) this.maxCostUsd = maxCostUsd;
  }

  /** The part of {@link SweepControl} for runs whose agent has moved. */
  get moved(): Pick<SweepControl, 'agentUrl'> {
    return this.agentUrl === undefined ? {} : { agentUrl: this.agentUrl };
  }

  /** The part of {@link SweepControl} that a person has set. */
  get given(): Pick<SweepControl, 'agentUrl'> & ConfigLimits {
    return { ...this.moved, ...this.#limits };
  }

  /** Most repetitions of an episode with a suspect user. */
  get repeatSuspect(): number {
    return getSetting({ ...this.#config, ...this.#limits }, 'repeatSuspect');
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    if (!paused) this.pausedFor = null;
  }

  /** Stops opening episodes for a reason that every further one would meet. */
  halt(reason: string): void {
    this.paused ||= !this.#isUnattended;
    this.pausedFor ??= reason;
  }

  /** True if the sweep is unattended and has stopped itself. */
  get isHalted(): boolean {
    return this.#isUnattended && this.pausedFor !== null;
  }

  isBudgetSpent({ knownCostUsd }: Pick<SweepTotals, 'knownCostUsd'>): boolean {
    // A sweep is less exact than its lane, so that a lane never stops for a budget that its sweep finds unspent.
    const rounding = this.#isLane ? ROUNDING : 2 * ROUNDING;
    return this.maxCostUsd !== null && knownCostUsd >= this.maxCostUsd - rounding;
  }

  /** Returns the USD that may still be spent; null: any amount. */
  budgetLeftUsd({ knownCostUsd }: Pick<SweepTotals, 'knownCostUsd'>): number | null {
    return this.maxCostUsd === null ? null : Math.max(0, this.maxCostUsd - knownCostUsd);
  }
}
