/** A long sweep's children: each lane is a sweep over a slice of the plan, with its share of the window. */

import { condition, isCancellation, startChild, type ChildWorkflowHandle } from '@temporalio/workflow';
import { asResumed, hasVersion, laneWorkflowId, type SweepControl, type SweepInput } from '../src/wire/index.ts';
import { runLog } from './activities.ts';
import { control } from './messages.ts';
import { sweepAttributes } from './visibility.ts';
import type { sweep } from './sweep.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

interface OpenLane {
  /** Settings that the lane was last sent; null until its share is settled. */
  sent: SweepControl | null;
  /** Null until the server has started it: earlier it cannot be signaled. */
  handle: ChildWorkflowHandle<typeof sweep> | null;
}

/**
 * Opens lanes as the window has room, and splits the window among the open ones. A lane that ends gives its share to
 * the others, so the window stays full until the last lane. Waits for open lanes also when the sweep is cancelled.
 *
 * @throws the failure of the first lane that failed, when the others have ended; taking the run up again runs what
 * is missing
 */
export async function runLanes(input: SweepInput, monitor: SweepMonitor, laneSize: number): Promise<void> {
  const total = input.plan.taskIds.length * input.plan.numTrials;
  const count = Math.ceil(total / laneSize);
  // Since then a lane's totals are of what it runs itself, so that its sweep knows from the start what all have cost.
  if (hasVersion(input, 3)) {
    const { run, plan, config } = input;
    const recorded = await runLog.sumRecorded.executeWithOptions({ summary: 'what is recorded of the run' }, [
      { run, plan, seed: config.seed, ...monitor.restriction },
    ]);
    monitor.add(asResumed(recorded.totals));
  }
  // Lanes do not know of each other's costs, so a sweep with a budget has one at a time.
  const most = () => (monitor.maxCostUsd === null ? Infinity : 1);
  const open = new Map<string, OpenLane>();
  const failures: unknown[] = [];
  let next = 0;
  const hasMore = () => next < count && failures.length === 0 && monitor.hasMore();
  const mayOpen = () => hasMore() && open.size < most() && monitor.hasRoom(open.size);

  const runLane = async (index: number, workflowId: string, lane: OpenLane): Promise<void> => {
    lane.sent = shareOf(monitor, workflowId);
    try {
      lane.handle = await startLane(
        input,
        monitor.restriction,
        { index, ...sliceOf(index, laneSize, total) },
        lane.sent,
      );
      const result = await lane.handle.result();
      monitor.laneEnded(workflowId, result);
    } catch (error) {
      failures.push(error);
      monitor.lanes.delete(workflowId);
    }
    open.delete(workflowId);
  };

  const running: Promise<void>[] = [];
  try {
    for (;;) {
      const opened: (readonly [number, string, OpenLane])[] = [];
      for (; mayOpen(); next++) {
        const workflowId = laneWorkflowId(input.run.runId, next);
        const lane: OpenLane = { sent: null, handle: null };
        open.set(workflowId, lane);
        monitor.lanes.add(workflowId);
        monitor.next = sliceOf(next, laneSize, total).end;
        opened.push([next, workflowId, lane]);
      }
      monitor.show();
      // Only now is it known among how many lanes the window is split.
      for (const args of opened) running.push(runLane(...args));
      await tellShares(monitor, open);
      if (open.size === 0 && !hasMore()) break;
      await condition(() => mayOpen() || sharesChanged(monitor, open) || (open.size === 0 && !hasMore()));
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
  restriction: SweepMonitor['restriction'],
  lane: NonNullable<SweepInput['lane']>,
  { maxConcurrency, maxCostUsd = null }: SweepControl,
): Promise<ChildWorkflowHandle<typeof sweep>> {
  const { run, config, plan, queues, tuning, indexed, version, unattended } = input;
  const total = plan.taskIds.length * plan.numTrials;
  const slice: SweepInput = {
    run,
    config,
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
    workflowTaskTimeout: '60 seconds',
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
    staticSummary: `lane ${lane.index}: episodes ${lane.start + 1} to ${lane.end} of ${total}`,
  });
}

/**
 * An equal part of the window; the first lanes take what does not divide. A window that was made smaller than the
 * number of lanes leaves some without a part until others have ended. What is left of the sweep's budget is the lane's;
 * several share it when the sweep was given one after they were opened.
 */
function shareOf(monitor: SweepMonitor, workflowId: string): SweepControl {
  const lanes = [...monitor.lanes];
  const whole = Math.floor(monitor.maxConcurrency / lanes.length);
  const extra = lanes.indexOf(workflowId) < monitor.maxConcurrency % lanes.length ? 1 : 0;
  const left = monitor.budgetLeftUsd();
  const maxCostUsd = left === null ? null : left / lanes.length;
  return { paused: monitor.paused, maxConcurrency: whole + extra, maxCostUsd };
}

/** @param isHalted whether the lane has paused itself since it was sent anything: resumed at once, it must hear of it */
function isNews(lane: OpenLane, share: SweepControl, isHalted: boolean): boolean {
  const { sent } = lane;
  if (lane.handle === null || sent === null) return false;
  return (
    isHalted ||
    sent.paused !== share.paused ||
    sent.maxConcurrency !== share.maxConcurrency ||
    sent.maxCostUsd !== share.maxCostUsd
  );
}

function sharesChanged(monitor: SweepMonitor, open: ReadonlyMap<string, OpenLane>): boolean {
  return [...open].some(([workflowId, lane]) =>
    isNews(lane, shareOf(monitor, workflowId), monitor.halted.has(workflowId)),
  );
}

async function tellShares(monitor: SweepMonitor, open: ReadonlyMap<string, OpenLane>): Promise<void> {
  for (const [workflowId, lane] of [...open]) {
    const share = shareOf(monitor, workflowId);
    if (lane.handle === null || !isNews(lane, share, monitor.halted.has(workflowId))) continue;
    lane.sent = share;
    monitor.halted.delete(workflowId);
    try {
      await lane.handle.signal(control, share);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // The lane has ended meanwhile; its result says all that matters.
    }
  }
}
