/** A long sweep's children: each lane is a sweep over a slice of the plan, with its share of the window. */

import { condition, executeChild, getExternalWorkflowHandle } from '@temporalio/workflow';
import { laneWorkflowId } from '../src/wire/names.ts';
import type { SweepControl, SweepInput, SweepResult } from '../src/wire/sweep.ts';
import { control } from './messages.ts';
import { sweepAttributes } from './search-attributes.ts';
import type { sweep } from './sweep.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * Opens lanes as the window has room, and splits the window among the open ones. A lane that ends gives its share to
 * the others, so the window stays full until the last lane.
 */
export async function runLanes(input: SweepInput, monitor: SweepMonitor, laneSize: number): Promise<void> {
  const total = input.plan.taskIds.length * input.plan.numTrials;
  const told = new Map<string, SweepControl>();
  const running: Promise<void>[] = [];
  const openLane = (index: number): void => {
    const workflowId = laneWorkflowId(input.run.runId, index);
    const start = index * laneSize;
    const end = Math.min(start + laneSize, total);
    monitor.next = end;
    monitor.lanes.add(workflowId);
    const share = shareOf(monitor, workflowId);
    told.set(workflowId, share);
    const { state: _, ...rest } = input;
    running.push(
      executeChild<typeof sweep>('sweep', {
        workflowId,
        args: [
          {
            ...rest,
            ...remainingBudget(input, monitor),
            maxConcurrency: share.maxConcurrency,
            lane: { index, start, end },
          },
        ],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowTaskTimeout: '60 seconds',
        ...(input.indexed ? { typedSearchAttributes: sweepAttributes(input.run, input.config) } : {}),
        staticSummary: `lane ${index}: episodes ${start + 1} to ${end} of ${total}`,
      }).then((result: SweepResult) => {
        monitor.lanes.delete(workflowId);
        told.delete(workflowId);
        monitor.add(result.totals);
      }),
    );
  };
  const lanes = Math.ceil(total / laneSize);
  let nextLane = 0;
  for (;;) {
    while (nextLane < lanes && monitor.hasMore() && monitor.hasRoom(monitor.lanes.size)) openLane(nextLane++);
    await tellShares(monitor, told);
    if (monitor.lanes.size === 0 && (nextLane === lanes || !monitor.hasMore())) break;
    await condition(
      () =>
        sharesChanged(monitor, told) ||
        monitor.lanes.size === 0 ||
        (nextLane < lanes && monitor.hasMore() && monitor.hasRoom(monitor.lanes.size)),
    );
  }
  await Promise.all(running);
}

/** An equal part of the window; the first lanes take what does not divide. At least 1: a lane is never starved. */
function shareOf(monitor: SweepMonitor, workflowId: string): SweepControl {
  const lanes = [...monitor.lanes];
  const whole = Math.floor(monitor.maxConcurrency / lanes.length);
  const extra = lanes.indexOf(workflowId) < monitor.maxConcurrency % lanes.length ? 1 : 0;
  return { paused: monitor.paused, maxConcurrency: Math.max(1, whole + extra) };
}

function differs(a: SweepControl | undefined, b: SweepControl): boolean {
  return a?.paused !== b.paused || a.maxConcurrency !== b.maxConcurrency;
}

function sharesChanged(monitor: SweepMonitor, told: ReadonlyMap<string, SweepControl>): boolean {
  return [...monitor.lanes].some((lane) => differs(told.get(lane), shareOf(monitor, lane)));
}

async function tellShares(monitor: SweepMonitor, told: Map<string, SweepControl>): Promise<void> {
  for (const lane of [...monitor.lanes]) {
    const share = shareOf(monitor, lane);
    if (!differs(told.get(lane), share)) continue;
    told.set(lane, share);
    try {
      await getExternalWorkflowHandle(lane).signal(control, share);
    } catch {
      // The lane has ended meanwhile; its result says all that matters.
    }
  }
}

/** A lane stops opening episodes when it alone would use up what is left of the sweep's budget. */
function remainingBudget(input: SweepInput, monitor: SweepMonitor): Pick<SweepInput, 'maxCostUsd'> {
  return { maxCostUsd: input.maxCostUsd === null ? null : Math.max(0, input.maxCostUsd - monitor.totals.knownCostUsd) };
}
