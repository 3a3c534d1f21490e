/**
 * The workers of a task queue: finds which workers poll it, on which build new sweeps start, and which work dead
 * workers of this machine still hold.
 */

import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { tsToMs } from '../sdk-internals/index.ts';
import { FailureType, endpointLabel, llmQueue, startWorkerCommand, type TaskQueues } from '../../evaluation/index.ts';
import type { TemporalConnection } from './connection.ts';
import { grpc, grpcStatus, isGone } from '../errors.ts';
import { findTrouble, isAlive } from '../server/index.ts';

const { TASK_QUEUE_TYPE_ACTIVITY: ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW: WORKFLOW } =
  proto.temporal.api.enums.v1.TaskQueueType;

export interface QueuePollers {
  readonly taskQueue: string;
  /**
   * Provider whose model calls use this queue; null for the main queue, which is for workflows and quick activities.
   */
  readonly provider: string | null;
  /** Label of the calls' endpoint; null for any endpoint, or for the main queue. */
  readonly endpoint: string | null;
  /** Workers that polled recently, by identity: `pid@host` by default. */
  readonly workers: readonly string[];
}

interface LivePollers extends QueuePollers {
  /** Builds of the workers that belong to a deployment. */
  readonly builds: readonly string[];
}

/** Age of a recent poll, in ms. Workers poll at least once a minute; the server remembers ended workers for five. */
const LATELY_MS = 70_000;

/** @param providers providers of the sweep's model calls */
export async function findPollers(
  client: Client,
  queues: TaskQueues,
  providers: readonly string[],
): Promise<readonly QueuePollers[]> {
  const found = await Promise.all([
    readLivePollers(client, queues.main, null),
    ...providers.map((provider) =>
      readLivePollers(client, llmQueue(queues, provider), provider, endpointLabel(queues, provider)),
    ),
  ]);
  return found.map(({ builds: _, ...queue }) => queue);
}

/** True if a worker takes the sweeps of a task queue. */
export async function isListenedTo(client: Client, taskQueue: string): Promise<boolean> {
  return (await readLivePollers(client, taskQueue, null)).workers.length > 0;
}

async function readLivePollers(
  client: Client,
  taskQueue: string,
  provider: string | null,
  endpoint: string | null = null,
): Promise<LivePollers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: provider === null ? WORKFLOW : ACTIVITY,
  });
  const since = Date.now() - LATELY_MS;
  const recent = (pollers ?? []).filter(
    ({ lastAccessTime }) => lastAccessTime !== null && lastAccessTime !== undefined && tsToMs(lastAccessTime) >= since,
  );
  const names = new Set(recent.map(({ identity }) => identity ?? ''));
  const workers = (await Promise.all([...names].map(async (name) => ((await hasDied(name)) ? [] : [name])))).flat();
  const builds = recent
    .filter(({ identity }) => workers.includes(identity ?? ''))
    .flatMap(({ deploymentOptions }) => deploymentOptions?.buildId || []);
  return { taskQueue, provider, endpoint, workers, builds: [...new Set(builds)] };
}

/** True if the SDK's default identity, `pid@host`, names an ended process of this machine. */
export async function hasDied(identity: string): Promise<boolean> {
  const [, pid, host] = /^(\d+)@(.+)$/.exec(identity) ?? [];
  return pid !== undefined && host === hostname() && !(await isAlive(Number(pid)));
}

/**
 * Finds queues of a sweep that have no workers.
 * @returns a sentence; null if every queue has its workers
 * @param queues from {@link findPollers}
 */
export function waitingReason(queues: readonly QueuePollers[]): string | null {
  const [main, ...others] = queues;
  if (main === undefined) return null;
  const start = `\`${startWorkerCommand(main.taskQueue)}\``;
  if (main.workers.length === 0) return `no worker listens on ${main.taskQueue}; one is started with ${start}`;
  const missing = others.filter(({ workers }) => workers.length === 0);
  if (missing.length === 0) return null;
  return `no worker makes calls of ${missing.map(callsText).join(' or ')}; ${formatNeeds(missing, start)}`;
}

/** Describes the calls of a queue: `openai (endpoint api.openai.com)`. */
function callsText({ provider, endpoint }: QueuePollers): string {
  return `${provider ?? ''}${endpoint === null ? '' : ` (endpoint ${endpoint})`}`;
}

function formatNeeds(missing: readonly QueuePollers[], start: string): string {
  const needs = missing.map(({ provider, endpoint }) => {
    if (endpoint === null) return 'where there is a key for it';
    return provider === 'scripted'
      ? "with the run's pack (--env, --env-url, --pack)"
      : 'where its key and the same base URL are set';
  });
  return `start ${start} ${[...new Set(needs)].join(' and ')}`;
}

/** Longest time for the server to list pollers, in ms. */
const PATIENCE_MS = 5_000;

/**
 * Explains why a workflow may not have answered a query: its workers are busy, or the server is slow, stopped, or out
 * of disk space.
 */
export async function silenceReason(
  { client, server, address }: Pick<TemporalConnection, 'client' | 'server' | 'address'>,
  taskQueue: string,
): Promise<string> {
  const trouble = server === null ? null : await findTrouble(server);
  if (trouble !== null) return trouble;
  let main: LivePollers;
  try {
    const ask = () => readLivePollers(client, taskQueue, null);
    main = await client.withDeadline(Date.now() + PATIENCE_MS, ask);
  } catch (error) {
    if (grpcStatus(error) === null) throw error;
    const pid = server === null ? '' : ` (pid ${server.pid})`;
    return `the Temporal server at ${address}${pid} has not answered for ${PATIENCE_MS / 1_000} s; the run goes on when it does`;
  }
  const { workers, builds } = main;
  const count = workers.length === 1 ? '1 worker listens' : `${workers.length} workers listen`;
  const others = builds.length === 0 ? '' : `, or the run waits for workers of another build than ${builds.join(', ')}`;
  return (
    waitingReason([main]) ?? `${count} on ${taskQueue} and did not answer in time; they or the server are busy${others}`
  );
}

