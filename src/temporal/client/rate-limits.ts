/**
 * Limits on model calls, held by the server for a whole task queue: one command sets them, every worker is bound by
 * them, whenever it was started, and they stay until they are changed.
 *
 * The server hands out at most a second's worth of calls at once after a pause, and then as many a second as allowed:
 * in any `t` seconds, at most `rate × (t + 1) + 1`.
 */

import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { llmQueue, type TaskQueues } from '../../wire/index.ts';
import { grpc, grpcStatus } from '../codec/index.ts';

const { TASK_QUEUE_TYPE_ACTIVITY: ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** Calls a second by provider; null: no limit. */
export type RateLimits = Readonly<Record<string, number | null>>;

type Server = Pick<Connection, 'workflowService'>;

/** What setting a provider's limit has come to. */
export interface LimitChange {
  readonly provider: string;
  /** Calls a second; null: no limit. */
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Sets limits on the server; those of providers that are not named stay.
 *
 * @returns what has changed; null where the server is too old to hold limits, so that workers have to bring them along
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
        // A limit that is left out of the update is taken off.
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

/** The limit that the server holds for a provider's calls, a second; null: none. */
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
  // A 32-bit float on the wire: 0.1 comes back as 0.10000000149.
  return rate === null ? null : Number(rate.toPrecision(6));
}
