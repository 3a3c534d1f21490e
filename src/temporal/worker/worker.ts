/**
 * A worker process: one Worker for workflows and quick activities, and one per provider for model calls, so that a
 * provider's limits hold over all workers and a waiting model call never blocks a step. If the thread that runs
 * workflow code dies, it is restarted.
 */

import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type NativeConnectionOptions,
  type ActivityInterceptorsFactory,
  type WorkerDeploymentOptions,
  type WorkerInterceptors,
  type WorkerOptions,
  UnexpectedError,
} from '@temporalio/worker';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { AdaptiveLimits } from '../../models/index.ts';
import {
  AGENT_SERVICE,
  llmQueue,
  providerQueues,
  type ServedEndpoints,
  type TaskQueues,
} from '../../evaluation/index.ts';
import type { OwnAgent, OwnCondition } from '../../agents/from-file/index.ts';
import { workflowBundle } from './bundle.ts';
import { withRepairedThread } from '../sdk-internals/index.ts';
import { engineFlags } from './engine-flags.ts';
import type { IdentityWatch } from '../server/index.ts';
import {
  logActivities,
  createLogSink,
  measureActivities,
  metricsOptions,
  type LogLevel,
  type LogSettings,
  type MetricsSettings,
  type Tracing,
} from '../telemetry/index.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** Activities by name. Each activity that calls a model has its own queue. */
type WorkerActivities = Readonly<
  Record<'complete' | 'forward' | 'judge' | 'agentTurn', (input: never) => Promise<unknown>>
>;

export interface WorkerPoolOptions {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
  /** Task queues to poll: the user's, and those of agents from files. */
  readonly queues: readonly TaskQueues[];
  readonly activities: WorkerActivities;
  /** Providers whose model calls this process makes. */
  readonly providers: readonly string[];
  /** True if the process sends requests to agent services. @default false */
  readonly asksAgents?: boolean;
  /** Endpoints whose calls the process makes, beside calls for any endpoint. @default none */
  readonly endpoints?: ServedEndpoints;
  /** Number of open episodes for which the cache of workflows is sized. @default 100 */
  readonly maxConcurrency?: number;
  /** Calls per second and provider, for a server that stores no limits; all workers must have the same value. */
  readonly maxCallsPerSecond?: Readonly<Record<string, number>>;
  /** Time for model calls in progress to end when the pool is stopped, in milliseconds. @default 60,000 */
  readonly graceMs?: number;
  /** Build of this code; sweeps stay on the build on which they start. @default none: the worker takes any sweep */
  readonly build?: WorkerDeploymentVersion;
  /** Agents from files, which are bundled with the workflows. @default none */
  readonly agents?: readonly OwnAgent[];
  /** Conditions from files, which are bundled too. @default none */
  readonly conditions?: readonly OwnCondition[];
  /** File with the prebuilt bundle, unless there are agents from files. @default the build's, or the sources */
  readonly workflowBundle?: string;
  /**
   * Shortest interval between heartbeats of an activity, in milliseconds. It is short, because heartbeats report
   * whether a request was sent. @default 1,000
   */
  readonly heartbeatThrottleMs?: number;
  /** Data converter and interceptors of every Worker of the process. */
  readonly extras?: Pick<WorkerOptions, 'dataConverter' | 'interceptors' | 'sinks'>;
  /** Checks that the server is still the same. @default not checked */
  readonly identity?: IdentityWatch;
  /** Limits on the activities' model calls, for metrics; the pool closes them. @default none */
  readonly limits?: AdaptiveLimits;
  /** The process's traces. @default none */
  readonly tracing?: Pick<Tracing, 'activity' | 'sinks'>;
}

const DEFAULT_GRACE_MS = 60_000;
/** Time in ms for an aborted call to report its failure or its reply before the process ends without it. */
const ABORT_MS = 30_000;
/** Number of simultaneous requests to agents that a process always allows. */
const MOST_ASKED_AGENTS = 1_000;

export interface WorkerPool {
  /** Settles when the workers have ended; rejects when one has failed. */
  readonly ended: Promise<void>;
  /** Number of model calls in progress. */
  calls(): number;
  /**
   * Stops polling and waits for work in progress. After a grace period the work is aborted, and repeated by another
   * worker.
   */
  stop(): Promise<void>;
}

