/**
 * All episodes of a run. A sweep keeps a window of episodes open; a long one opens lanes instead: sweeps over slices
 * of the plan, so that no history grows with the sweep. Episodes that the run log already holds are skipped, which is
 * how a run is resumed, and how episodes run again: a sweep that is asked for more walks over its plan once more.
 */

import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  TemporalFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  FailureType,
  hasVersion,
  refuseNewer,
  type CloseRunInput,
  type CloseRunOutput,
  type OpenRunOutput,
  type RunEnd,
  type SweepInput,
  type SweepResult,
} from '../src/wire/index.ts';
import { runLog } from './activities.ts';
import { runLanes } from './lanes.ts';
import { handleMessages } from './steering.ts';
import { SweepMonitor, runOf } from './sweep-monitor.ts';
import { runWindow } from './window.ts';
import { TauOutcome, TauReward, costAttribute } from './visibility.ts';

/** Episodes in one lane: about 4,000 events, below the server's own suggestion to continue as new. */
const LANE_SIZE = 500;

export async function sweep(started: SweepInput): Promise<SweepResult> {
  refuseNewer(started);
  // The run's token is entered when its log is open, and the handlers of messages need it as well.
  const input = { ...started };
  const { plan, lane } = input;
  const monitor = new SweepMonitor(input);
  handleMessages(input, monitor);

  const isRoot = lane === undefined;
  try {
    if (isRoot && input.state === undefined) {
      // A worker of an earlier version opens it as well, and returns nothing.
      const opened: OpenRunOutput | undefined = await runLog.openRun.executeWithOptions(
        { summary: 'open the run log' },
        [runOf(input, monitor)],
      );
      if (opened !== undefined && hasVersion(input, 4)) input.run = { ...input.run, token: opened.token };
    }
    const laneSize = input.tuning?.laneSize ?? LANE_SIZE;
    if (isRoot && plan.taskIds.length * plan.numTrials > laneSize) await runLanes(input, monitor, laneSize);
    else await runWindow(input, monitor);
    await condition(allHandlersFinished);
    if (monitor.isHalted()) {
      const reason = `no further episode was opened: ${monitor.pausedFor}`;
      throw ApplicationFailure.nonRetryable(reason, FailureType.SweepHalted);
    }
    // A cancel that came while the last episodes were being waited for.
    const scope = CancellationScope.current();
    if (scope.consideredCancelled) await scope.cancelRequested;
  } catch (error) {
    // Anything else is a bug: the workflow task fails, and continues when the bug is fixed.
    if (isRoot && error instanceof TemporalFailure) await closeEarly(input, monitor, error);
    throw error;
  }
  if (monitor.needsAnotherWalk() || monitor.hasMore()) {
    return await continueAsNew<typeof sweep>({ ...input, plan: monitor.plan(), state: monitor.state() });
  }
  const { status, ...counts } = monitor.result();
  const { token } = input.run;
  const result = token === undefined ? counts : { ...counts, token };
  if (isRoot) return { ...result, status: await closeSweep(input, monitor, status) };
  monitor.end();
  return { ...result, status };
}

type Status = CloseRunInput['status'];

/**
 * Writes results and metrics from the run log, also when the sweep was cancelled.
 * @returns `incomplete` instead of the status where the records do not add up to what has ended
 */
async function closeSweep<S extends Status>(
  input: SweepInput,
  monitor: SweepMonitor,
  status: S,
): Promise<S | 'incomplete'> {
  monitor.end();
  return await CancellationScope.nonCancellable(async () => {
    const results = await runLog.closeRun.executeWithOptions({ summary: `publish the results: ${status}` }, [
      { ...runOf(input, monitor), status, ended: monitor.totals.ended },
    ]);
    // Of before version 3, closing a run gave no results.
    const end = (results as CloseRunOutput | undefined)?.status === 'incomplete' ? 'incomplete' : status;
    publish(input, end, results);
    return end;
  });
}

/**
 * Of a sweep that was cancelled or has failed. A run log that cannot be read or written is often why, so that it cannot
 * be closed is no news. Whoever has asked for something gets an answer first.
 */
async function closeEarly(input: SweepInput, monitor: SweepMonitor, error: TemporalFailure): Promise<void> {
  const status = isCancellation(error) ? 'cancelled' : 'failed';
  monitor.end();
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  try {
    await closeSweep(input, monitor, status);
  } catch (closing) {
    if (!(closing instanceof ActivityFailure)) throw closing;
    publish(input, status, { averageReward: null, costUsd: null });
  }
}

/** Search attributes are set once, at the end: each upsert is an event and a write to the visibility store. */
function publish(input: SweepInput, status: RunEnd, results: CloseRunOutput): void {
  if (!input.indexed || !hasVersion(input, 3)) return;
  const { averageReward, costUsd } = results;
  upsertSearchAttributes([
    { key: TauReward, value: averageReward },
    { key: TauOutcome, value: status },
    costAttribute(costUsd),
  ]);
}
