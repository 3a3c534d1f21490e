/** Who listens on a sweep's task queues: without anybody there it waits, however long. */

import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { endpointLabel, llmQueue, parseMainQueue, type TaskQueues } from '../../wire/index.ts';
import type { TemporalConnection } from './connection.ts';
import { grpcStatus } from '../codec/index.ts';
import { findTrouble, isAlive } from '../server/index.ts';

const { TASK_QUEUE_TYPE_ACTIVITY: ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW: WORKFLOW } =
  proto.temporal.api.enums.v1.TaskQueueType;

export interface QueuePollers {
  readonly taskQueue: string;
  /** Whose model calls come by this queue; null: it is the main one, of workflows and quick activities. */
  readonly provider: string | null;
  /** Label of the endpoint that these calls are for; null: any, or it is the main queue. */
  readonly endpoint: string | null;
  /** Workers that have asked for work lately, `pid@host` unless they have another name. */
  readonly workers: readonly string[];
}

/** A worker asks anew once a minute at the latest; the server remembers those that have gone for five. */
const LATELY_MS = 70_000;

/** @param providers whose model calls the sweep makes */
export async function findPollers(
  client: Client,
  queues: TaskQueues,
  providers: readonly string[],
): Promise<readonly QueuePollers[]> {
  return Promise.all([
    pollersOf(client, queues.main, null),
    ...providers.map((provider) =>
      pollersOf(client, llmQueue(queues, provider), provider, endpointLabel(queues, provider)),
    ),
  ]);
}

/** Whether any worker takes the sweeps of a task queue. */
export async function isListenedTo(client: Client, taskQueue: string): Promise<boolean> {
  return (await pollersOf(client, taskQueue, null)).workers.length > 0;
}

async function pollersOf(
  client: Client,
  taskQueue: string,
  provider: string | null,
  endpoint: string | null = null,
): Promise<QueuePollers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: provider === null ? WORKFLOW : ACTIVITY,
  });
  const since = Date.now() - LATELY_MS;
  const names = (pollers ?? [])
    .filter(
      ({ lastAccessTime }) =>
        lastAccessTime !== null && lastAccessTime !== undefined && tsToMs(lastAccessTime) >= since,
    )
    .map(({ identity }) => identity ?? '');
  const workers = await Promise.all([...new Set(names)].map(async (name) => ((await hasDied(name)) ? [] : [name])));
  return { taskQueue, provider, endpoint, workers: workers.flat() };
}

/** Whether the SDK's default identity, `pid@host`, names a process of this machine that is no more. */
export async function hasDied(identity: string): Promise<boolean> {
  const [, pid, host] = /^(\d+)@(.+)$/.exec(identity) ?? [];
  return pid !== undefined && host === hostname() && !(await isAlive(Number(pid)));
}

/**
 * What a sweep waits for where nobody listens; null when every queue has its workers.
 * @param queues of {@link findPollers}
 */
export function waitingReason(queues: readonly QueuePollers[]): string | null {
  const [main, ...others] = queues;
  if (main === undefined) return null;
  const start = `\`${startWorkerCommand(main.taskQueue)}\``;
  if (main.workers.length === 0) return `no worker listens on ${main.taskQueue}; one is started with ${start}`;
  const missing = others.filter(({ workers }) => workers.length === 0);
  if (missing.length === 0) return null;
  return `no worker makes calls of ${missing.map(callsText).join(' or ')}; ${needsOf(missing, start)}`;
}

/** `openai (endpoint api.openai.com)` */
function callsText({ provider, endpoint }: QueuePollers): string {
  return `${provider ?? ''}${endpoint === null ? '' : ` (endpoint ${endpoint})`}`;
}

function needsOf(missing: readonly QueuePollers[], start: string): string {
  const needs = missing.map(({ provider, endpoint }) => {
    if (endpoint === null) return 'where there is a key for it';
    return provider === 'scripted'
      ? "with the run's pack (--env, --pack)"
      : 'where its key and the same base URL are set';
  });
  return `start ${start} ${[...new Set(needs)].join(' and ')}`;
}

/** How long the server may take to say who listens, in ms. */
const PATIENCE_MS = 5_000;

/**
 * Says what is known when a workflow has not answered a query for a while. That it has not answered says little: its
 * workers may be busy, the server may be slow, stopped, or out of disk space.
 */
export async function silenceReason(
  { client, server, address }: Pick<TemporalConnection, 'client' | 'server' | 'address'>,
  taskQueue: string,
): Promise<string> {
  const trouble = server === null ? null : await findTrouble(server);
  if (trouble !== null) return trouble;
  let workers: readonly string[];
  try {
    const ask = () => pollersOf(client, taskQueue, null);
    workers = (await client.withDeadline(Date.now() + PATIENCE_MS, ask)).workers;
  } catch (error) {
    if (grpcStatus(error) === null) throw error;
    const pid = server === null ? '' : ` (pid ${server.pid})`;
    return `the Temporal server at ${address}${pid} has not answered for ${PATIENCE_MS / 1_000} s; the run goes on when it does`;
  }
  const main = { taskQueue, provider: null, endpoint: null, workers };
  const count = workers.length === 1 ? '1 worker listens' : `${workers.length} workers listen`;
  return waitingReason([main]) ?? `${count} on ${taskQueue} and did not answer in time; they or the server are busy`;
}

/** The worker that the runs of a task queue need. */
export function startWorkerCommand(taskQueue: string): string {
  const { base, agent } = parseMainQueue(taskQueue);
  const queue = base === 'tauflow' ? '' : ` --task-queue ${base}`;
  return `npx tauflow worker${queue}${agent === null ? '' : ' --agent-strategy FILE'}`;
}
