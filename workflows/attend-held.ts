/** Makes a sweep's held calls again when they are due, for as long as episodes are open. */

import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { episodeName, episodeWorkflowId, type SweepInput } from '../src/wire/index.ts';
import type { DueCall } from './held-calls.ts';
import { halted, releaseCall } from './messages.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * @param isOver whether no episode is open any more; a sweep that is canceled need not attend to its held calls, as its
 *   episodes are canceled as well
 */
export async function attendHeldCalls(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  try {
    while (!isOver()) await attendOnce(input, monitor, isOver);
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

async function attendOnce(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  const { held } = monitor;
  const dueAt = held.dueAt();
  if (dueAt === null) {
    await condition(() => isOver() || held.dueAt() !== null);
    return;
  }
  const waitMs = dueAt - Date.now();
  if (waitMs > 0) {
    const isSooner = () => (held.dueAt() ?? Infinity) < dueAt;
    await condition(() => isOver() || isSooner() || held.dueAt() === null, waitMs);
    return;
  }
  const reason = monitor.expireHeld();
  if (reason !== null && input.lane !== undefined) await tellSweep(reason);
  await Promise.all(held.take(Date.now()).map((due) => release(input, monitor, due)));
  monitor.show();
}

async function release({ run }: SweepInput, monitor: SweepMonitor, { call, again }: DueCall): Promise<void> {
  const episode = getExternalWorkflowHandle(episodeWorkflowId(run.runId, call.episode));
  try {
    await episode.signal(releaseCall, { call: call.call, again });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    // The episode has ended meanwhile.
    monitor.held.episodeEnded(episodeName(call.episode), false, Date.now());
  }
}

/** A lane's refusal is met by the other lanes as well: their sweep pauses them all. */
export async function tellSweep(reason: string): Promise<void> {
  const { parent, workflowId } = workflowInfo();
  if (parent === undefined) return;
  try {
    await getExternalWorkflowHandle(parent.workflowId).signal(halted, workflowId, reason);
  } catch (error) {
    // A sweep that is being cancelled, or has ended, opens nothing more either.
    if (!(error instanceof TemporalFailure)) throw error;
  }
}
