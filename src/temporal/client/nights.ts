/** The nights of a schedule as the server knows them, for as long as it keeps closed workflows. */

import type { Client } from '@temporalio/client';
import {
  TauCostUsd,
  TauDelta,
  TauReward,
  TauVerdict,
  TemporalScheduledStartTime,
  type nightly,
} from '../../../workflows/client.ts';
import { listingClient } from './listing-client.ts';
import { scheduledRunId, toScheduleId, type AlertOutcome } from '../../wire/index.ts';

export interface SeenNight {
  /** As its first try names it; see `openSweep` for the odd case. */
  readonly runId: string;
  /** In lower case: `running`, `completed`, `failed`, … */
  readonly status: string;
  readonly verdict: string | null;
  readonly averageReward: number | null;
  readonly delta: number | null;
  /** USD. */
  readonly costUsd: number | null;
  readonly workflowId: string;
  readonly workflowRunId: string;
}

/** The newest first. @param most how many */
export async function listSeenNights(client: Client, schedule: string, most: number): Promise<SeenNight[]> {
  const nights: SeenNight[] = [];
  // The name has no quotes: it may begin a run id.
  const query = `WorkflowType = 'nightly' AND TemporalScheduledById = '${toScheduleId(schedule)}'`;
  for await (const { workflowId, runId, status, startTime, typedSearchAttributes } of listingClient(
    client,
  ).workflow.list({ query })) {
    nights.push({
      runId: scheduledRunId(schedule, typedSearchAttributes.get(TemporalScheduledStartTime) ?? startTime),
      status: status.name.toLowerCase(),
      verdict: typedSearchAttributes.get(TauVerdict) ?? null,
      averageReward: typedSearchAttributes.get(TauReward) ?? null,
      delta: typedSearchAttributes.get(TauDelta) ?? null,
      costUsd: typedSearchAttributes.get(TauCostUsd) ?? null,
      workflowId,
      workflowRunId: runId,
    });
    if (nights.length >= most) break;
  }
  return nights;
}

/** What became of a night's alert; null while it is under way, or where it ended without a result. */
export async function alertOf(
  client: Client,
  { workflowId, workflowRunId, status }: SeenNight,
): Promise<AlertOutcome | null> {
  if (status !== 'completed') return null;
  const { alert } = await client.workflow.getHandle<typeof nightly>(workflowId, workflowRunId).result();
  return alert;
}
