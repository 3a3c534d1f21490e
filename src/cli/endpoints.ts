/** The task queues of what a command starts, and the endpoints that a worker process serves. */

import { ProviderError } from '../models/providers.ts';
import { endpointsOf, endpointsOfRun, labelsByProvider, type Endpoint, type PlayedPack } from '../models/index.ts';
import { endpointLabel, taskQueues, type ServedEndpoints, type TaskQueues } from '../wire/index.ts';
import type { CliContext } from './context.ts';
import { UsageError } from '../errors/index.ts';

type Environment = CliContext['env'];

/** What of a run decides which workers may take its work. */
export interface Needs {
  readonly providers: readonly string[];
  /** What the scripted model plays; null where it plays nothing. */
  readonly pack: PlayedPack | null;
  /** Of the run's agent where it is from a file. */
  readonly agentDigest: string | undefined;
}

export interface RunQueues {
  readonly queues: TaskQueues;
  readonly endpoints: readonly Endpoint[];
}

/**
 * The queues of a run that is started in this environment.
 * @param taskQueue the name that the user gives
 * @throws UsageError for an address or a label that cannot be used
 */
export function queuesOfRun(taskQueue: string, { providers, pack, agentDigest }: Needs, env: Environment): RunQueues {
  const endpoints = orUsageError(() => endpointsOfRun(providers, env, pack));
  return { queues: taskQueues(taskQueue, { agentDigest, endpoints: labelsByProvider(endpoints) }), endpoints };
}

/**
 * The endpoints that a process with this environment calls.
 * @param packs those that its scripted model plays
 * @throws UsageError as {@link queuesOfRun}
 */
export function servedEndpoints(
  providers: readonly string[],
  packs: readonly PlayedPack[],
  env: Environment,
): ServedEndpoints {
  return orUsageError(() =>
    Object.fromEntries(
      providers.map((provider) => [provider, endpointsOf(provider, env, packs).map(({ label }) => label)]),
    ),
  );
}

/** Adds the endpoints of a run to those that are served. */
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

function orUsageError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ProviderError ? new UsageError(`${error.message}.`) : error;
  }
}
