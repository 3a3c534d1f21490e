/**
 * All episodes of a run. A sweep keeps a window of episodes open; a long one opens lanes instead: sweeps over slices
 * of the plan, so that no history grows with the sweep. Episodes that the run log already holds are skipped, which is
 * how a run is taken up again.
 */

import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setHandler,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { CloseRunInput, RunInput } from '../src/wire/activities.ts';
import type { SweepInput, SweepResult } from '../src/wire/sweep.ts';
import { runLog } from './activities.ts';
import { runLanes } from './lanes.ts';
import { control, pause, progress, resume, setConcurrency } from './messages.ts';
import { SweepMonitor } from './sweep-monitor.ts';
import { runWindow } from './window.ts';

/** Episodes in one lane: about 4,000 events, below the server's own suggestion to continue as new. */
const LANE_SIZE = 500;

export async function sweep(input: SweepInput): Promise<SweepResult> {
  const { plan, lane } = input;
  const planned = plan.taskIds.length * plan.numTrials;
  const range = lane ?? { start: 0, end: planned };
  const monitor = new SweepMonitor(input, range);
  setHandler(progress, () => monitor.progress());
  setHandler(control, (wanted) => monitor.steer(wanted));
  setHandler(pause, () => monitor.steer({ paused: true, maxConcurrency: monitor.maxConcurrency }));
  setHandler(resume, () => monitor.steer({ paused: false, maxConcurrency: monitor.maxConcurrency }));
  setHandler(setConcurrency, (maxConcurrency) => monitor.steer({ paused: monitor.paused, maxConcurrency }), {
    validator: (maxConcurrency) => {
      if (!Number.isInteger(maxConcurrency) || maxConcurrency < 1) {
        throw ApplicationFailure.nonRetryable('the concurrency must be a whole number of at least 1', 'BadRequest');
      }
    },
  });

  const isRoot = lane === undefined;
  try {
    if (isRoot && input.state === undefined) {
      await runLog.openRun.executeWithOptions({ summary: 'open the run log' }, [runOf(input)]);
    }
    const laneSize = input.tuning?.laneSize ?? LANE_SIZE;
    if (isRoot && planned > laneSize) await runLanes(input, monitor, laneSize);
    else await runWindow(input, monitor);
    // A cancel that came while the last episodes were being waited for.
    const scope = CancellationScope.current();
    if (scope.consideredCancelled) await scope.cancelRequested;
  } catch (error) {
    // Anything else is a bug: the workflow task fails, and goes on when the bug is mended.
    if (isRoot && error instanceof TemporalFailure) await closeEarly(input, error);
    throw error;
  }
  await condition(allHandlersFinished);
  if (monitor.hasMore()) return await continueAsNew<typeof sweep>({ ...input, state: monitor.state() });
  const status = monitor.isBudgetReached() ? 'budget_reached' : 'completed';
  monitor.end();
  if (isRoot) await close(input, status);
  return { total: range.end - range.start, totals: monitor.totals, status };
}

function runOf({ run, config, plan, maxConcurrency, maxCostUsd }: SweepInput): RunInput {
  return { run, config, plan, maxConcurrency, maxCostUsd, workflowId: workflowInfo().workflowId };
}

/** A run log that cannot be read or written is often why the sweep ends early, so that it cannot be closed is no news. */
async function closeEarly(input: SweepInput, error: TemporalFailure): Promise<void> {
  try {
    await close(input, isCancellation(error) ? 'cancelled' : 'failed');
  } catch (closing) {
    if (!(closing instanceof ActivityFailure)) throw closing;
  }
}

/** Writes results and metrics from the run log, also when the sweep was cancelled. */
async function close(input: SweepInput, status: CloseRunInput['status']): Promise<void> {
  await CancellationScope.nonCancellable(() =>
    runLog.closeRun.executeWithOptions({ summary: `publish the results: ${status}` }, [{ ...runOf(input), status }]),
  );
}
