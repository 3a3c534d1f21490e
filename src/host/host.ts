/**
 * A process host: telemetry, the connection to Temporal, and the workers of this process. For one command, they are
 * started in this order, and always stopped in reverse order.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { loadedAgents, loadedConditions } from '../agents/from-file/index.ts';
import { UnreachableError } from '../errors/index.ts';
import { connect, watchLocalServer, type RateLimits, type TemporalConnection } from '../temporal/client/index.ts';
import type { LogLevel } from '../temporal/telemetry/index.ts';
import type { WorkerPool, WorkerPoolOptions } from '../temporal/worker/index.ts';
import { taskQueues, type ServedEndpoints } from '../evaluation/index.ts';
import type { startActivities, HostedActivities, ScriptedOptions, WorkerPowers } from './activities.ts';
import { requireProviders } from './providers.ts';
import { putUp, type Defer } from './put-up.ts';
import { applyRateLimits, checkTaskQueue } from './queues.ts';
import type { Surroundings } from './surroundings.ts';
import { startTelemetry } from './telemetry.ts';

/** Longest time for workers to stop after their work or its server was lost, in ms. */
const LOST_MS = 3_000;

interface HostOptions {
  /** The workers to start; null: none in this process. */
  readonly workers: {
    /** Default level of the workers' log. */
    readonly logLevel: LogLevel;
    readonly providers: readonly string[];
    /** Most episodes that the workers may have open. */
    readonly maxConcurrency: number;
  } | null;
}

/** The needs of the workers of a process. */
export interface WorkerNeeds
  extends
    WorkerPowers,
    Pick<WorkerPoolOptions, 'queues' | 'providers' | 'asksAgents' | 'graceMs' | 'agents' | 'build'> {
  /** The user's task queue. Its rate limits also apply to new queues. */
  readonly taskQueue: string;
  readonly endpoints: ServedEndpoints;
  readonly rateLimits: RateLimits;
  /** The scripted model that this process serves; null: none. */
  readonly scripted: ScriptedOptions | null;
  readonly maxConcurrency: number;
}

/** The workers of this process. They stop with their host, if not earlier. */
export interface WorkerHost {
  /** Rejects with an UnreachableError if the workers end without being stopped. */
  readonly lost: Promise<never>;
  /** Returns the number of model calls in progress. */
  calls(): number;
  /** Stops polling and waits for calls in progress. */
  stop(): Promise<void>;
}

export interface ProcessHost {
  readonly surroundings: Surroundings;
  readonly temporal: TemporalConnection;
  /** Starts the workers; call it at most once, after all checks. */
  readonly startWorkers: (needs: WorkerNeeds) => Promise<WorkerHost>;
}

/** The parts of a host, which tests replace. */
export interface HostParts {
  readonly startTelemetry: typeof startTelemetry;
  readonly connect: typeof connect;
  readonly checkTaskQueue: typeof checkTaskQueue;
  readonly applyRateLimits: typeof applyRateLimits;
  readonly watchLocalServer: typeof watchLocalServer;
  readonly startActivities: (...args: Parameters<StartActivities>) => Promise<HostedActivities>;
  readonly startWorkers: (options: WorkerPoolOptions) => Promise<WorkerPool>;
}

type StartActivities = typeof startActivities;

const PARTS: HostParts = {
  startTelemetry,
  connect,
  checkTaskQueue,
  applyRateLimits,
  watchLocalServer,
  // Loaded only if this process has workers.
  startActivities: async (...args) => (await import('./activities.ts')).startActivities(...args),
  startWorkers: async (options) => (await import('../temporal/worker/index.ts')).startWorkers(options),
};

/**
 * Runs `body` with a connection to Temporal; the body starts workers.
 *
 * If the body fails, the calls in progress are useless, so the workers get only {@link LOST_MS} to stop.
 *
 * @throws ProviderError before the start if a provider cannot be used
 */
export async function withHost<T>(
  surroundings: Surroundings,
  { workers }: HostOptions,
  body: (host: ProcessHost) => Promise<T>,
  parts: HostParts = PARTS,
): Promise<T> {
  if (workers !== null) requireProviders(surroundings, workers.providers);
  const { cwd: workDir, home, env, log } = surroundings;
  return putUp(async (defer) => {
    const telemetry = await parts.startTelemetry(surroundings, workers?.logLevel ?? null);
    defer(() => telemetry.stop());
    // Loads the SDK's worker while a server starts, which takes as long. The second call reports a failure.
    const onSpawn = () => void telemetry.loadWorkers().catch(() => undefined);
    const temporal = await parts.connect({
      workDir,
      home,
      env,
      onProgress: log,
      onSpawn,
      client: telemetry.client,
      ...(workers === null ? {} : { maxConcurrency: workers.maxConcurrency }),
    });
    defer(() => temporal.close());
    await telemetry.loadWorkers();
    const startWorkers = (needs: WorkerNeeds) =>
      startWorkerHost(needs, { surroundings, temporal, tracing: telemetry.tracing }, defer, parts);
    return body({ surroundings, temporal, startWorkers });
  });
}

interface PutUp extends Pick<ProcessHost, 'surroundings' | 'temporal'> {
  readonly tracing: Awaited<ReturnType<typeof startTelemetry>>['tracing'];
}

async function startWorkerHost(
  needs: WorkerNeeds,
  { surroundings, temporal, tracing }: PutUp,
  defer: Defer,
  parts: HostParts,
): Promise<WorkerHost> {
  const { taskQueue, queues, providers, endpoints, rateLimits, scripted, maxConcurrency, graceMs, build } = needs;
  const { agents = loadedAgents(), commands = false, logDirs, gatewayUrl, asksAgents = false } = needs;
  for (const { main } of queues) await parts.checkTaskQueue(temporal, main);
  const limited = { queues: [taskQueues(taskQueue), ...queues], providers, endpoints };
  const maxCallsPerSecond = await parts.applyRateLimits(temporal, limited, rateLimits, surroundings.log);
  const identity = await parts.watchLocalServer(temporal);
  defer(() => identity?.stop());
  const hosted = await parts.startActivities(
    surroundings,
    scripted,
    { commands, logDirs, gatewayUrl },
    tracing?.traceCalls,
  );
  defer(() => hosted.close());
  const pool = await parts.startWorkers({
    connection: temporal.native,
    namespace: temporal.namespace,
    queues,
    activities: hosted.activities,
    limits: hosted.limits,
    providers,
    asksAgents,
    endpoints,
    maxConcurrency,
    maxCallsPerSecond,
    agents,
    conditions: loadedConditions(),
    extras: { dataConverter: temporal.dataConverter },
    ...(graceMs === undefined ? {} : { graceMs }),
    ...(identity === undefined ? {} : { identity }),
    ...(build === undefined ? {} : { build }),
    ...(tracing === null ? {} : { tracing }),
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= pool.stop());
  // After a failure, further errors of the workers have the same cause and are not reported.
  defer((end) => (end === 'done' ? stop() : Promise.race([stop().catch(() => undefined), delay(LOST_MS)])));
  const lost = pool.ended.then(throwWorkersLost, throwWorkersLost);
  // Only a waiting caller sees the rejection; at the end of the workers there is none.
  lost.catch(() => undefined);
  return { lost, calls: () => pool.calls(), stop };
}

function throwWorkersLost(error: unknown): never {
  const message = error instanceof Error ? error.message : 'it ended without a reason';
  throw new UnreachableError(`the worker of this process has ended (${message}); run the same command again to resume`);
}
