/**
 * All episodes of a run. A sweep keeps a window of episodes open. A long sweep opens lanes instead, sweeps over slices
 * of the plan, so that no history grows with the sweep. It skips episodes that the run log already has, which is how a
 * run is resumed. For more trials or repeated episodes it goes over its plan again.
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
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { SweepMonitor, SweepRequests, runLanes, runWindow, type CloseRunOutput } from '../src/orchestration/index.ts';
import {
  FailureType,
  type CloseRunInput,
  type RunEnd,
  type SweepInput,
  type SweepResult,
} from '../src/evaluation/index.ts';
import { refuseNewer } from './failures.ts';
import { sweepActivities } from './activities.ts';
import { handleMessages } from './steering.ts';
import { sweepPorts } from './sweep-ports.ts';
import { TauOutcome, TauReward, costAttribute } from './visibility.ts';
import { countEpisodes } from '../src/benchmarks/pure.ts';

/** Episodes in one lane: about 4,000 events, below the server's own suggestion to continue as new. */
const LANE_SIZE = 500;

export async function sweep(started: SweepInput): Promise<SweepResult> {
  refuseNewer(started);
  // The run's token is added when the log is open, and the message handlers read it from the same object.
  const input = { ...started };
  const { plan, lane } = input;
  const monitor = new SweepMonitor(input, setCurrentDetails);
  const scope = CancellationScope.current();
  const ports = sweepPorts(input);
  const requests = new SweepRequests(input, monitor, ports);
  handleMessages(input, monitor, requests, ports);

  const isRoot = lane === undefined;
  try {
    if (isRoot && input.state === undefined) {
      const { token } = await ports.activities.openRun('open the run log', requests.run());
      input.run = { ...input.run, token };
    }
    const laneSize = input.tuning?.laneSize ?? LANE_SIZE;
    if (isRoot && countEpisodes(plan) > laneSize) await runLanes(input, monitor, ports, laneSize);
    else await runWindow(input, monitor, ports);
    await condition(allHandlersFinished);
    if (monitor.isHalted()) {
      const reason = `no further episode was opened: ${monitor.settings.pausedFor}`;
      throw ApplicationFailure.nonRetryable(reason, FailureType.SweepHalted);
    }
    // A cancellation may come while the sweep waits for its last episodes.
    if (scope.consideredCancelled) await scope.cancelRequested;
  } catch (error) {
    // Anything else is a bug: the workflow task fails, and continues when the bug is fixed.
    if (isRoot && error instanceof TemporalFailure) await closeEarly(input, monitor, requests, error);
    throw error;
  }
  if (monitor.needsAnotherWalk() || monitor.hasMore()) {
    return await continueAsNew<typeof sweep>({ ...input, plan: monitor.walk.plan(), state: monitor.state() });
  }
  const { status, ...counts } = monitor.result();
  const { token } = input.run;
  const result = token === undefined ? counts : { ...counts, token };
  if (isRoot) return { ...result, status: await closeSweep(input, monitor, requests, status) };
  monitor.end();
  return { ...result, status };
}

type Status = CloseRunInput['status'];

/**
 * Writes results and metrics from the run log, also when the sweep was cancelled.
 * @returns `incomplete` instead of the status if the number of records differs from the number of ended episodes
 */
async function closeSweep<S extends Status>(
  input: SweepInput,
  monitor: SweepMonitor,
  requests: SweepRequests,
  status: S,
): Promise<S | 'incomplete'> {
  monitor.end();
  return await CancellationScope.nonCancellable(async () => {
    const results = await sweepActivities.closeRun(`publish the results: ${status}`, {
      ...requests.run(),
      ...{ status, ended: monitor.totals.ended },
    });
    const end = results.status === 'incomplete' ? 'incomplete' : status;
    publish(input, end, results);
    return end;
  });
}

/**
 * Closes a sweep that was cancelled or has failed. Closing may fail too, because an unusable run log is often the
 * reason. Requests are answered first.
 */
async function closeEarly(
  input: SweepInput,
  monitor: SweepMonitor,
  requests: SweepRequests,
  error: TemporalFailure,
): Promise<void> {
  const status = isCancellation(error) ? 'cancelled' : 'failed';
  monitor.end();
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  try {
    await closeSweep(input, monitor, requests, status);
  } catch (closing) {
    if (!(closing instanceof ActivityFailure)) throw closing;
    publish(input, status, { averageReward: null, costUsd: null });
  }
}

/**
 * Sets the search attributes. They are set once, at the end: each upsert is an event and a write to the visibility
 * store.
 */
function publish(input: SweepInput, status: RunEnd, results: Omit<CloseRunOutput, 'status'>): void {
  if (!input.indexed) return;
  const { averageReward, costUsd } = results;
  upsertSearchAttributes([
    { key: TauReward, value: averageReward },
    { key: TauOutcome, value: status },
    costAttribute(costUsd),
  ]);
}
