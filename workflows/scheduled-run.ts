/**
 * A scheduled run: a sweep under a run id that includes its time, the comparison with the scheduled run before, and an
 * alert where one is wanted. The sweep is a run like any other: it is paused, reported and attached to by its id.
 */

import {
  ActivityFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  rootCause,
  setCurrentDetails,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  WORKFLOW_VERSION,
  scheduledRunId,
  sweepWorkflowId,
  type AlertOutcome,
  type RunComparison,
  type ScheduledRunInput,
  type RunEnd,
  type SweepInput,
} from '../src/evaluation/index.ts';
import { scheduledRunDetails } from '../src/orchestration/index.ts';
import { refuseNewer } from './failures.ts';
import { alerts, runLog } from './activities.ts';
import { TauCostUsd, TauDelta, TauReward, TauVerdict, TemporalScheduledStartTime, sweepOptions } from './visibility.ts';
import type { sweep } from './sweep.ts';
import { countEpisodes } from '../src/benchmarks/pure.ts';

export interface ScheduledRunResult extends RunComparison {
  readonly alert: AlertOutcome;
}

/**
 * @returns the comparison, also of a scheduled run whose sweep has failed or was cancelled
 * @throws CancelledFailure if the scheduled run itself was cancelled; the finished episodes are compared first
 */
export async function scheduledRun(input: ScheduledRunInput): Promise<ScheduledRunResult> {
  refuseNewer(input);
  const { run: opened, handle } = await openSweep(input);
  setCurrentDetails(`**${opened.runId}** is under way.`);
  const { end, problem, token } = await awaitSweep(handle);
  // The following activities need the disk that the sweep wrote to.
  const run = token === undefined ? opened : { ...opened, token };
  // A cancelled scheduled run is still compared, and its alert sent.
  const result = await CancellationScope.nonCancellable(async () => {
    const planned = countEpisodes(input.sweep.plan);
    const verdict = await runLog.compareRuns.executeWithOptions({ summary: 'compare with the scheduled run before' }, [
      { run, schedule: input.schedule, end, problem, planned, gates: input.gates },
    ]);
    publish(input, verdict);
    const alert = await sendAlert(input, verdict, run);
    setCurrentDetails(scheduledRunDetails(verdict, alert));
    return { ...verdict, alert };
  });
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('the scheduled run was cancelled', [result]);
  return result;
}

interface OpenSweep {
  readonly run: SweepInput['run'];
  readonly handle: ChildWorkflowHandle<typeof sweep>;
}

/**
 * Starts the sweep. If the run id is taken, by a scheduled run of the same second or by another run, it gets a number.
 */
async function openSweep({ schedule, logDir, sweep: asked }: ScheduledRunInput): Promise<OpenSweep> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const at = typedSearchAttributes.get(TemporalScheduledStartTime) ?? startTime;
  for (let count = 1; ; count++) {
    const run = { runId: scheduledRunId(schedule, at, count), logDir };
    const input: SweepInput = { ...asked, run, version: WORKFLOW_VERSION, unattended: true };
    try {
      const handle = await startChild<typeof sweep>('sweep', {
        workflowId: sweepWorkflowId(run.runId),
        args: [input],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        ...sweepOptions(input),
      });
      return { run, handle };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }
}

/** Waits for the sweep's end. The comparison follows even if the sweep has failed. */
async function awaitSweep(
  handle: ChildWorkflowHandle<typeof sweep>,
): Promise<{ readonly end: RunEnd; readonly problem: string | null; readonly token?: string }> {
  try {
    const { status, token } = await handle.result();
    return { end: status, problem: null, ...(token === undefined ? {} : { token }) };
  } catch (error) {
    if (isCancellation(error)) return { end: 'cancelled', problem: null };
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    return { end: 'failed', problem: (rootCause(error) ?? error.message).slice(0, 300) };
  }
}

/**
 * Sets the search attributes. The sweep has `TauSweep` and its own score; the scheduled run has its regression verdict
 * and its schedule.
 */
function publish(
  { sweep: { indexed } }: ScheduledRunInput,
  { verdict, averageReward, costUsd, delta }: RunComparison,
): void {
  if (!indexed) return;
  upsertSearchAttributes([
    { key: TauVerdict, value: verdict },
    { key: TauReward, value: averageReward },
    { key: TauCostUsd, value: costUsd },
    { key: TauDelta, value: delta },
  ]);
}

/** Sends the alert. A failure is reported beside the verdict, and does not change it. */
async function sendAlert(
  input: ScheduledRunInput,
  verdict: RunComparison,
  run: SweepInput['run'],
): Promise<AlertOutcome> {
  const { verdict: kind } = verdict;
  const event = kind === 'unfinished' ? kind : verdict.failsGate === true ? 'regression' : kind;
  const target = event === 'regression' || event === 'unfinished' ? input.alerts[event] : undefined;
  if (target === undefined) return { kind: 'none' };
  setCurrentDetails(`${scheduledRunDetails(verdict, { kind: 'none' })}\n\nAn alert is being sent.`);
  try {
    await alerts.alert.executeWithOptions({ summary: `report the ${kind}` }, [
      { run, schedule: input.schedule, target, verdict },
    ]);
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { kind: 'failed', message: rootCause(error) ?? error.message };
  }
}
