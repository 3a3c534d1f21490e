/**
 * Finds how far the workers, on other machines too, have limited their calls of providers that answer 429. The
 * heartbeat details of model calls in progress have it.
 */

import { ServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '../sdk-internals/index.ts';
import type { Pace } from '../../models/index.ts';

/** Most workflows to query, enough to reach most workers. */
const MOST = 10;

/** A provider's pace, summed over the workers that answered the query. */
export interface ProviderPace extends Pace {
  readonly workers: number;
}

/** @param workflowIds workflows with model calls in progress */
export async function findPaces(client: Client, workflowIds: readonly string[]): Promise<readonly ProviderPace[]> {
  const found = await Promise.all(workflowIds.slice(0, MOST).map((id) => pacesIn(client, id)));
  // Calls of one worker have the same details; the latest have the highest counts.
  const latest = new Map<string, Pace>();
  for (const { worker, pace } of found.flat()) {
    const key = `${pace.provider} ${worker}`;
    if ((latest.get(key)?.rateLimited ?? 0) <= pace.rateLimited) latest.set(key, pace);
  }
  const providers = new Map<string, ProviderPace>();
  for (const pace of latest.values()) {
    const sum = providers.get(pace.provider);
    providers.set(pace.provider, sum === undefined ? { ...pace, workers: 1 } : add(sum, pace));
  }
  return [...providers.values()];
}

/** Describes a pace: `openai answers 429 (37 so far): 2 calls at once, 1.9 a second, 48 wait`. */
export function describePace(pace: ProviderPace): string {
  const { provider, callsAtOnce, callsPerSecond, rateLimited, waiting, workers } = pace;
  const parts = [
    `${callsAtOnce} ${callsAtOnce === 1 ? 'call' : 'calls'} at once`,
    ...(callsPerSecond === null ? [] : [`${callsPerSecond} a second`]),
    ...(workers === 1 ? [] : [`over ${workers} workers`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
  ];
  return `${provider} answers 429 (${rateLimited} so far): ${parts.join(', ')}`;
}

/** Describes a pace within a line of figures: `openai 2 at once (37 × 429)`. */
export function shortPace({ provider, callsAtOnce, callsPerSecond, rateLimited }: ProviderPace): string {
  const rate = callsPerSecond === null ? `${callsAtOnce} at once` : `${callsPerSecond} calls/s`;
  return `${provider} limited to ${rate} (${rateLimited} × 429)`;
}

/** Returns the command that sets the accepted rate as a limit for all workers. */
export function limitHint({ provider, acceptedPerSecond }: ProviderPace): string {
  return `to set a limit for all workers: --max-llm-calls-per-second ${provider}=${acceptedPerSecond || 1}`;
}

async function pacesIn(client: Client, workflowId: string): Promise<{ worker: string; pace: Pace }[]> {
  try {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const found: { worker: string; pace: Pace }[] = [];
    for (const { heartbeatDetails, lastWorkerIdentity } of raw.pendingActivities ?? []) {
      const payloads = heartbeatDetails?.payloads;
      if (!payloads?.length) continue;
      const [details] = await decodeArrayFromPayloads(client.options.loadedDataConverter, payloads);
      const pace = (details as { readonly pace?: Pace } | null | undefined)?.pace;
      if (pace !== undefined) found.push({ worker: lastWorkerIdentity ?? '', pace });
    }
    return found;
  } catch (error) {
    // It has ended, or the server is restarting.
    if (error instanceof WorkflowNotFoundError || error instanceof ServiceError) return [];
    throw error;
  }
}

function add(sum: ProviderPace, pace: Pace): ProviderPace {
  const rate = round((sum.callsPerSecond ?? 0) + (pace.callsPerSecond ?? 0));
  return {
    provider: sum.provider,
    callsAtOnce: sum.callsAtOnce + pace.callsAtOnce,
    callsPerSecond: sum.callsPerSecond === null || pace.callsPerSecond === null ? null : rate,
    acceptedPerSecond: round(sum.acceptedPerSecond + pace.acceptedPerSecond),
    rateLimited: sum.rateLimited + pace.rateLimited,
    waiting: sum.waiting + pace.waiting,
    workers: sum.workers + 1,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}
