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
import { JudgeMonitor, judgeRun, type JudgeRunPorts } from '../src/orchestration/index.ts';
import { FailureType, fairnessKey, type JudgeRunInput, type JudgeTotals } from '../src/evaluation/index.ts';
import { proxyModelCalls, verdictLog } from './activities.ts';
import { readFailure, refuseNewer } from './failures.ts';
import { errorsProgress } from './messages.ts';
import { costAttribute } from './visibility.ts';

interface JudgeResult extends JudgeTotals {
  readonly status: 'completed' | 'budget_reached';
}

export async function errors(input: JudgeRunInput): Promise<JudgeResult> {
  refuseNewer(input);
  const monitor = new JudgeMonitor(input);
  setHandler(errorsProgress, () => monitor.progress());
  try {
    const next = await judgeRun(input, monitor, toPorts(input));
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

function toPorts({ source, judge, queues }: JudgeRunInput): JudgeRunPorts {
  const { judge: ask } = proxyModelCalls(queues, judge.model.provider, judge);
  const priority = { fairnessKey: fairnessKey(workflowInfo().workflowId) };
  return {
    readFailure,
    findFailures: (asked) =>
      verdictLog.findFailures.executeWithOptions({ summary: 'which failed episodes have no verdict' }, [
        { source, judge, ...asked },
      ]),
    judge: (request, summary) => ask.executeWithOptions({ summary, priority }, [{ source, judge, ...request }]),
    record: (verdict, summary) =>
      verdictLog.recordVerdict.executeWithOptions({ summary }, [{ source, judge, ...verdict }]),
    sleep,
    until: condition,
    isHistoryFull: () => workflowInfo().continueAsNewSuggested,
    showDetails: setCurrentDetails,
  };
}

async function close({ source, indexed }: JudgeRunInput, monitor: JudgeMonitor): Promise<void> {
  await verdictLog.closeErrors.executeWithOptions({ summary: 'put the verdicts together' }, [{ source }]);
  setCurrentDetails(monitor.details());
  if (indexed) upsertSearchAttributes([costAttribute(monitor.totals.costUsd)]);
}
