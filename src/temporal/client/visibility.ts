/**
 * What the server's visibility store knows of sweeps and episodes: it answers without any worker, and knows the runs of
 * everybody who uses the server.
 */

import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import { listingClient } from './listing-client.ts';
import { TauCostUsd, TauEnv, TauModel, TauOutcome, TauReward, TauStrategy } from '../../../workflows/client.ts';
import { parseNightlyWorkflowId } from '../../wire/index.ts';
import { grpc, grpcStatus } from '../codec/index.ts';

/** A run as the server knows it: the newest sweep of its id. Null is what a sweep did not say of itself. */
export interface SeenSweep {
  readonly runId: string;
  /** In lower case: `running`, `completed`, `failed`, `cancelled`, `terminated`, `timed_out`. */
  readonly status: string;
  /** ISO 8601, UTC; of a run that was taken up again, when that was. */
  readonly startedAt: string;
  readonly env: string | null;
  readonly strategy: string | null;
  readonly model: string | null;
  /** In [0, 1], and USD; known when the sweep has ended. */
  readonly averageReward: number | null;
  readonly costUsd: number | null;
  /** The schedule that has started it. */
  readonly schedule: string | null;
}

export interface SweepFilter {
  readonly strategy?: string | undefined;
  readonly model?: string | undefined;
}

/** Sweeps that are looked through, so that a server of years answers in seconds. */
const MOST_SEEN = 5_000;

/** Those that run first, then those that ended last. Lanes are parts of their sweeps and left out. */
export async function* listSweeps(
  client: Client,
  filter: SweepFilter = {},
): AsyncGenerator<SeenSweep, void, undefined> {
  const known = new Set<string>();
  let seen = 0;
  for await (const info of listingClient(client).workflow.list({ query: sweepQuery(filter) })) {
    if (++seen > MOST_SEEN) return;
    const { workflowId, status } = info;
    // A lane's id is a path. Of one id, the newest comes first; its earlier parts have continued as new.
    if (workflowId.includes('/') || status.name === 'CONTINUED_AS_NEW' || known.has(workflowId)) continue;
    known.add(workflowId);
    yield toSeenSweep(info);
  }
}

/** @returns null when the server does not know the run */
export async function seeSweep(client: Client, runId: string): Promise<SeenSweep | null> {
  try {
    const info = await client.workflow.getHandle(runId).describe();
    return info.type === 'sweep' ? toSeenSweep(info) : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function sweepQuery({ strategy, model }: SweepFilter): string {
  const terms = [`WorkflowType = 'sweep'`];
  if (strategy !== undefined) terms.push(`${TauStrategy.name} = ${quoted(strategy)}`);
  if (model !== undefined) terms.push(`${TauModel.name} = ${quoted(model)}`);
  return terms.join(' AND ');
}

function toSeenSweep(info: Omit<WorkflowExecutionInfo, 'raw'>): SeenSweep {
  const { typedSearchAttributes: attributes, parentExecution: parent } = info;
  return {
    runId: info.workflowId,
    status: info.status.name.toLowerCase(),
    startedAt: info.startTime.toISOString(),
    env: attributes.get(TauEnv) ?? null,
    strategy: attributes.get(TauStrategy) ?? null,
    model: attributes.get(TauModel) ?? null,
    averageReward: attributes.get(TauReward) ?? null,
    costUsd: attributes.get(TauCostUsd) ?? null,
    schedule: parseNightlyWorkflowId(parent?.workflowId ?? ''),
  };
}

/** Workflow executions of a run's episodes by status, in lower case; one that ran again counts again. Forks do not. */
export type ExecutionCounts = Readonly<Record<string, number>>;

/** @returns null where the server does not know the search attributes */
export async function countExecutions(client: Client, runId: string): Promise<ExecutionCounts | null> {
  return unlessUnindexed(async () => {
    const { groups } = await client.workflow.count(`${episodesOf(runId)} GROUP BY ExecutionStatus`);
    return Object.fromEntries(groups.map(({ count, groupValues }) => [statusName(groupValues[0]?.[0]), count]));
  });
}

/** @returns how many of a run's episodes are open; null where the server does not know the search attributes */
export async function openEpisodes(client: Client, runId: string): Promise<number | null> {
  return unlessUnindexed(async () => (await client.workflow.count(open(runId))).count);
}

/** One of a run's episodes, as its newest execution left it. */
export interface SeenEpisode {
  /** `task-17.trial-0` */
  readonly name: string;
  readonly status: string;
  /** Null while it is open. */
  readonly outcome: string | null;
  readonly reward: number | null;
  readonly costUsd: number | null;
}

/** @returns null where the server does not know the search attributes */
export async function listEpisodes(
  client: Client,
  runId: string,
  { openOnly = false }: { readonly openOnly?: boolean } = {},
): Promise<readonly SeenEpisode[] | null> {
  return unlessUnindexed(async () => {
    const query = openOnly ? open(runId) : episodesOf(runId);
    const newest = new Map<string, WorkflowExecutionInfo>();
    for await (const info of listingClient(client).workflow.list({ query, pageSize: 1_000 })) {
      const before = newest.get(info.workflowId);
      if (before === undefined || before.startTime < info.startTime) newest.set(info.workflowId, info);
    }
    return [...newest.values()].map(({ workflowId, status, typedSearchAttributes: attributes }) => ({
      name: workflowId.slice(runId.length + 1).replace('/', '.'),
      status: status.name.toLowerCase(),
      outcome: attributes.get(TauOutcome) ?? null,
      reward: attributes.get(TauReward) ?? null,
      costUsd: attributes.get(TauCostUsd) ?? null,
    }));
  });
}

function episodesOf(runId: string): string {
  return `TauSweep = ${quoted(runId)} AND WorkflowType = 'episode' AND TauOrigin IS NULL`;
}

function open(runId: string): string {
  return `${episodesOf(runId)} AND ExecutionStatus = 'Running'`;
}

async function unlessUnindexed<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (grpcStatus(error) === grpc.INVALID_ARGUMENT) return null;
    throw error;
  }
}

/** `TimedOut` → `timed_out` */
function statusName(value: unknown): string {
  return String(value)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
