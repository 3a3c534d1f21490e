/** What a sweep knows about itself: how it is steered, how far it is, and what it has added up to. */

import type { EpisodeSummary } from '../src/wire/episode.ts';
import type {
  SweepControl,
  SweepInput,
  SweepProgress,
  SweepResult,
  SweepState,
  SweepTotals,
} from '../src/wire/sweep.ts';
import { addEpisode, addTotals, NO_TOTALS } from '../src/wire/totals.ts';

/** How many names of open and of ended episodes a progress report carries. */
const NAMES = 10;

export class SweepMonitor {
  paused: boolean;
  maxConcurrency: number;
  totals: SweepTotals;
  /** Next position of the plan. */
  next: number;
  /** Names of open episodes; a Set keeps the order of opening. */
  readonly open = new Set<string>();
  /** Workflow ids of open lanes. */
  readonly lanes = new Set<string>();

  readonly #end: number;
  readonly #total: number;
  readonly #maxCostUsd: number | null;
  #recent: readonly string[] = [];
  #ended = false;
  #laneStopped = false;

  constructor(input: SweepInput, range: { readonly start: number; readonly end: number }) {
    this.paused = input.state?.paused ?? false;
    this.maxConcurrency = input.state?.maxConcurrency ?? input.maxConcurrency;
    this.totals = input.state?.totals ?? NO_TOTALS;
    this.next = input.state?.next ?? range.start;
    this.#end = range.end;
    this.#total = range.end - range.start;
    this.#maxCostUsd = input.maxCostUsd;
  }

  steer(wanted: SweepControl): void {
    this.paused = wanted.paused;
    this.maxConcurrency = wanted.maxConcurrency;
  }

  hasMore(): boolean {
    return this.next < this.#end && !this.isBudgetReached();
  }

  isBudgetReached(): boolean {
    if (this.#laneStopped) return true;
    return this.#maxCostUsd !== null && this.next < this.#end && this.totals.knownCostUsd >= this.#maxCostUsd;
  }

  /** Whether another episode or lane may be opened beside `running` open ones. */
  hasRoom(running: number): boolean {
    return !this.paused && running < this.maxConcurrency;
  }

  /** @param summary null when the episode was not opened after all */
  episodeEnded(name: string, summary: EpisodeSummary | null): void {
    this.open.delete(name);
    if (summary === null) return;
    this.totals = addEpisode(this.totals, summary);
    this.#recent = [name, ...this.#recent].slice(0, NAMES);
  }

  add(totals: SweepTotals): void {
    this.totals = addTotals(this.totals, totals);
  }

  laneEnded(workflowId: string, { totals, status }: SweepResult): void {
    this.lanes.delete(workflowId);
    this.add(totals);
    // Its slice is not done, although the plan has no position left that is in no lane.
    if (status === 'budget_reached') this.#laneStopped = true;
  }

  end(): void {
    this.#ended = true;
  }

  state(): SweepState {
    const { next, paused, maxConcurrency, totals } = this;
    return { next, paused, maxConcurrency, totals };
  }

  progress(): SweepProgress {
    return {
      ...this.totals,
      total: this.#total,
      running: this.open.size,
      lanes: [...this.lanes],
      maxConcurrency: this.maxConcurrency,
      paused: this.paused,
      status: this.#status(),
      open: [...this.open].slice(0, NAMES),
      recent: this.#recent,
    };
  }

  #status(): SweepProgress['status'] {
    if (this.#ended) return 'ended';
    if (this.isBudgetReached()) return 'budget_reached';
    return this.paused ? 'paused' : 'running';
  }
}
