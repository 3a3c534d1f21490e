/** The histories of a sweep and its lanes: none of them may grow with the sweep. */

import type { Client } from '@temporalio/client';
import { laneWorkflowId, sweepWorkflowId } from '../../src/wire/index.ts';

export interface SweepHistory {
  readonly workflowId: string;
  /** 1, unless it continued as new. */
  readonly runs: number;
  /** Of its longest run. */
  readonly events: number;
  readonly bytes: number;
}

/** The sweep first, then its lanes. */
export async function sweepHistories(client: Client, runId: string, lanes: number): Promise<SweepHistory[]> {
  const ids = [sweepWorkflowId(runId), ...Array.from({ length: lanes }, (_, index) => laneWorkflowId(runId, index))];
  return await Promise.all(ids.map((workflowId) => historyOf(client, workflowId)));
}

async function historyOf(client: Client, workflowId: string): Promise<SweepHistory> {
  const sizes: { events: number; bytes: number }[] = [];
  // A name that every process of the sweep would have too is not asked for: visibility may lag behind by a moment.
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    const { historyLength, historySizeBytes } = raw.workflowExecutionInfo ?? {};
    sizes.push({ events: Number(historyLength ?? 0), bytes: Number(historySizeBytes ?? 0) });
  }
  return {
    workflowId,
    runs: sizes.length,
    events: Math.max(0, ...sizes.map(({ events }) => events)),
    bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  };
}

/** Durations of the activities of a type in a workflow's last run. @unit milliseconds */
export async function activityTimes(client: Client, workflowId: string, type: string): Promise<number[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = new Map<string, number>();
  const times: number[] = [];
  for (const event of events ?? []) {
    const at = Number(event.eventTime?.seconds ?? 0) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6;
    const { activityTaskScheduledEventAttributes: start, activityTaskCompletedEventAttributes: end } = event;
    if (start?.activityType?.name === type) scheduled.set(String(event.eventId), at);
    const begun = scheduled.get(String(end?.scheduledEventId));
    if (begun !== undefined) times.push(at - begun);
  }
  return times;
}
