/** State of a sweep. Its parts have one task each; the monitor makes the decisions that depend on several parts. */

import {
  NO_TOTALS,
  addEpisode,
  addTotals,
  isFinalOutcome,
  sumConditions,
  type OutcomeKind,
  type EpisodeSummary,
  type HeldCall,
  type SweepControl,
  type SweepInput,
  type SweepLimits,
  type SweepProgress,
  type SweepResult,
  type SweepState,
  type SweepTotals,
} from '../evaluation/index.ts';
import { sweepDetails } from './display.ts';
import { EpisodeBoard } from './episode-board.ts';
import { HeldCalls } from './held-calls.ts';
import type { DueCall } from './provider-state.ts';
import { PlanWalk } from './plan-walk.ts';
import { SweepSettings } from './sweep-settings.ts';

export class SweepMonitor {
  readonly walk: PlanWalk;
  readonly settings: SweepSettings;
  readonly board = new EpisodeBoard();
  /** Model calls of open episodes that wait for their provider. */
  readonly held: HeldCalls;
  totals: SweepTotals;
  /**
   * True once an episode has met a worker that lacked its conversation; with several workers, other episodes would too.
   * Each workflow run starts with false, so that the replacement of a worker has no lasting effect.
   */
  repeats = false;

  readonly #isLane: boolean;
  /**
   * True from workflow version 2 on: a held call gives its place to another episode, and waits until a place is free
   * again.
   */
  readonly #lendsPlaces: boolean;
  /** True if the run log's episodes still have to be counted. A lane's episodes are counted by its sweep. */
  readonly countsRecorded: boolean;
  readonly #show: (details: string) => void;
  #ended = false;
  #laneStopped = false;

  /** @param show gets the details for Temporal UI whenever the state has changed */
  constructor(input: SweepInput, show: (details: string) => void) {
    const { lane, state } = input;
    this.walk = new PlanWalk(input);
    this.settings = new SweepSettings(input);
    this.held = new HeldCalls(input);
    this.totals = state?.totals ?? NO_TOTALS;
    this.#isLane = lane !== undefined;
    this.#lendsPlaces = !this.#isLane && (input.version ?? 1) >= 2;
    this.countsRecorded = !this.#isLane && (state?.totals ?? null) === null;
    this.#show = show;
  }

  /** True if the sweep can no longer open anything. */
  get isEnded(): boolean {
    return this.#ended;
  }

  steer({ paused, pausedFor: _, ...limits }: SweepControl): void {
    if (!paused && this.settings.paused) this.held.resume(Date.now());
    this.settings.setPaused(paused);
    this.limit(limits);
  }

