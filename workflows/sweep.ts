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
  setCurrentDetails,
  upsertSearchAttributes,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import {
  SweepMonitor,
  SweepRequests,
  splitWindow,
  type CloseRunOutput,
  type SweepPorts,
} from '../src/orchestration/index.ts';
import {
  FailureType,
  type CloseRunInput,
  type RunEnd,
  type SweepInput,
  type SweepResult,
  asResumed,
  LIMIT_KEYS,
  laneWorkflowId,
  pickLimits,
  withAgentUrl,
  type SweepControl,
} from '../src/evaluation/index.ts';
import { refuseNewer } from './failures.ts';
import { runLog, sweepActivities } from './activities.ts';
import { handleMessages } from './steering.ts';
import { runWindow } from './window.ts';
import { TauOutcome, TauReward, WORKFLOW_TASK_TIMEOUT, costAttribute, sweepAttributes } from './visibility.ts';
import { control } from './messages.ts';

/** Episodes in one lane: about 4,000 events, below the server's own suggestion to continue as new. */
const LANE_SIZE = 500;

export async function sweep(started: SweepInput): Promise<SweepResult> {
  refuseNewer(started);
  // The run's token is entered when its log is open, and the handlers of messages need it as well.
  const input = { ...started };
  const { plan, lane } = input;
  const monitor = new SweepMonitor(input, setCurrentDetails);
  const scope = CancellationScope.current();
  const ports: SweepPorts = {
    activities: sweepActivities,
    workflowId: workflowInfo().workflowId,
    isCancelled: () => scope.consideredCancelled,
  };
  const requests = new SweepRequests(input, monitor, ports);
  handleMessages(input, monitor, requests);

  const isRoot = lane === undefined;
  try {
    if (isRoot && input.state === undefined) {
      const { token } = await ports.activities.openRun('open the run log', requests.run());
      input.run = { ...input.run, token };
    }
    const laneSize = input.tuning?.laneSize ?? LANE_SIZE;
    if (isRoot && plan.taskIds.length * plan.numTrials > laneSize) await runLanes(input, monitor, laneSize);
    else await runWindow(input, monitor);
    await condition(allHandlersFinished);
    if (monitor.isHalted()) {
      const reason = `no further episode was opened: ${monitor.settings.pausedFor}`;
      throw ApplicationFailure.nonRetryable(reason, FailureType.SweepHalted);
    }
    // A cancel that came while the last episodes were being waited for.
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
 * @returns `incomplete` instead of the status where the records do not add up to what has ended
 */
async function closeSweep<S extends Status>(
  input: SweepInput,
  monitor: SweepMonitor,
  requests: SweepRequests,
  status: S,
): Promise<S | 'incomplete'> {
  monitor.end();
  return await CancellationScope.nonCancellable(async () => {
    const results = await runLog.closeRun.executeWithOptions({ summary: `publish the results: ${status}` }, [
      { ...requests.run(), status, ended: monitor.totals.ended },
    ]);
    const end = results.status === 'incomplete' ? 'incomplete' : status;
    publish(input, end, results);
    return end;
  });
}

/**
 * Closes a sweep that was cancelled or has failed. A run log that cannot be read or written is often the reason, so it
 * may be impossible to close it too. Requests are answered first.
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

/** Search attributes are set once, at the end: each upsert is an event and a write to the visibility store. */
function publish(input: SweepInput, status: RunEnd, results: Omit<CloseRunOutput, 'status'>): void {
  if (!input.indexed) return;
  const { averageReward, costUsd } = results;
  upsertSearchAttributes([
    { key: TauReward, value: averageReward },
    { key: TauOutcome, value: status },
    costAttribute(costUsd),
  ]);
}

/** A child of a long sweep: itself a sweep, over a slice of the plan, with its share of the window. */
interface OpenLane {
  readonly index: number;
  /** Number of episodes in its slice, those that are recorded included. */
  readonly size: number;
  /** Settings that the lane was last sent; null until its share is settled. */
  sent: SweepControl | null;
  /** Null until the server has started it: earlier it cannot be signaled. */
  handle: ChildWorkflowHandle<typeof sweep> | null;
}

/**
 * Opens lanes as the window has capacity, and splits the window among the open ones. A lane that ends gives its share to
 * the others, so the window stays full until the last lane. Waits for open lanes also when the sweep is cancelled.
 *
 * @throws the failure of the first lane that failed, when the others have ended; resuming the run runs what is
 * missing
 */
async function runLanes(input: SweepInput, monitor: SweepMonitor, laneSize: number): Promise<void> {
  const total = input.plan.taskIds.length * input.plan.numTrials;
  const count = Math.ceil(total / laneSize);
  // A lane's totals are of what it runs itself, so that its sweep knows from the start what all have cost.
  const { run, plan, config } = input;
  const recorded = await runLog.sumRecorded.executeWithOptions({ summary: 'what is recorded of the run' }, [
    { run, plan, seed: config.seed, ...monitor.walk.restriction },
  ]);
  monitor.add(asResumed(recorded.totals));
  // Lanes do not know of each other's costs, so a sweep with a budget has one at a time.
  const most = () => (monitor.settings.maxCostUsd === null ? Infinity : 1);
  const open = new Map<string, OpenLane>();
  const failures: unknown[] = [];
  let next = 0;
  const hasMore = () => next < count && failures.length === 0 && monitor.hasMore();
  const mayOpen = () => hasMore() && open.size < most() && monitor.hasCapacity(open.size);

  const runLane = async ({ workflowId, lane, share }: LaneShare): Promise<void> => {
    const { index } = lane;
    lane.sent = share;
    try {
      const slice = { index, ...sliceOf(index, laneSize, total) };
      lane.handle = await startLane(input, monitor.walk.restriction, slice, share);
      const result = await lane.handle.result();
      monitor.laneEnded(workflowId, result);
    } catch (error) {
      failures.push(error);
      monitor.board.lanes.delete(workflowId);
    }
    open.delete(workflowId);
  };

  const running: Promise<void>[] = [];
  try {
    for (;;) {
      for (; mayOpen(); next++) {
        const workflowId = laneWorkflowId(input.run.runId, next);
        const { start, end } = sliceOf(next, laneSize, total);
        open.set(workflowId, { index: next, size: end - start, sent: null, handle: null });
        monitor.board.lanes.add(workflowId);
        monitor.walk.next = end;
      }
      monitor.show();
      // Only now is it known among which lanes the window is split.
      for (const each of sharesOf(input, monitor, open)) if (each.lane.sent === null) running.push(runLane(each));
      await sendShares(input, monitor, open);
      if (open.size === 0 && !hasMore()) break;
      await condition(() => mayOpen() || sharesChanged(input, monitor, open) || (open.size === 0 && !hasMore()));
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

function sliceOf(index: number, laneSize: number, total: number): { readonly start: number; readonly end: number } {
  const start = index * laneSize;
  return { start, end: Math.min(start + laneSize, total) };
}

function startLane(
  input: SweepInput,
  restriction: SweepMonitor['walk']['restriction'],
  lane: NonNullable<SweepInput['lane']>,
  { maxConcurrency, maxCostUsd = null, agentUrl, ...limits }: SweepControl,
): Promise<ChildWorkflowHandle<typeof sweep>> {
  const { run, config, plan, queues, tuning, indexed, version, unattended } = input;
  const total = plan.taskIds.length * plan.numTrials;
  const slice: SweepInput = {
    run,
    config: { ...withAgentUrl(config, agentUrl), ...pickLimits(limits) },
    plan,
    maxConcurrency,
    maxCostUsd,
    queues,
    indexed,
    lane,
    ...restriction,
    ...(tuning === undefined ? {} : { tuning }),
    ...(unattended === undefined ? {} : { unattended }),
    ...(version === undefined ? {} : { version }),
  };
  return startChild<typeof sweep>('sweep', {
    workflowId: laneWorkflowId(run.runId, lane.index),
    args: [slice],
    parentClosePolicy: 'REQUEST_CANCEL',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
    staticSummary: `lane ${lane.index}: episodes ${lane.start + 1} to ${lane.end} of ${total}`,
  });
}

interface LaneShare {
  readonly workflowId: string;
  readonly lane: OpenLane;
  readonly share: SweepControl;
}

/**
 * Each open lane's part of the window. What is left of the sweep's budget is the lane's; several share it when the
 * sweep was given one after they were opened.
 */
function sharesOf(input: SweepInput, monitor: SweepMonitor, open: ReadonlyMap<string, OpenLane>): LaneShare[] {
  const left = monitor.settings.budgetLeftUsd(monitor.totals);
  const maxCostUsd = left === null ? null : left / open.size;
  const sizes = Array.from(open.values(), ({ size }) => size);
  const parts = splitWindow(monitor.settings.maxConcurrency, sizes);
  return [...open].map(([workflowId, lane], place) => {
    const { paused, given } = monitor.settings;
    const share = { paused, maxConcurrency: parts[place] ?? 0, maxCostUsd, ...given };
    return { workflowId, lane, share };
  });
}

/** @param isHalted whether the lane has paused itself since it was sent anything: resumed at once, it must hear of it */
function isNews(lane: OpenLane, share: SweepControl, isHalted: boolean): boolean {
  const { sent } = lane;
  if (lane.handle === null || sent === null) return false;
  return (
    isHalted ||
    sent.paused !== share.paused ||
    sent.maxConcurrency !== share.maxConcurrency ||
    sent.maxCostUsd !== share.maxCostUsd ||
    sent.agentUrl !== share.agentUrl ||
    LIMIT_KEYS.some((key) => sent[key] !== share[key])
  );
}

function sharesChanged(input: SweepInput, monitor: SweepMonitor, open: ReadonlyMap<string, OpenLane>): boolean {
  return sharesOf(input, monitor, open).some(({ workflowId, lane, share }) =>
    isNews(lane, share, monitor.board.haltedLanes.has(workflowId)),
  );
}

async function sendShares(
  input: SweepInput,
  monitor: SweepMonitor,
  open: ReadonlyMap<string, OpenLane>,
): Promise<void> {
  for (const workflowId of [...open.keys()]) {
    // Of now: while the last one was being sent, a lane may have ended.
    const now = sharesOf(input, monitor, open).find((each) => each.workflowId === workflowId);
    if (now === undefined) continue;
    const { lane, share } = now;
    if (lane.handle === null || !isNews(lane, share, monitor.board.haltedLanes.has(workflowId))) continue;
    lane.sent = share;
    monitor.board.haltedLanes.delete(workflowId);
    try {
      await lane.handle.signal(control, share);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // The lane has ended meanwhile; its result says all that matters.
    }
  }
}
