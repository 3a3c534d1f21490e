/** Limits per provider that the server holds for all workers of a task queue, as commands set them. */

import {
  readRateLimit,
  setRateLimits,
  type LimitChange,
  type RateLimits,
  type TemporalConnection,
} from '../temporal/client/index.ts';
import { providerQueues, type ServedEndpoints, type TaskQueues } from '../wire/index.ts';

/** Queues that limits are set on. */
export interface LimitedQueues {
  /** The user's task queue first: what it has holds for queues that are new. */
  readonly queues: readonly TaskQueues[];
  readonly providers: readonly string[];
  readonly endpoints: ServedEndpoints;
}

type Server = Pick<TemporalConnection, 'connection' | 'namespace'>;

/**
 * Sets limits for all workers of the queues. A provider's queue that has no limit yet gets that of the user's task queue.
 * @returns limits that this process's workers have to bring along, because the server is too old to hold them
 */
export async function applyRateLimits(
  server: Server,
  limited: LimitedQueues,
  limits: RateLimits,
  log: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const { connection, namespace } = server;
  const told = new Set<string>();
  let isTooOld = false;
  for (const provider of new Set([...limited.providers, ...Object.keys(limits)])) {
    const limit =
      limits[provider] ?? (Object.hasOwn(limits, provider) ? null : await usualLimit(server, limited, provider));
    if (limit === undefined) continue;
    for (const own of limited.queues.flatMap((queues) => providerQueues(queues, provider, limited.endpoints))) {
      const isAsked = Object.hasOwn(limits, provider);
      if (!isAsked && (await readRateLimit(connection, namespace, own, provider)) !== null) continue;
      const changes = await setRateLimits(connection, namespace, own, { [provider]: limit });
      isTooOld ||= changes === null;
      for (const line of (changes ?? []).map(describeChange)) {
        if (!told.has(line) && isAsked) log(line);
        told.add(line);
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

/** The limit of a provider on the user's task queue, whatever the endpoint; undefined: none. */
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
