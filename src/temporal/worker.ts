/**
 * A worker process: one Worker for workflows and quick activities, and one per provider for model calls, so that a
 * provider's limits hold over all workers and a waiting model call never blocks a step.
 */

import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type NativeConnectionOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import type { TaskQueues } from '../wire/episode.ts';
import { llmQueue } from '../wire/queues.ts';
import { workflowSource } from './bundle.ts';

export interface WorkerPoolOptions {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
  readonly queues: TaskQueues;
  readonly activities: Activities;
  /** Providers whose model calls this process makes. */
  readonly providers: readonly string[];
  /** Open episodes to make room for. @default 100 */
  readonly maxConcurrency?: number;
  /** Calls a second and provider, over all workers; every worker must say the same. */
  readonly maxCallsPerSecond?: Readonly<Record<string, number>>;
  /** File with the workflows' prebuilt bundle. @default the build's, or the sources, which are then bundled */
  readonly workflowBundle?: string;
  /**
   * Heartbeats of an activity are sent at most this often; a cancel comes with a heartbeat's answer.
   * @unit milliseconds @default 5000
   */
  readonly heartbeatThrottleMs?: number;
  /** What payloads go through, and what watches the work: the same for every Worker of the process. */
  readonly extras?: Pick<WorkerOptions, 'dataConverter' | 'interceptors' | 'sinks'>;
  /** @default 'WARN' */
  readonly logLevel?: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
}

/** Model calls under way get this long to end when the process is asked to stop. */
const SHUTDOWN_GRACE = '60 seconds';
const SHUTDOWN_FORCE = '90 seconds';

export interface WorkerPool {
  /** Settles when the workers have ended; rejects when one has failed. */
  readonly ended: Promise<void>;
  /** Stops polling and waits for what is under way. */
  stop(): Promise<void>;
}

/** Must run before anything else of the SDK in this process. */
export function installRuntime(logLevel: WorkerPoolOptions['logLevel'] = 'WARN'): void {
  Runtime.install({
    logger: new DefaultLogger(logLevel),
    // The process decides what a signal means: a first Ctrl-C detaches, it does not drain.
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
}

export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const { namespace, queues, activities, providers, maxConcurrency = 100 } = options;
  const connection = await NativeConnection.connect(options.connection);
  const shared = {
    connection,
    namespace,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
    maxHeartbeatThrottleInterval: options.heartbeatThrottleMs ?? 5_000,
    ...options.extras,
  } as const;
  const { complete, ...quick } = activities;
  const { workflowBundle: codePath } = options;
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      ...(codePath === undefined ? workflowSource(options.extras?.dataConverter) : { workflowBundle: { codePath } }),
      taskQueue: queues.main,
      activities: quick,
      // Twice the open episodes: an evicted workflow is replayed from its first event.
      maxCachedWorkflows: Math.max(100, 2 * maxConcurrency),
      maxConcurrentWorkflowTaskExecutions: 100,
      workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
      activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
    }),
    ...providers.map((provider) => {
      const rate = options.maxCallsPerSecond?.[provider];
      return Worker.create({
        ...shared,
        taskQueue: llmQueue(queues, provider),
        activities: { complete },
        maxConcurrentActivityTaskExecutions: Math.max(100, Math.ceil(1.2 * maxConcurrency)),
        activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
        ...(rate === undefined ? {} : { maxTaskQueueActivitiesPerSecond: rate }),
      });
    }),
  ]);
  const ended = Promise.all(workers.map((worker) => worker.run()))
    .then(() => undefined)
    .finally(() => connection.close());
  // Whoever stops the pool sees its failure; until then it must not count as unhandled.
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}
