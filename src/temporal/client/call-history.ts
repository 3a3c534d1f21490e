/** Model calls in the history of an episode: their requests, replies and failures. */

import type { Client } from '@temporalio/client';
import type { LoadedDataConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { decodeFromPayloadsAtIndex } from '../sdk-internals/index.ts';
import type { CompleteInput } from '../../episode/index.ts';
import type { CompleteOutput } from '../../evaluation/index.ts';
import { isGone } from '../errors.ts';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** @returns null if the server no longer has the history, or never had it */
export async function fetchEvents(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<readonly HistoryEvent[] | null> {
  try {
    return (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** An activity of a model call that has ended. */
export interface EndedCall {
  readonly input: CompleteInput;
  /** Result of the call; null if it failed. */
  readonly output: CompleteOutput | null;
  readonly failure: temporal.api.failure.v1.IFailure | null;
}

/** Yields the model calls that have ended, in the order of their requests. */
export async function* readModelCalls(
  converter: LoadedDataConverter,
  events: readonly HistoryEvent[],
): AsyncIterable<EndedCall> {
  const ends = new Map(events.flatMap((event) => readEnd(event) ?? []));
  for (const { eventId, activityTaskScheduledEventAttributes: scheduled } of events) {
    const end = ends.get(String(eventId));
    if (scheduled?.activityType?.name !== 'complete' || end === undefined) continue;
    const { activityTaskCompletedEventAttributes: completed, activityTaskFailedEventAttributes: failed } = end;
    yield {
      input: await decodeFromPayloadsAtIndex<CompleteInput>(converter, 0, scheduled.input?.payloads),
      output: completed
        ? await decodeFromPayloadsAtIndex<CompleteOutput>(converter, 0, completed.result?.payloads)
        : null,
      failure: failed?.failure ?? null,
    };
  }
}

/** Returns an activity's end, with the id of the event that scheduled it. */
function readEnd(event: HistoryEvent): [scheduledEventId: string, end: HistoryEvent][] | null {
  const end = event.activityTaskCompletedEventAttributes ?? event.activityTaskFailedEventAttributes;
  return end ? [[String(end.scheduledEventId), event]] : null;
}
