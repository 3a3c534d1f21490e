/** What a judge's look has come to so far: counts, costs, and whether it goes on. */

import { setCurrentDetails } from '@temporalio/workflow';
import type { JudgeRunInput, JudgeProgress, JudgeTotals } from '../src/wire/index.ts';
import { Breaker } from './breaker.ts';
import { addSpent, type CallFailure, type GivenVerdict } from './errors-episode.ts';

const NOTHING: JudgeTotals = {
  seen: 0,
  kept: 0,
  authors: { user: 0, agent: 0, environment: 0, infrastructure: 0, unjudged: 0 },
  faultTypes: {},
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

export class ErrorsBooks {
  totals: JudgeTotals;
  /** Episodes under way. */
  open = 0;
  /** Why no further one is opened: the judge's provider refuses. */
  halted: string | null = null;
  /** When the judge last answered, in ms since the epoch. */
  #answeredAt = 0;
  /** Failures of calls since then: their times, by call. */
  readonly #failing = new Set<readonly number[]>();
  readonly #held = new Set<CallFailure>();
  readonly #maxCostUsd: number | null;
  readonly #breaker = new Breaker();

  constructor({ state, maxCostUsd }: Pick<JudgeRunInput, 'state' | 'maxCostUsd'>) {
    this.totals = state?.totals ?? NOTHING;
    this.#maxCostUsd = maxCostUsd;
  }

  /** Verdicts that were there before. */
  keep(count: number): void {
    this.totals = { ...this.totals, seen: this.totals.seen + count, kept: this.totals.kept + count };
  }

  /** @param verdict null: there is none, for its episode has run again */
  enter(verdict: GivenVerdict | null): void {
    if (verdict === null) return;
    const { author, faultType, spent, failure } = verdict;
    const { seen, kept, authors, faultTypes, ...before } = this.totals;
    const outcome = failure === null ? 'user_stop' : 'infrastructure_error';
    const fault = failure === null ? {} : { fault: failure.type };
    // What needed no model says nothing of its provider.
    if (author !== 'infrastructure') {
      const hasWorked = authors.user + authors.agent + authors.environment > 0;
      this.halted ??= this.#breaker.episodeEnded({ outcome, error: failure?.message ?? null, ...fault }, hasWorked);
    }
    this.totals = {
      seen: seen + 1,
      kept,
      authors: { ...authors, [author]: authors[author] + 1 },
      faultTypes: faultType === null ? faultTypes : { ...faultTypes, [faultType]: (faultTypes[faultType] ?? 0) + 1 },
      ...addSpent(before, spent),
    };
  }

  answered(): void {
    this.#answeredAt = Date.now();
    this.#failing.clear();
  }

  /**
   * True if a call's failure is due to the call: the judge has answered others since, and no other has failed after that.
   * @param failedAt the call's failures
   */
  isOwn(failedAt: readonly number[]): boolean {
    this.#failing.add(failedAt);
    return this.#failing.size === 1 && this.#answeredAt > (failedAt[0] ?? Infinity);
  }

  /** Shows a call that waits for its provider, as long as `waiting` takes. */
  async hold(failure: CallFailure, waiting: Promise<void>): Promise<void> {
    this.#held.add(failure);
    setCurrentDetails(this.details());
    try {
      await waiting;
    } finally {
      this.#held.delete(failure);
    }
  }

  isBudgetReached(): boolean {
    const { costUsd } = this.totals;
    return this.#maxCostUsd !== null && costUsd !== null && costUsd >= this.#maxCostUsd;
  }

  /** True if no further episode is to be judged. */
  isOver(): boolean {
    return this.halted !== null || this.isBudgetReached();
  }

  progress(): JudgeProgress {
    const held = this.#heldNow();
    return { ...this.totals, open: this.open, ...(held === undefined ? {} : { held }) };
  }

  /** Markdown for Temporal UI. */
  details(): string {
    const { seen, kept, authors, faultTypes, calls, costUsd } = this.totals;
    const held = this.#heldNow();
    const counts = (of: Readonly<Record<string, number>>) =>
      Object.entries(of)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ') || 'none yet';
    return [
      `**${seen} failed episodes** have a verdict${kept === 0 ? '' : `, ${kept} of them from before`}; ${this.open} under way`,
      `- **whose fault**: ${counts(authors)}`,
      `- **the agent's first fault**: ${counts(faultTypes)}`,
      `- **judge**: ${calls} calls, ${costUsd === null ? 'cost not known' : `${costUsd.toFixed(4)} USD`}`,
      ...(held === undefined ? [] : [`- **waiting for its provider**: ${held.calls} calls, ${held.reason}`]),
      ...(this.halted === null ? [] : [`- **stopped**: ${this.halted}`]),
    ].join('\n');
  }

  #heldNow(): JudgeProgress['held'] {
    const last = [...this.#held].at(-1);
    return last === undefined ? undefined : { calls: this.#held.size, reason: `${last.type}: ${last.message}` };
  }
}