/**
 * Sets up the SDK's runtime. Call it before anything else of the SDK in this process.
 * @param log settings of the process's log, or the level of a log in the SDK's form
 * @throws Error if the address for metrics is in use
 */
export function installRuntime(log: LogSettings | LogLevel = 'WARN', metrics: MetricsSettings | null = null): void {
  Runtime.install({
    logger: typeof log === 'string' ? new DefaultLogger(log) : new DefaultLogger(log.level, createLogSink(log)),
    // The process handles signals itself: a first Ctrl-C detaches, and does not drain.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: 'ERROR', forward: {} },
      ...(metrics === null ? {} : { metrics: metricsOptions(metrics) }),
    },
  });
}

export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const {
    namespace,
    queues,
    activities,
    providers,
    endpoints = {},
    tracing,
    extras,
    build,
    maxConcurrency = 100,
    graceMs = DEFAULT_GRACE_MS,
  } = options;
  const { workflowBundle: codePath, agents = [], conditions = [] } = options;
  engineFlags(maxConcurrency).forEach(setFlagsFromString);
  const { logger } = Runtime.instance();
  const connection = await NativeConnection.connect(options.connection);
  const bundle = await workflowBundle({
    dataConverter: extras?.dataConverter,
    isTraced: tracing !== undefined,
    agents,
    conditions,
    codePath,
  });
  const shared = {
    connection,
    namespace,
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + ABORT_MS,
    ...(build === undefined ? {} : { workerDeploymentOptions: pinnedTo(build) }),
    maxHeartbeatThrottleInterval: options.heartbeatThrottleMs ?? 1_000,
    ...extras,
    sinks: { ...extras?.sinks, ...tracing?.sinks },
    interceptors: createInterceptors(options),
  } as const;
  const { complete, forward, judge, agentTurn, ...quick } = activities;
  const createMain = (taskQueue: string, isCautious = false) => {
    const create = () =>
      Worker.create({
        ...shared,
        workflowBundle: bundle,
        taskQueue,
        activities: quick,
        // Twice the open episodes, because an evicted workflow is replayed from its first event.
        maxCachedWorkflows: Math.max(100, 2 * maxConcurrency),
        maxConcurrentWorkflowTaskExecutions: 100,
        ...(isCautious ? CAUTIOUS : {}),
        workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
        activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
      });
    return withRepairedThread(create, (message) => void logger.warn(message));
  };
  const mainQueues = [...new Set(queues.map(({ main }) => main))];
  const callQueues = new Map<string, string>();
  for (const provider of providers) {
    for (const own of queues.flatMap((each) => providerQueues(each, provider, endpoints))) {
      callQueues.set(llmQueue(own, provider), provider);
    }
  }
  if (options.asksAgents === true) {
    for (const own of queues) callQueues.set(llmQueue(own, AGENT_SERVICE), AGENT_SERVICE);
  }
  const [mains, callers] = await Promise.all([
    Promise.all(mainQueues.map(async (taskQueue) => ({ taskQueue, main: await createMain(taskQueue) }))),
    Promise.all(
      [...callQueues].map(([taskQueue, provider]) => {
        const rate = options.maxCallsPerSecond?.[provider];
        return Worker.create({
          ...shared,
          taskQueue,
          activities: provider === AGENT_SERVICE ? { agentTurn } : { complete, forward, judge },
          // A request to an agent mostly waits, and must not delay requests to another run's agent.
          maxConcurrentActivityTaskExecutions: Math.max(
            provider === AGENT_SERVICE ? MOST_ASKED_AGENTS : 100,
            Math.ceil(1.2 * maxConcurrency),
          ),
          activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
          ...(rate === undefined ? {} : { maxTaskQueueActivitiesPerSecond: rate }),
        });
      }),
    ),
  ]);
  const workflows = mains.map(({ taskQueue, main }) =>
    runRestarting(main, (isCautious) => createMain(taskQueue, isCautious)),
  );
  const finished = Promise.all([...workflows.map((each) => each.ended), ...callers.map((caller) => caller.run())])
    .then(() => undefined)
    .finally(() => connection.close());
  const { identity } = options;
  const ended = identity === undefined ? finished : Promise.race([finished, identity.lost]);
  // The caller that stops the pool sees its failure; until then it must not count as unhandled.
  ended.catch(() => undefined);
  return {
    ended,
    calls: () => callers.reduce((sum, caller) => sum + caller.getStatus().numInFlightActivities, 0),
    async stop() {
      options.limits?.close();
      for (const each of workflows) each.stop();
      for (const caller of callers) if (caller.getState() === 'RUNNING') caller.shutdown();
      identity?.stop();
      await finished;
    },
  };
}

