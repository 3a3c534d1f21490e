/**
 * All episodes of a run. A sweep keeps a window of episodes open; a long one opens lanes instead: sweeps over slices
 * of the plan, so that no history grows with the sweep. Episodes that the run log already holds are skipped, which is
 * how a run is taken up again, and how episodes run again: a sweep that is asked for more walks over its plan once more.
 */

import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  TemporalFailure,
} from '@temporalio/workflow';
import {
  FailureType,
  hasVersion,
  refuseNewer,
  type OpenRunOutput,
  type SweepInput,
  type SweepResult,
} from '../src/wire/index.ts';
import { runLog } from './activities.ts';
import { closeEarly, closeSweep, runOf } from './close-sweep.ts';
import { runLanes } from './lanes.ts';
import { handleMessages } from './steering.ts';
import { SweepMonitor } from './sweep-monitor.ts';
import { runWindow } from './window.ts';

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
    // Anything else is a bug: the workflow task fails, and goes on when the bug is mended.
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
