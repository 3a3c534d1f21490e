/**
 * The task queues of a run or a worker: their names, their endpoints, their rate limits, and the checks before workers
 * of this process poll them.
 */

import { findEndpoints, endpointsOfRun, labelsByProvider, type Endpoint, type PlayedPack } from '../models/index.ts';
import {
  WORKFLOW_VERSION,
  endpointLabel,
  providerQueues,
  taskQueues,
  type ServedEndpoints,
  type TaskQueues,
} from '../evaluation/index.ts';
import { UsageError } from '../errors/index.ts';
import {
  findNewerSweep,
  readRateLimit,
  requireKeysOfOpenSweeps,
  setRateLimits,
  type LimitChange,
  type RateLimits,
  type TemporalConnection,
} from '../temporal/client/index.ts';

/** The parts of a run that decide which workers may take its work. */
interface Needs {
  readonly providers: readonly string[];
  /** The packs of the scripted model; null if it has none. */
  readonly pack: PlayedPack | null;
  /** Digest of the run's agent; undefined if it is not from a file. */
  readonly agentDigest: string | undefined;
}

export interface RunQueues {
  readonly queues: TaskQueues;
  readonly endpoints: readonly Endpoint[];
}

/**
 * Returns the queues of a run in this environment.
 * @param taskQueue the user's name for the task queue
 * @throws UsageError for an unusable address or label
 */
export function queuesOfRun(
  taskQueue: string,
  { providers, pack, agentDigest }: Needs,
  env: NodeJS.ProcessEnv,
): RunQueues {
  const endpoints = endpointsOfRun(providers, env, pack);
  return { queues: taskQueues(taskQueue, { agentDigest, endpoints: labelsByProvider(endpoints) }), endpoints };
}

/**
 * Returns the endpoints that a process with this environment calls.
 * @param packs packs that its scripted model plays
 * @throws UsageError like {@link queuesOfRun}
 */
export function servedEndpoints(
  providers: readonly string[],
  packs: readonly PlayedPack[],
  env: NodeJS.ProcessEnv,
): ServedEndpoints {
  return Object.fromEntries(
    providers.map((provider) => [provider, findEndpoints(provider, env, packs).map(({ label }) => label)]),
  );
}

/** Adds a run's endpoints to the served ones. */
export function withEndpoints(
  served: ServedEndpoints,
  queues: TaskQueues,
  providers: readonly string[],
): ServedEndpoints {
  const added = providers.flatMap((provider) => {
    const label = endpointLabel(queues, provider);
    const labels = Object.hasOwn(served, provider) ? (served[provider] ?? []) : [];
    return label === null || labels.includes(label) ? [] : [[provider, [...labels, label]] as const];
  });
  return { ...served, ...Object.fromEntries(added) };
}

interface LimitedQueues {
  /** Queues, the user's task queue first. Its limits also apply to new queues. */
  readonly queues: readonly TaskQueues[];
  readonly providers: readonly string[];
  readonly endpoints: ServedEndpoints;
}

type Server = Pick<TemporalConnection, 'connection' | 'namespace'>;

/**
 * Sets limits for all workers of the queues. A provider's queue without a limit gets the limit of the user's task
 * queue.
 * @returns limits that this process's workers must apply themselves, because the server is too old to store them
 */
export async function applyRateLimits(
  server: Server,
  limited: LimitedQueues,
  limits: RateLimits,
  log: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const { connection, namespace } = server;
  const logged = new Set<string>();
  let isTooOld = false;
  for (const provider of new Set([...limited.providers, ...Object.keys(limits)])) {
    const limit =
      limits[provider] ?? (Object.hasOwn(limits, provider) ? null : await usualLimit(server, limited, provider));
    if (limit === undefined) continue;
    // A run's own queues contain its endpoints, even if this process does not serve them.
    const ownQueues = limited.queues.flatMap((queues) =>
      providerQueues(queues, provider, withEndpoints(limited.endpoints, queues, [provider])),
    );
    for (const own of ownQueues) {
      const isAsked = Object.hasOwn(limits, provider);
      if (!isAsked && (await readRateLimit(connection, namespace, own, provider)) !== null) continue;
      const changes = await setRateLimits(connection, namespace, own, { [provider]: limit });
      isTooOld ||= changes === null;
      for (const line of (changes ?? []).map(describeChange)) {
        if (!logged.has(line) && isAsked) log(line);
        logged.add(line);
      }
    }
  }
  if (!isTooOld) return {};
  log(
    'warning: this Temporal server holds no limits for task queues; start every worker with the same ' +
      '--max-llm-calls-per-second, one without it lifts the limit',
  );
  return Object.fromEntries(Object.entries(limits).flatMap(([name, rate]) => (rate === null ? [] : [[name, rate]])));
}

/** Returns the limit of a provider on the user's task queue for every endpoint; undefined if there is none. */
async function usualLimit(
  { connection, namespace }: Server,
  { queues: [first] }: LimitedQueues,
  provider: string,
): Promise<number | undefined> {
  if (first === undefined) return undefined;
  const { main, llm } = first;
  return (await readRateLimit(connection, namespace, { main, llm }, provider)) ?? undefined;
}

function describeChange({ provider, before, after }: LimitChange): string {
  const was = before === null ? '' : `, was ${before}`;
  if (after === null) return `limit    ${provider}: none any more${was}`;
  return `limit    ${provider}: ${after} calls a second over all workers${was}`;
}

/**
 * Throws if this process would fail the work of open sweeps, because it lacks their encryption key, or has older code.
 *
 * @throws ServerError `encryption-key`; UsageError with the run and both versions
 */
export async function checkTaskQueue(temporal: TemporalConnection, taskQueue: string): Promise<void> {
  const { connection, client, namespace, keys } = temporal;
  await requireKeysOfOpenSweeps(connection, namespace, taskQueue, keys);
  const newer = await findNewerSweep(client, taskQueue);
  if (newer === null) return;
  throw new UsageError(
    `the run ${newer.runId}, under way on the task queue ${taskQueue}, was started by newer code (workflow version ` +
      `${newer.version}, this program has ${WORKFLOW_VERSION}); start a worker of that version, or choose another --task-queue.`,
  );
}
