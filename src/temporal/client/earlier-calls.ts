/**
 * Finished model calls of an episode that was canceled or terminated together with its sweep. Its replacement reads
 * them from the history instead of paying for them again.
 */

import type { Client } from '@temporalio/client';
import { wholeDigest, type CompleteOutput } from '../../evaluation/index.ts';
import type { CompleteInput, EarlierEpisode } from '../../episode/index.ts';
import { listingClient } from './visibility.ts';
import { fetchEvents, readModelCalls } from './call-history.ts';

/** A finished call of the earlier episode, with its request. */
interface EarlierCall {
  readonly asked: string;
  readonly output: CompleteOutput;
}

/** Finished calls by their name within the episode, such as `agent 3`. */
export type EarlierCalls = ReadonlyMap<string, EarlierCall>;

/** An episode, identified by its workflow. */
interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

/**
 * Reads the finished calls of the earlier episode.
 * @param now the new episode
 * @returns an empty map if the server no longer has the history
 */
export async function readEarlierCalls(client: Client, earlier: EarlierEpisode, now: Execution): Promise<EarlierCalls> {
  const runId = earlier.workflowRunId ?? (await findBefore(client, now));
  const events = runId === null ? null : await fetchEvents(client, now.workflowId, runId);
  const calls = new Map<string, EarlierCall>();
  for await (const { input, output } of readModelCalls(client.options.loadedDataConverter, events ?? [])) {
    if (output !== null) enterCall(calls, input, output);
  }
  return calls;
}

export function enterCall(calls: Map<string, EarlierCall>, input: CompleteInput, output: CompleteOutput): void {
  calls.set(input.call, { asked: toRequestKey(input), output });
}

/** @returns the result of the earlier call if its request was the same; otherwise null */
export function findEarlier(calls: EarlierCalls, input: CompleteInput): CompleteOutput | null {
  const call = calls.get(input.call);
  return call?.asked === toRequestKey(input) ? call.output : null;
}

/** Returns a key of a request's content. It excludes settings, because a run's settings do not change. */
function toRequestKey({ role, transcript, format, schema = '' }: CompleteInput): string {
  return [role, transcript.thread, format, schema, wholeDigest(transcript)].join('\n');
}

/**
 * Finds the newest earlier workflow run of the id. A run that infrastructure ended is ignored, because its replacement
 * starts over.
 */
async function findBefore(client: Client, { workflowId, runId }: Execution): Promise<string | null> {
  let newest: { readonly runId: string; readonly startTime: Date; readonly isFailed: boolean } | null = null;
  const query = `WorkflowId = '${workflowId.replaceAll("'", "\\'")}'`;
  for await (const info of listingClient(client).workflow.list({ query })) {
    if (info.runId === runId || (newest !== null && info.startTime <= newest.startTime)) continue;
    newest = { runId: info.runId, startTime: info.startTime, isFailed: info.status.name === 'FAILED' };
  }
  return newest === null || newest.isFailed ? null : newest.runId;
}
