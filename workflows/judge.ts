/**
 * The judge workflow, type `errors`: labels the failed episodes of a run. A window of episodes is open at once. Each
 * answer is written as soon as it is given, and the run log holds the earlier ones, so the judge continues where it was,
 * whoever stopped it.
 */

import {
  ApplicationFailure,
  CancellationScope,
  TemporalFailure,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  DEFAULT_OUTAGE_TIMEOUT_MS,
  FailureType,
  fairnessKey,
  isTransient,
  refuseNewer,
  type FailedEpisode,
  type JudgeProgress,
  type JudgeResult,
  type JudgeRunInput,
  type JudgeTotals,
} from '../src/wire/index.ts';
import { proxyModelCalls, verdictLog } from './activities.ts';
import { addSpent, judgeEpisode, type Asked, type CallFailure, type GivenVerdict } from './judge-episode.ts';
import { errorsProgress } from './messages.ts';
import { costAttribute } from './visibility.ts';
import { Breaker } from './failures.ts';

/** Episodes in one page: some 1,800 events, so that a history never grows far beyond the server's suggestion. */
const PAGE = 100;

export async function errors(input: JudgeRunInput): Promise<JudgeResult> {
  refuseNewer(input);
  const monitor = new JudgeMonitor(input);
  setHandler(errorsProgress, () => monitor.progress());
  try {
    const next = await judgePages(input, monitor);
    if (next !== null) return await continueAsNew<typeof errors>({ ...input, state: { next, totals: monitor.totals } });
  } catch (error) {
    // Anything else is a bug: the workflow task fails, and continues when the bug is fixed.
    if (error instanceof TemporalFailure) await CancellationScope.nonCancellable(() => close(input, monitor));
    throw error;
  }
  await close(input, monitor);
  if (monitor.halted !== null) {
    throw ApplicationFailure.nonRetryable(`no further episode is judged: ${monitor.halted}`, FailureType.JudgeHalted);
  }
  return { ...monitor.totals, status: monitor.isBudgetReached() ? 'budget_reached' : 'completed' };
}

/** @returns first position for another run of this workflow; null when all is done */
async function judgePages(input: JudgeRunInput, monitor: JudgeMonitor): Promise<number | null> {
  const { source, judge, maxFailures, tuning } = input;
  for (let from = input.state?.next ?? 0; ;) {
    const most = maxFailures === null ? null : maxFailures - monitor.totals.seen;
    const page = await verdictLog.findFailures.executeWithOptions(
      { summary: 'which failed episodes have no verdict' },
      [{ source, judge, from, most, page: tuning?.page ?? PAGE }],
    );
    monitor.keep(page.kept);
    await judgePage(input, page.episodes, monitor);
    if (page.next === null || monitor.isOver()) return null;
    if (workflowInfo().continueAsNewSuggested || tuning?.page !== undefined) return page.next;
    from = page.next;
  }
}

/** @throws CancelledFailure, when what is under way has ended */
async function judgePage(
  input: JudgeRunInput,
  episodes: readonly FailedEpisode[],
  monitor: JudgeMonitor,
): Promise<void> {
  const { source, judge, queues } = input;
  const { judge: ask } = proxyModelCalls(queues, judge.model.provider, judge);
  const priority = { fairnessKey: fairnessKey(workflowInfo().workflowId) };
  const asked: Asked = {
    judge: async (request, summary) => {
      const output = await ask.executeWithOptions({ summary, priority }, [{ source, judge, ...request }]);
      monitor.answered();
      return output;
    },
    waitForProvider: providerWait(input, monitor),
    record: (verdict, summary) =>
      verdictLog.recordVerdict.executeWithOptions({ summary }, [{ source, judge, ...verdict }]),
  };
  const running: Promise<void>[] = [];
  try {
    for (const episode of episodes) {
      await condition(() => monitor.open < input.maxConcurrency);
      if (monitor.isOver()) break;
      monitor.open += 1;
      running.push(
        judgeEpisode(episode, asked)
          .then((verdict) => monitor.enter(verdict))
          .finally(() => {
            monitor.open -= 1;
            setCurrentDetails(monitor.details());
          }),
      );
    }
  } finally {
    await Promise.allSettled(running);
  }
  await Promise.all(running);
}

/** Failures of one call before the fault is taken for the call's own, if its provider answers others. */
const OWN_FAILURES = 8;
const JUDGE_HOLD_MS = { first: 5_000, last: 300_000 } as const;

/** Retries a call at growing intervals after its own retries; it keeps its place in the window meanwhile. */
function providerWait(input: JudgeRunInput, monitor: JudgeMonitor): Asked['waitForProvider'] {
  const { first, last } = input.tuning?.holdMs ?? JUDGE_HOLD_MS;
  const boundMs = input.judge.outageTimeoutMs ?? DEFAULT_OUTAGE_TIMEOUT_MS;
  return async (failure, failedAt) => {
    if (!isTransient(failure.type)) return false;
    const waitMs = Math.min(first * 2 ** (failedAt.length - 1), last);
    const [since = 0] = failedAt;
    const isOwn = monitor.isOwn(failedAt) && failure.type !== FailureType.RateLimited;
    if (isOwn && failedAt.length >= OWN_FAILURES) return false;
    if (Date.now() - since + waitMs > boundMs) return false;
    await monitor.hold(failure, sleep(waitMs));
    return true;
  };
}

async function close({ source, indexed }: JudgeRunInput, monitor: JudgeMonitor): Promise<void> {
  await verdictLog.closeErrors.executeWithOptions({ summary: 'put the verdicts together' }, [{ source }]);
  setCurrentDetails(monitor.details());
  if (indexed) upsertSearchAttributes([costAttribute(monitor.totals.costUsd)]);
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
  /** Episodes under way. */
  open = 0;
  /** Reason why no further one is opened: a permanent error of the judge's provider. */
  halted: string | null = null;
  /** Time of the judge's last answer, in ms since the epoch. */
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