type Server = Pick<Connection, 'workflowService'>;

/** Longest time until the server knows a build whose workers have just begun to poll, in ms. */
const KNOWN_MS = 30_000;
const AGAIN_MS = 200;

/** Returns the build on which new sweeps of a task queue start; null for workers without a build. */
export async function currentBuild(
  { workflowService }: Server,
  namespace: string,
  taskQueue: string,
): Promise<WorkerDeploymentVersion | null> {
  const { versioningInfo } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW,
  });
  const { deploymentName, buildId } = versioningInfo?.currentDeploymentVersion ?? {};
  return deploymentName && buildId ? { deploymentName, buildId } : null;
}

/**
 * Makes a build current, so that new sweeps start on it. Its workers must be polling.
 * @returns the server's reason for refusing; null on success
 */
export async function makeCurrent(
  { workflowService }: Server,
  namespace: string,
  { deploymentName, buildId }: WorkerDeploymentVersion,
): Promise<string | null> {
  const deadline = performance.now() + KNOWN_MS;
  for (;;) {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId });
      return null;
    } catch (error) {
      const status = grpcStatus(error);
      const isUnknownYet = status === grpc.NOT_FOUND || status === grpc.FAILED_PRECONDITION;
      if (!isUnknownYet) throw error;
      if (performance.now() > deadline) return error instanceof Error ? error.message : String(error);
      await delay(AGAIN_MS);
    }
  }
}

/** Number of workflows that are read at once. */
const AT_ONCE = 20;

const { PENDING_ACTIVITY_STATE_STARTED: STARTED } = proto.temporal.api.enums.v1.PendingActivityState;
const { PENDING_WORKFLOW_TASK_STATE_STARTED: TASK_STARTED } = proto.temporal.api.enums.v1.PendingWorkflowTaskState;

/**
 * Fails the attempts of dead workers in a sweep and its open children, so that the next attempts start. Lost attempts
 * are counted as after a timeout. Use it only for a server that other machines cannot reach.
 *
 * @param workflowId of the running sweep
 * @returns the number of failed attempts
 */
export async function reclaimFromDeadWorkers(client: Client, workflowId: string): Promise<number> {
  const dead = new DeadWorkers();
  let reclaimed = 0;
  for (let level = [workflowId]; level.length > 0;) {
    const children: string[] = [];
    while (level.length > 0) {
      const looks = level.splice(0, AT_ONCE).map((id) => reclaimOne(client, id, dead));
      for (const look of await Promise.all(looks)) {
        reclaimed += look.reclaimed;
        children.push(...look.children);
      }
    }
    level = children;
  }
  return reclaimed;
}

async function reclaimOne(
  client: Client,
  workflowId: string,
  dead: DeadWorkers,
): Promise<{ reclaimed: number; children: string[] }> {
  const { workflowService, options } = client;
  const { namespace, identity } = options;
  try {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const execution = { workflowId, runId: raw.workflowExecutionInfo?.execution?.runId ?? '' };
    let reclaimed = 0;
    for (const { activityId, lastWorkerIdentity, state } of raw.pendingActivities ?? []) {
      if (!activityId || state !== STARTED || !(await dead.includes(lastWorkerIdentity ?? ''))) continue;
      const message = `its worker (${lastWorkerIdentity ?? ''}) has died`;
      const failure = { message, applicationFailureInfo: { type: FailureType.WorkerDied, nonRetryable: false } };
      await workflowService.respondActivityTaskFailedById({ namespace, ...execution, activityId, identity, failure });
      reclaimed += 1;
    }
    if (reclaimed > 0) await workflowService.resetStickyTaskQueue({ namespace, execution });
    const children = (raw.pendingChildren ?? []).flatMap((child) => (child.workflowId ? [child.workflowId] : []));
    return { reclaimed, children };
  } catch (error) {
    // It has just ended or continued, so there is nothing to fail.
    if (isGone(error)) return { reclaimed: 0, children: [] };
    throw error;
  }
}

/**
 * Describes the work that a workflow's workers have not finished. A new worker gets the work when they have finished
 * it, or when the server considers them dead.
 * @returns null if there is no such work
 */
export async function workUnderWay(client: Client, workflowId: string): Promise<string | null> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const started = (raw.pendingActivities ?? []).filter(({ state }) => state === STARTED);
  const workers = [...new Set(started.flatMap(({ lastWorkerIdentity }) => lastWorkerIdentity ?? []))];
  const isTaskStarted = raw.pendingWorkflowTask?.state === TASK_STARTED;
  const calls = started.length === 1 ? '1 call is' : `${started.length} calls are`;
  const parts = [
    ...(started.length === 0 ? [] : [`${calls} under way on ${workers.join(', ')}`]),
    ...(isTaskStarted ? ['a worker is at the workflow itself'] : []),
  ];
  return parts.length === 0
    ? null
    : `${parts.join(', and ')}; if a worker has died, the server retries its work within a minute`;
}

/** Remembers which workers have died. */
class DeadWorkers {
  readonly #known = new Map<string, Promise<boolean>>();

  includes(identity: string): Promise<boolean> {
    const known = this.#known.get(identity) ?? hasDied(identity);
    this.#known.set(identity, known);
    return known;
  }
}
