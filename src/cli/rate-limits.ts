/** Limits per provider that the server holds for all workers of a task queue, as commands set them. */

import type { TemporalConnection } from '../temporal/connection.ts';
import { setRateLimits, type LimitChange, type RateLimits } from '../temporal/rate-limits.ts';
import { taskQueues } from '../wire/queues.ts';

/**
 * Sets limits for all workers of a task queue.
 * @returns limits that this process's workers have to bring along, because the server is too old to hold them
 */
export async function applyRateLimits(
  { connection, namespace }: Pick<TemporalConnection, 'connection' | 'namespace'>,
  taskQueue: string,
  limits: RateLimits,
  log: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const changes = await setRateLimits(connection, namespace, taskQueues(taskQueue), limits);
  for (const change of changes ?? []) log(describeChange(change));
  if (changes !== null) return {};
  log(
    'warning: this Temporal server holds no limits for task queues; start every worker with the same ' +
      '--max-llm-calls-per-second, one without it lifts the limit',
  );
  return Object.fromEntries(Object.entries(limits).flatMap(([name, rate]) => (rate === null ? [] : [[name, rate]])));
}

function describeChange({ provider, before, after }: LimitChange): string {
  const was = before === null ? '' : `, was ${before}`;
  if (after === null) return `limit    ${provider}: none any more${was}`;
  return `limit    ${provider}: ${after} calls a second over all workers${was}`;
}
