/** State of a sweep: its settings, its progress and its totals. */

import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import {
  NO_TOTALS,
  addEpisode,
  addTotals,
  episodeName,
  isFinal,
  withoutEpisodes,
  type EpisodeKey,
  type EpisodeSummary,
  type HeldCall,
  type RunInput,
  type SweepControl,
  type SweepInput,
  type SweepLimits,
  type SweepPlan,
  type SweepProgress,
  type SweepResult,
  type SweepState,
  type SweepTotals,
} from '../src/wire/index.ts';
import { SweepOrder } from '../src/benchmark/index.ts';
import { Breaker } from './failures.ts';
import { HeldCalls } from './held-calls.ts';
import { failureOf, sweepDetails, type SeenFailure } from './visibility.ts';

/** Episodes that another walk over the plan may run. */
type NextWalk = 'all' | readonly EpisodeKey[];
type Restriction = Pick<SweepInput, 'only'>;

/** Number of open, and of ended, episodes that a progress report names. */
const NAMES = 10;
/** USD. Sums of the same costs in another order differ by less; no budget is that exact. */
const ROUNDING = 1e-9;

export class SweepMonitor {
  paused: boolean;
  /** Reason why it has paused itself; null: it has not. */
  pausedFor: string | null;
  maxConcurrency: number;
  maxCostUsd: number | null;
  /** Trials per task that were asked for; those that this walk over the plan does not have come with the next. */
  numTrials: number;
  /** The only episodes of this walk over the plan; empty: all. */
  readonly restriction: Restriction;
  totals: SweepTotals;
  /** Next position of the plan. */
  next: number;
  /**
   * True once an episode has met a worker that did not know its conversation: with several workers the others would as well.
   * Found anew in each workflow run, so that a worker which was only replaced has no effect for long.
   */
  repeats = false;
  /** Names of open episodes; a Set keeps the order of opening. */
  readonly open = new Set<string>();
  /** Workflow ids of open lanes. */
  readonly lanes = new Set<string>();
  /** Of these, those that have paused themselves and got no signal since. */
  readonly halted = new Set<string>();
  /** Model calls of open episodes that wait for their provider. */
  readonly held: HeldCalls;

  readonly #input: SweepInput;
  readonly #start: number;
  readonly #end: number;
  readonly #breaker = new Breaker();
  #recent: readonly string[] = [];
  #failures: readonly SeenFailure[] = [];
  #ended = false;
  #laneStopped = false;
  #nextWalk: NextWalk | null = null;

  constructor(input: SweepInput) {
    const { plan, lane, state } = input;
    this.#input = input;
    this.held = new HeldCalls(input);
    this.#start = lane?.start ?? 0;
    this.#end = lane?.end ?? episodesOf(plan);
    this.paused = state?.paused ?? false;
    this.pausedFor = state?.pausedFor ?? null;
    this.maxConcurrency = state?.maxConcurrency ?? input.maxConcurrency;
    this.maxCostUsd = state?.maxCostUsd === undefined ? input.maxCostUsd : state.maxCostUsd;
    this.numTrials = plan.numTrials;
    this.totals = state?.totals ?? NO_TOTALS;
    this.next = state?.next ?? this.#start;
    this.restriction = restrictionTo((state ?? input).only);
    this.#nextWalk = state?.onlyNext ?? null;
  }

  /** True if what the run log holds is still to be counted; of lanes it is their sweep that counts it. */
  get countsRecorded(): boolean {
    return this.#input.lane === undefined && (this.#input.state?.totals ?? null) === null;
  }

  /** True if the sweep is past the point where anything could be opened. */
  get isEnded(): boolean {
    return this.#ended;
  }

  steer({ paused, maxConcurrency, maxCostUsd }: SweepControl): void {
    if (!paused && this.paused) this.held.resume(Date.now());
    this.#setPaused(paused);
    this.limit({ maxConcurrency, ...(maxCostUsd === undefined ? {} : { maxCostUsd }) });
  }

