/** State of the judge: its totals, its budget, and the calls that wait for its provider. */

import type { FaultType, JudgedAuthor } from '../analysis/index.ts';
import { addCosts, readKnownCost } from '../episode/index.ts';
import {
  FailureType,
  isTransient,
  getSetting,
  type JudgeProgress,
  type JudgeRunInput,
  type JudgeTotals,
  type JudgeCost,
} from '../evaluation/index.ts';
import { OWN_FAILURES } from './own-failures.ts';
import { HOLD_MS, holdMs, refusalsToHalt } from './provider-state.ts';

/** Result of judging an episode. */
export interface GivenVerdict {
  readonly author: JudgedAuthor | 'infrastructure' | 'unjudged';
  readonly faultType: FaultType | null;
  readonly spent: JudgeCost;
  /** Failure of the judge's call; null if there was none. */
  readonly failure: JudgeCallFailure | null;
}

export interface JudgeCallFailure {
  readonly type: string;
  readonly message: string;
}

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

export class JudgeMonitor {
  totals: JudgeTotals;
  /** Number of open episodes. */
  open = 0;
  /** Reason why no further episode is opened: a permanent error of the judge's provider. */
  halted: string | null = null;
  /** Time of the judge's last answer, in ms since the epoch. */
  #answeredAt = 0;
  /** Failures of calls since {@link #answeredAt}: their times, by call. */
  readonly #failing = new Set<readonly number[]>();
  readonly #held = new Set<JudgeCallFailure>();
  readonly #maxCostUsd: number | null;
  readonly #delays: { readonly first: number; readonly last: number };
  /** Longest outage of the provider. */
  readonly #boundMs: number;
  #refusals = 0;

  constructor({
    state,
    maxCostUsd,
    tuning,
    judge,
  }: Pick<JudgeRunInput, 'state' | 'maxCostUsd' | 'tuning'> & { readonly judge: Partial<JudgeRunInput['judge']> }) {
    this.totals = state?.totals ?? NOTHING;
    this.#maxCostUsd = maxCostUsd;
    this.#delays = tuning?.holdMs ?? HOLD_MS;
    this.#boundMs = getSetting(judge, 'outageTimeoutMs');
  }

  /** Adds verdicts of earlier runs of the judge to the total. */
  keep(count: number): void {
    this.totals = { ...this.totals, seen: this.totals.seen + count, kept: this.totals.kept + count };
  }

  /** @param verdict null if the episode has been rerun */
  enter(verdict: GivenVerdict | null): void {
    if (verdict === null) return;
    const { author, faultType, spent, failure } = verdict;
    const { seen, kept, authors, faultTypes, ...before } = this.totals;
    // A verdict without a model shows nothing about the provider.
    if (author !== 'infrastructure') {
      const hasWorked = authors.user + authors.agent + authors.environment > 0;
      this.#enterRefusal(failure, hasWorked);
    }
    this.totals = {
      seen: seen + 1,
      kept,
      authors: { ...authors, [author]: authors[author] + 1 },
      faultTypes: faultType === null ? faultTypes : { ...faultTypes, [faultType]: (faultTypes[faultType] ?? 0) + 1 },
      ...addSpent(before, spent),
    };
  }

  /** Stops the judge after refusals that every further call would meet. Transient failures change nothing. */
  #enterRefusal(failure: JudgeCallFailure | null, hasWorked: boolean): void {
    const most = failure === null ? 0 : refusalsToHalt(failure.type, hasWorked);
    if (most === Infinity) return;
    this.#refusals = failure === null ? 0 : this.#refusals + 1;
    if (failure !== null && this.#refusals >= most) this.halted ??= `${failure.type}: ${failure.message}`;
  }

  answered(): void {
    this.#answeredAt = Date.now();
    this.#failing.clear();
  }

  /**
   * Returns the time until a failed call is made again after its own retries; the time grows with the number of
   * failures.
   * @param failedAt times of the call's failures, the newest last
   * @returns null if the call is given up
   */
  waitMs({ type }: JudgeCallFailure, failedAt: readonly number[]): number | null {
    if (!isTransient(type)) return null;
    this.#failing.add(failedAt);
    const waitMs = holdMs(failedAt.length - 1, this.#delays);
    const [since = 0] = failedAt;
    // The judge has answered other calls since, and no other has failed after that, so the call itself is at fault.
    const isOwn = this.#failing.size === 1 && this.#answeredAt > since && type !== FailureType.RateLimited;
    if (isOwn && failedAt.length >= OWN_FAILURES) return null;
    return Date.now() - since + waitMs > this.#boundMs ? null : waitMs;
  }

  /** Records a call that waits for its provider. */
  hold(failure: JudgeCallFailure): void {
    this.#held.add(failure);
  }

  /** Records that a held call is made again, or given up. */
  release(failure: JudgeCallFailure): void {
    this.#held.delete(failure);
  }

  isBudgetReached(): boolean {
    return this.#maxCostUsd !== null && readKnownCost(this.totals) >= this.#maxCostUsd;
  }

  /** True if no further episode is judged. */
  isOver(): boolean {
    return this.halted !== null || this.isBudgetReached();
  }

  progress(): JudgeProgress {
    const held = this.#heldNow();
    return { ...this.totals, open: this.open, ...(held === undefined ? {} : { held }) };
  }

  /** Returns the details for Temporal UI, in Markdown. */
  details(): string {
    const { seen, kept, authors, faultTypes, calls, costUsd } = this.totals;
    const known = readKnownCost(this.totals);
    const atLeast = known === 0 ? 'cost not known' : `at least ${known.toFixed(4)} USD`;
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
      `- **judge**: ${calls} calls, ${costUsd === null ? atLeast : `${costUsd.toFixed(4)} USD`}`,
      ...(held === undefined ? [] : [`- **waiting for its provider**: ${held.calls} calls, ${held.reason}`]),
      ...(this.halted === null ? [] : [`- **stopped**: ${this.halted}`]),
    ].join('\n');
  }

  #heldNow(): JudgeProgress['held'] {
    const last = [...this.#held].at(-1);
    return last === undefined ? undefined : { calls: this.#held.size, reason: `${last.type}: ${last.message}` };
  }
}

export function addSpent(a: JudgeCost, b: JudgeCost): JudgeCost {
  const costUsd = addCosts(a.costUsd, b.costUsd);
  return {
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costUsd,
    ...(costUsd === null ? { knownCostUsd: readKnownCost(a) + readKnownCost(b) } : {}),
  };
}
