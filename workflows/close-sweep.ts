/** The end of a sweep: its results are published from the run log, and it is found by them in Temporal UI. */

import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  upsertSearchAttributes,
  workflowInfo,
  type TemporalFailure,
} from '@temporalio/workflow';
import {
  hasVersion,
  type CloseRunInput,
  type CloseRunOutput,
  type RunEnd,
  type RunInput,
  type SweepInput,
} from '../src/wire/index.ts';
import { runLog } from './activities.ts';
import { costAttribute, TauOutcome, TauReward } from './search-attributes.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

type Status = CloseRunInput['status'];

/** The run as the sweep has it now: steering may have changed its plan and its limits. */
export function runOf({ run, config, notes }: SweepInput, monitor: SweepMonitor): RunInput {
  const { maxConcurrency, maxCostUsd } = monitor;
  const { workflowId } = workflowInfo();
  const own = notes === undefined ? {} : { notes };
  return { run, config, plan: monitor.plan(), maxConcurrency, maxCostUsd, workflowId, ...own };
}

/**
 * Writes results and metrics from the run log, also when the sweep was cancelled.
 * @returns `incomplete` instead of the status where the records do not add up to what has ended
 */
export async function closeSweep<S extends Status>(
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
export async function closeEarly(input: SweepInput, monitor: SweepMonitor, error: TemporalFailure): Promise<void> {
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