  pause(paused: boolean): void {
    // What has failed for the same reason runs again; of lanes it is their sweep that walks over the plan once more.
    if (!paused && this.pausedFor !== null && this.#input.lane === undefined && this.#hasLost()) this.walkAgain();
    // Also of a sweep that is not paused: its held calls are made again at once.
    if (!paused) this.held.resume(Date.now());
    this.#setPaused(paused);
    this.show();
  }

  /** A lane has met a refusal that the others will meet as well. */
  laneHalted(workflowId: string, reason: string): void {
    if (this.lanes.has(workflowId)) this.halted.add(workflowId);
    this.#halt(reason);
    this.show();
  }

  limit({ maxConcurrency, maxCostUsd }: SweepLimits): void {
    if (maxConcurrency !== undefined) this.maxConcurrency = maxConcurrency;
    if (maxCostUsd !== undefined) this.maxCostUsd = maxCostUsd;
    this.show();
  }

  hasMore(): boolean {
    return this.next < this.#end && !this.isBudgetReached() && !this.isHalted();
  }

  isBudgetReached(): boolean {
    return (this.next < this.#end || this.#laneStopped) && this.#isBudgetSpent();
  }

  /**
   * Asks for another walk over the plan after this one.
   * @param only the only episodes to run in it. @default every episode without a final record
   */
  walkAgain(only?: readonly EpisodeKey[]): void {
    const before = this.#nextWalk;
    if (only === undefined || before === 'all') this.#nextWalk = 'all';
    else this.#nextWalk = [...(before ?? []), ...only];
  }

  /** True if the plan is to be walked over once more: it was asked for, or a lane stopped for a budget raised since. */
  needsAnotherWalk(): boolean {
    return this.#nextWalk !== null || (this.#laneStopped && !this.#isBudgetSpent());
  }

  /** USD that may still be spent; null: any. */
  budgetLeftUsd(): number | null {
    return this.maxCostUsd === null ? null : Math.max(0, this.maxCostUsd - this.totals.knownCostUsd);
  }

  /** True if another episode or lane may be opened beside `running` open ones. */
  hasCapacity(running: number): boolean {
    if (this.paused || this.held.isAway()) return false;
    // A lane has its sweep's other lanes to show whether the provider is away.
    const isWitness = this.#input.lane === undefined && this.held.needsWitness();
    return running < this.maxConcurrency + (isWitness ? 1 : 0);
  }

  /** True if a sweep that nobody attends has stopped for a provider's refusal, with episodes left to open. */
  isHalted(): boolean {
    return this.#input.unattended === true && this.pausedFor !== null && this.next < this.#end;
  }

  /**
   * @param summary null when the episode was not opened after all
   * @returns why no further episode is opened, when this one has shown it; else null
   */
  episodeEnded(name: string, summary: EpisodeSummary | null): string | null {
    this.open.delete(name);
    if (summary === null) {
      this.held.episodeEnded(name, false, Date.now());
      return null;
    }
    const reason = this.#breaker.episodeEnded(summary, hasWorked(this.totals));
    if (reason !== null) this.#halt(reason);
    this.held.episodeEnded(name, isFinal(summary.outcome), Date.now());
    this.totals = addEpisode(this.totals, summary);
    this.repeats ||= summary.hasMissed === true;
    this.#recent = [name, ...this.#recent].slice(0, NAMES);
    const failure = failureOf(name, summary);
    if (failure !== null) this.#failures = [failure, ...this.#failures].slice(0, NAMES);
    this.show();
    return reason;
  }

  /**
   * Enters a model call that has failed and waits in its episode.
   * @returns why no further episode is opened, if this call has shown it; else null
   */
  callHeld(call: HeldCall): string | null {
    return this.#haltedBy(this.held.failed(call, hasWorked(this.totals), Date.now()));
  }

  callAnswered(call: Pick<HeldCall, 'episode' | 'call' | 'provider'>): void {
    this.held.answered(call, Date.now());
    this.show();
  }

  /** @returns as {@link callHeld} */
  expireHeld(): string | null {
    return this.#haltedBy(this.held.expire(Date.now()));
  }

  add(totals: SweepTotals): void {
    this.totals = addTotals(this.totals, totals);
  }

  /** Episodes whose records were moved aside: they count again when they have run again. */
  remove(totals: SweepTotals): void {
    this.totals = withoutEpisodes(this.totals, totals);
    this.show();
  }

  /** @returns whether an episode that has ended is in the totals also where it is to run again: this walk is past it */
  countsReached(): (key: EpisodeKey) => boolean {
    const { plan, config } = this.#input;
    const order = new SweepOrder(plan, config.seed);
    const ahead = new Set<string>();
    for (let position = this.next; position < this.#end; position++) ahead.add(episodeName(order.at(position)));
    const { only } = this.restriction;
    const mayRun = only === undefined ? null : new Set(only.map(episodeName));
    return (key) => {
      const name = episodeName(key);
      return !ahead.has(name) || mayRun?.has(name) === false;
    };
  }

  laneEnded(workflowId: string, { totals, status }: SweepResult): void {
    this.lanes.delete(workflowId);
    this.halted.delete(workflowId);
    this.add(totals);
    // Its slice is not done, although the plan has no position left that is in no lane.
    if (status === 'budget_reached') this.#laneStopped = true;
    this.show();
  }

  end(): void {
    this.#ended = true;
    this.show();
  }

  /** The plan with the trials that were asked for meanwhile. */
  plan(): SweepPlan {
    return { ...this.#input.plan, numTrials: this.numTrials };
  }

  /** State to continue as new with: the current position, or the start if the plan is to be walked over once more. */
  state(): SweepState {
    const { paused, pausedFor, maxConcurrency, maxCostUsd } = this;
    return { ...this.#placeNext(), paused, pausedFor, maxConcurrency, maxCostUsd };
  }

  #placeNext(): Pick<SweepState, 'next' | 'totals' | 'only' | 'onlyNext'> {
    const walk = this.#nextWalk;
    const place = { next: this.next, totals: this.totals, ...this.restriction };
    if (!this.needsAnotherWalk()) return place;
    const start = { next: this.#start, totals: null };
    if (walk === null) return { ...start, ...this.restriction };
    // A walk over everything covers what is left of this one; one over a few episodes does not.
    if (walk === 'all') return start;
    return this.hasMore() ? { ...place, onlyNext: walk } : { ...start, only: walk };
  }

  /** Result of the sweep; its records are still to be compared with it. */
  result(): SweepResult & { readonly status: 'completed' | 'budget_reached' } {
    const status = this.isBudgetReached() ? 'budget_reached' : 'completed';
    return { total: this.#end - this.#start, totals: this.totals, status };
  }

  progress(): SweepProgress {
    const held = this.held.view();
    return {
      ...this.totals,
      total: this.#input.lane === undefined ? episodesOf(this.plan()) : this.#end - this.#start,
      numTrials: this.numTrials,
      again: this.needsAnotherWalk(),
      running: this.open.size,
      lanes: [...this.lanes],
      maxConcurrency: this.maxConcurrency,
      maxCostUsd: this.maxCostUsd,
      paused: this.paused,
      pausedFor: this.pausedFor,
      status: this.#status(),
      open: [...this.open].slice(0, NAMES),
      recent: this.#recent,
      ...(held.length === 0 ? {} : { held }),
    };
  }

  /** Brings what Temporal UI shows of the sweep up to date: a query asks for it, nothing of it is in the history. */
  show(): void {
    setCurrentDetails(sweepDetails(this.progress(), this.#failures));
  }

  #setPaused(paused: boolean): void {
    this.paused = paused;
    if (paused) return;
    this.pausedFor = null;
    this.#breaker.reset();
  }

  /** @returns null also where the sweep had stopped before */
  #haltedBy(reason: string | null): string | null {
    const isNew = reason !== null && this.pausedFor === null;
    if (isNew) this.#halt(reason);
    this.show();
    return isNew ? reason : null;
  }

  /** True if episodes were lost, or may have been in lanes, to what has paused the sweep. */
  #hasLost(): boolean {
    return this.lanes.size > 0 || (this.totals.outcomes.infrastructure_error ?? 0) > 0;
  }

  #halt(reason: string): void {
    // One that nobody attends is not to wait for anybody, and its lanes see for themselves.
    this.paused ||= this.#input.unattended !== true;
    this.pausedFor ??= reason;
  }

  #isBudgetSpent(): boolean {
    // A sweep is the less exact one: its lane must not have stopped for a budget that it does not find spent.
    const rounding = this.#input.lane === undefined ? 2 * ROUNDING : ROUNDING;
    return this.maxCostUsd !== null && this.totals.knownCostUsd >= this.maxCostUsd - rounding;
  }

  #status(): SweepProgress['status'] {
    if (this.#ended) return 'ended';
    if (this.isBudgetReached()) return 'budget_reached';
    return this.paused ? 'paused' : 'running';
  }
}

function restrictionTo(only: Restriction['only']): Restriction {
  return only === undefined ? {} : { only };
}

/** Returns true if the models have carried an episode to its end. */
function hasWorked({ ended, outcomes }: SweepTotals): boolean {
  return ended > (outcomes.infrastructure_error ?? 0) + (outcomes.cancelled ?? 0);
}

function episodesOf({ taskIds, numTrials }: SweepPlan): number {
  return taskIds.length * numTrials;
}

/** The run as the sweep has it now: steering may have changed its plan and its limits. */
export function runOf({ run, config, notes }: SweepInput, monitor: SweepMonitor): RunInput {
  const { maxConcurrency, maxCostUsd } = monitor;
  const { workflowId } = workflowInfo();
  const own = notes === undefined ? {} : { notes };
  return { run, config, plan: monitor.plan(), maxConcurrency, maxCostUsd, workflowId, ...own };
}