  pause(paused: boolean): void {
    // Episodes that failed for the same reason run again. Those of lanes run in another walk of their sweep.
    if (!paused && this.settings.pausedFor !== null && !this.#isLane && this.#hasLost()) this.walk.walkAgain();
    // Also if the sweep is not paused: its held calls are made again at once.
    if (!paused) this.held.resume(Date.now());
    this.settings.setPaused(paused);
    this.show();
  }

  limit(limits: SweepLimits): void {
    const { agentUrl } = this.settings;
    this.settings.limit(limits);
    if (limits.outageTimeoutMs !== undefined) this.held.setBound(limits.outageTimeoutMs);
    // Calls that were held for the agent's old address are made again at the new one.
    if (this.settings.agentUrl !== agentUrl) this.held.resume(Date.now());
    this.#placesChanged();
  }

  hasMore(): boolean {
    return this.walk.hasMore && !this.isBudgetReached() && !this.isHalted();
  }

  isBudgetReached(): boolean {
    return (this.walk.hasMore || this.#laneStopped) && this.settings.isBudgetSpent(this.totals);
  }

  /** True if an unattended sweep stopped for a provider's refusal and has episodes left to open. */
  isHalted(): boolean {
    return this.settings.isHalted && this.walk.hasMore;
  }

  /** True if the plan needs another walk: on request, or because a lane stopped for a budget that has been raised. */
  needsAnotherWalk(): boolean {
    return this.walk.isFollowed || (this.#laneStopped && !this.settings.isBudgetSpent(this.totals));
  }

  /** True if another episode or lane may be opened beside `running` open ones. */
  hasCapacity(running: number): boolean {
    if (this.settings.paused) return false;
    if (this.held.isAway()) return !this.#isLane && this.held.needsWitnessAway(running);
    // A lane does not need an extra episode to show whether the provider is away, because its sweep has other lanes.
    const isWitness = !this.#isLane && this.held.needsWitness(this.#lendsPlaces ? Date.now() : undefined);
    return running < this.settings.maxConcurrency + (isWitness ? 1 : 0);
  }

  episodeOpened(name: string): void {
    this.held.episodeOpened();
    this.board.open.add(name);
    this.#placesChanged();
  }

  /** @param summary null if the episode was not opened after all */
  episodeEnded(name: string, summary: EpisodeSummary | null): void {
    this.board.open.delete(name);
    this.held.episodeEnded(name, summary !== null && isFinalOutcome(summary.outcome), Date.now());
    this.#placesChanged();
    if (summary === null) return;
    this.totals = addEpisode(this.totals, summary);
    this.repeats ||= summary.hasMissed === true;
    this.board.ended(name, summary);
    this.show();
  }

  /**
   * Records a model call that has failed and waits in its episode.
   * @returns the reason why no further episode is opened, if this call is the reason; otherwise null
   */
  callHeld(call: HeldCall): string | null {
    const isLast = this.board.open.size <= 1 && (!this.hasMore() || this.settings.paused);
    return this.#haltedBy(this.held.failed(call, hasWorked(this.totals), Date.now(), !this.#isLane && isLast));
  }

  callAnswered(call: Pick<HeldCall, 'episode' | 'call' | 'provider'>): void {
    this.held.answered(call, Date.now());
    this.#placesChanged();
  }

  /** Returns the time at which held calls are handled next; null: none is held. */
  heldDueAt(): number | null {
    return this.held.dueAt(this.#places());
  }

  /** Removes and returns the held calls that are due, as many as the window has space for. */
  takeHeld(): DueCall[] {
    return this.held.take(Date.now(), this.#places());
  }

  /** @returns as {@link callHeld} */
  expireHeld(): string | null {
    return this.#haltedBy(this.held.expire(Date.now()));
  }

  add(totals: SweepTotals): void {
    this.totals = addTotals(this.totals, totals);
  }

  /** Removes episodes whose records were archived from the totals; they count again after their rerun. */
  remove(totals: SweepTotals): void {
    this.totals = withoutEpisodes(this.totals, totals);
    this.show();
  }

  /** Records that a lane has met a refusal that the other lanes will meet too. */
  laneHalted(workflowId: string, reason: string): void {
    this.board.laneHalted(workflowId);
    this.settings.halt(reason);
    this.show();
  }

  laneEnded(workflowId: string, { totals, status }: SweepResult): void {
    this.board.laneEnded(workflowId);
    this.add(totals);
    // Its slice is not done, although every position of the plan is in a lane.
    if (status === 'budget_reached') this.#laneStopped = true;
    this.show();
  }

  end(): void {
    this.#ended = true;
    this.show();
  }

  /** Returns the state with which to continue as new. */
  state(): SweepState {
    const { paused, pausedFor, maxConcurrency, maxCostUsd } = this.settings;
    const place = this.walk.placeNext(this.totals, this.needsAnotherWalk(), this.hasMore());
    return { ...place, paused, pausedFor, maxConcurrency, maxCostUsd, ...this.settings.given };
  }

  /** Returns the result of the sweep, before it is compared with the records. */
  result(): SweepResult & { readonly status: 'completed' | 'budget_reached' } {
    const status = this.isBudgetReached() ? 'budget_reached' : 'completed';
    return { total: this.walk.size, totals: this.totals, status };
  }

  progress(): SweepProgress {
    const { paused, pausedFor, maxConcurrency, maxCostUsd } = this.settings;
    const { running, lanes, open, recent } = this.board.view();
    const held = this.held.view(this.#places());
    return {
      ...this.totals,
      total: this.#isLane ? this.walk.size : this.walk.total(),
      numTrials: this.walk.numTrials,
      again: this.needsAnotherWalk(),
      running,
      lanes,
      maxConcurrency,
      maxCostUsd,
      paused,
      pausedFor,
      status: this.#status(),
      open,
      recent,
      ...(held.length === 0 ? {} : { held }),
    };
  }

  /** Updates the sweep's details in Temporal UI, which come from a query, so they are not in the history. */
  show(): void {
    this.#show(sweepDetails(this.progress(), this.board.failures));
  }

  /** Returns the number of held calls that may be made again beside the busy episodes. */
  #places(): number {
    if (!this.#lendsPlaces) return Infinity;
    return this.settings.maxConcurrency - (this.board.open.size - this.held.idle());
  }

  #placesChanged(): void {
    this.held.setPlaces(this.#places(), Date.now());
    this.show();
  }

  /** @returns null also if the sweep had stopped before */
  #haltedBy(reason: string | null): string | null {
    const isNew = reason !== null && this.settings.pausedFor === null;
    if (isNew) this.settings.halt(reason);
    this.#placesChanged();
    return isNew ? reason : null;
  }

  /** True if the cause of the pause has ended episodes, or may have ended episodes of lanes. */
  #hasLost(): boolean {
    return this.board.lanes.size > 0 || (this.totals.outcomes.infrastructure_error ?? 0) > 0;
  }

  #status(): SweepProgress['status'] {
    if (this.#ended) return 'ended';
    if (this.isBudgetReached()) return 'budget_reached';
    return this.settings.paused ? 'paused' : 'running';
  }
}

/** @returns true if the models have carried an episode to its end */
function hasWorked({ ended, outcomes }: SweepTotals): boolean {
  return ended > (outcomes.infrastructure_error ?? 0) + (outcomes.cancelled ?? 0);
}

/** Removes episodes whose records were archived; their cost stays. */
export function withoutEpisodes(totals: SweepTotals, gone: SweepTotals): SweepTotals {
  const outcomes: Partial<Record<OutcomeKind, number>> = { ...totals.outcomes };
  for (const [kind, count] of Object.entries(gone.outcomes) as [OutcomeKind, number][]) {
    outcomes[kind] = (outcomes[kind] ?? 0) - count;
  }
  const ended = totals.ended - gone.ended;
  return {
    ...totals,
    ended,
    resumed: Math.min(totals.resumed, ended),
    rewardSum: totals.rewardSum - gone.rewardSum,
    outcomes: Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count !== 0)),
    steps: totals.steps - gone.steps,
    calls: totals.calls - gone.calls,
    promptTokens: totals.promptTokens - gone.promptTokens,
    completionTokens: totals.completionTokens - gone.completionTokens,
    conditions: sumConditions(totals.conditions, gone.conditions, -1),
  };
}