/** Refuses work if another server is at the address. */
function confirmIdentity(identity: IdentityWatch): ActivityInterceptorsFactory {
  return () => ({
    inbound: {
      execute: async (input, next) => {
        await identity.confirm();
        return next(input);
      },
    },
  });
}

/**
 * Pins a sweep's episodes, lanes and continued runs to the code that the sweep started on, because a sweep is one
 * experiment.
 */
function pinnedTo(version: WorkerDeploymentVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

/**
 * Creates the interceptors. Those for logs and metrics are innermost, so that they get the activity's own input and
 * output.
 */
function createInterceptors({ tracing, extras, identity, limits }: WorkerPoolOptions): WorkerInterceptors {
  const given = extras?.interceptors;
  const { metricMeter, options } = Runtime.instance();
  const isWithoutDots = options.runtimeOptions.metricsExporter?.type === 'prometheus';
  const measure = measureActivities(metricMeter, { isWithoutDots, limits });
  const watchers = [logActivities, measure];
  return {
    ...given,
    activity: [
      ...(identity === undefined ? [] : [confirmIdentity(identity)]),
      ...(tracing?.activity ?? []),
      ...(given?.activity ?? []),
      ...watchers,
    ],
  };
}

/** Shortest time between two restarts of a thread, in ms. */
const RESTART_MS = 1_000;

interface RestartedWorker {
  /** Settles when the Worker ends; rejects if it failed for another reason than its thread. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Time for which a Worker whose thread died takes one workflow task at a time, in ms. */
const CAUTIOUS_MS = 300_000;

/**
 * Options of a Worker that takes one workflow task at a time and replays the workflow for each. If its thread dies,
 * only the task of the workflow that caused this fails.
 */
const CAUTIOUS = { maxCachedWorkflows: 0, maxConcurrentWorkflowTaskExecutions: 1 } as const;

/**
 * Runs a Worker with workflows. If workflow code uses up the heap, the thread and its Worker die. A cautious Worker
 * replaces it, and replays the open workflows. When no thread has died for a while, an ordinary Worker replaces the
 * cautious one.
 * @param create makes a Worker, with {@link CAUTIOUS} if requested
 */
export function runRestarting(first: Worker, create: (isCautious: boolean) => Promise<Worker>): RestartedWorker {
  let worker = first;
  let isCautious = false;
  let isStopping = false;
  const run = async (): Promise<void> => {
    for (;;) {
      const relax = () => worker.getState() === 'RUNNING' && worker.shutdown();
      const calm = isCautious ? setTimeout(relax, CAUTIOUS_MS) : undefined;
      try {
        const ended = worker.run();
        if (isStopping) worker.shutdown();
        await ended;
        if (isStopping || !isCautious) return;
        isCautious = false;
      } catch (error) {
        if (isStopping || !isThreadLost(error)) throw error;
        Runtime.instance().logger.error(
          'the thread of the workflow code has died and is started again; the episode whose code did it is ended when ' +
            'its workflow task has failed several times',
          { error },
        );
        isCautious = true;
        await delay(RESTART_MS);
      } finally {
        clearTimeout(calm);
      }
      if (isStopping) return;
      worker = await create(isCautious);
    }
  };
  return {
    ended: run(),
    stop() {
      isStopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

/** True for the error of a dead thread. Only its message identifies it. */
function isThreadLost(error: unknown): boolean {
  return error instanceof UnexpectedError && error.message.startsWith('Workflow Worker Thread exited');
}
