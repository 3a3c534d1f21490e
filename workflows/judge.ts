/**
 * The judge workflow, type `errors`: labels the failed episodes of a run, with a window of episodes open at once. Each
 * answer is written at once, and the run log has the earlier ones, so a stopped judge continues where it was.
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
import { JudgeMonitor, judgeEpisode, type JudgePorts } from '../src/orchestration/index.ts';
import {
  FailureType,
  fairnessKey,
  type FailedEpisode,
  type JudgeRunInput,
  type JudgeTotals,
} from '../src/evaluation/index.ts';
import { proxyModelCalls, verdictLog } from './activities.ts';
import { readFailure, refuseNewer } from './failures.ts';
import { errorsProgress } from './messages.ts';
import { costAttribute } from './visibility.ts';

/** Episodes in one page: some 1,800 events, so that a history never grows far beyond the server's suggestion. */
const PAGE = 100;

interface JudgeResult extends JudgeTotals {
  readonly status: 'completed' | 'budget_reached';
}

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

/** @throws CancelledFailure, after the questions in progress have ended */
async function judgePage(
  input: JudgeRunInput,
  episodes: readonly FailedEpisode[],
  monitor: JudgeMonitor,
): Promise<void> {
  const { source, judge, queues } = input;
  const { judge: ask } = proxyModelCalls(queues, judge.model.provider, judge);
  const priority = { fairnessKey: fairnessKey(workflowInfo().workflowId) };
  const ports: JudgePorts = {
    readFailure,
    judge: async (request, summary) => {
      const output = await ask.executeWithOptions({ summary, priority }, [{ source, judge, ...request }]);
      monitor.answered();
      return output;
    },
    // The episode keeps its place in the window during the wait.
    waitForProvider: async (failure, failedAt) => {
      const waitMs = monitor.waitMs(failure, failedAt);
      if (waitMs === null) return false;
      monitor.hold(failure);
      setCurrentDetails(monitor.details());
      try {
        await sleep(waitMs);
      } finally {
        monitor.release(failure);
      }
      return true;
    },
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
        judgeEpisode(episode, ports)
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

async function close({ source, indexed }: JudgeRunInput, monitor: JudgeMonitor): Promise<void> {
  await verdictLog.closeErrors.executeWithOptions({ summary: 'put the verdicts together' }, [{ source }]);
  setCurrentDetails(monitor.details());
  if (indexed) upsertSearchAttributes([costAttribute(monitor.totals.costUsd)]);
}
