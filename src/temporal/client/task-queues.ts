/**
 * Task queues: rate limits on their model calls, and whether workers of this process can serve their open sweeps.
 *
 * The server stores a limit for the whole task queue: one command sets it, and it applies to every worker until it is
 * changed. After a pause the server hands out at most one second's worth of calls at once, and then as many per second
 * as allowed: in any `t` seconds, at most `rate × (t + 1) + 1`.
 */

import type { Client, Connection, WorkflowExecutionInfo } from '@temporalio/client';
import proto from '@temporalio/proto';
import { WORKFLOW_VERSION, llmQueue, type TaskQueues } from '../../evaluation/index.ts';
import { grpc, grpcStatus, onStatus } from '../errors.ts';
import { readKeyId, missingKey, type KeyRing } from '../codec/index.ts';
import { readSweepInput } from './sweeps.ts';

const { TASK_QUEUE_TYPE_ACTIVITY: ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** Model calls per second by provider; null: no limit. */
export type RateLimits = Readonly<Record<string, number | null>>;

type Server = Pick<Connection, 'workflowService'>;

export interface LimitChange {
  readonly provider: string;
  /** Calls per second; null: no limit. */
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Sets limits on the server, and keeps those of other providers.
 * @returns the changes; null if the server is too old to store limits, so that workers have to apply them
 */
export async function setRateLimits(
  { workflowService }: Server,
  namespace: string,
  queues: TaskQueues,
  limits: RateLimits,
): Promise<readonly LimitChange[] | null> {
  const changes: LimitChange[] = [];
  for (const [provider, after] of Object.entries(limits)) {
    const before = await readRateLimit({ workflowService }, namespace, queues, provider);
    try {
      await workflowService.updateTaskQueueConfig({
        namespace,
        taskQueue: llmQueue(queues, provider),
        taskQueueType: ACTIVITY,
        // A limit that the update leaves out is removed.
        updateQueueRateLimit: {
          ...(after === null ? {} : { rateLimit: { requestsPerSecond: after } }),
          reason: '--max-llm-calls-per-second',
        },
      });
    } catch (error) {
      if (grpcStatus(error) === grpc.UNIMPLEMENTED) return null;
      throw error;
    }
    if (before !== after) changes.push({ provider, before, after });
  }
  return changes;
}

/** Returns the server's limit on a provider's calls per second; null if there is none. */
export async function readRateLimit(
  { workflowService }: Server,
  namespace: string,
  queues: TaskQueues,
  provider: string,
): Promise<number | null> {
  const { config } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: llmQueue(queues, provider) },
    taskQueueType: ACTIVITY,
    reportConfig: true,
  });
  const rate = config?.queueRateLimit?.rateLimit?.requestsPerSecond ?? null;
  // The value is a 32-bit float on the wire: 0.1 comes back as 0.10000000149.
  return rate === null ? null : Number(rate.toPrecision(6));
}

/** Most sweeps to read; a task queue hardly ever has more open ones. */
const PAGE = 100;

type ListRequest = Parameters<Connection['workflowService']['listWorkflowExecutions']>[0];

/**
 * Throws if this process lacks the key of an open sweep, because a worker without it would fail the sweep's workflow
 * tasks again and again.
 *
 * @throws ServerError `encryption-key` with the id of the missing key
 */
export async function requireKeysOfOpenSweeps(
  connection: Connection,
  namespace: string,
  taskQueue: string,
  keys: KeyRing,
): Promise<void> {
  const { executions } = await list(connection, {
    namespace,
    query: `WorkflowType = 'sweep' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue.replaceAll("'", "''")}'`,
    pageSize: PAGE,
  });
  const known = new Set(keys.map(({ id }) => id));
  for (const { memo } of executions) {
    for (const payload of Object.values(memo?.fields ?? {})) {
      const id = readKeyId(payload);
      if (id !== null && !known.has(id)) throw missingKey(id, keys);
    }
  }
}

/** Lists sweeps. A key may allow running workflows, but not listing them; then the first task shows the problem. */
function list(connection: Connection, request: ListRequest) {
  const listing = connection.workflowService.listWorkflowExecutions(request);
  return listing.catch(onStatus(grpc.PERMISSION_DENIED, { executions: [] }));
}

/** Most sweeps to read; a task queue hardly ever has more open ones. */
const MOST_SEEN = 100;

interface NewerSweep {
  readonly runId: string;
  /** Version of the workflow code, see `WORKFLOW_VERSION`. */
  readonly version: number;
}

/**
 * Returns an open sweep of a task queue that newer code started; null if there is none. A worker of this code would
 * fail its workflow tasks repeatedly.
 */
export async function findNewerSweep(client: Client, taskQueue: string): Promise<NewerSweep | null> {
  const query = `WorkflowType IN ('sweep', 'scheduled-run') AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue.replaceAll("'", "''")}'`;
  let seen = 0;
  try {
    for await (const info of client.workflow.list({ query, pageSize: MOST_SEEN })) {
      if (++seen > MOST_SEEN) break;
      const version = await readWorkflowVersion(client, info);
      if (version > WORKFLOW_VERSION) return { runId: info.workflowId, version };
    }
  } catch (error) {
    // Some deployments allow a key to run workflows but not to list them; then the first task shows the problem.
    if (grpcStatus(error) !== grpc.PERMISSION_DENIED) throw error;
  }
  return null;
}

async function readWorkflowVersion(client: Client, { workflowId, memo }: WorkflowExecutionInfo): Promise<number> {
  const noted = memo?.['workflowVersion'];
  if (typeof noted === 'number') return noted;
  // An input without a version is older than any with one.
  const { version = 0 } = await readSweepInput(client, workflowId);
  return version;
}
