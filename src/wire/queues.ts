/**
 * Names of task queues. Model calls have a queue for each provider and endpoint, so that a provider's limits hold over
 * all workers and a call reaches only workers that send it to the address that the run was started for.
 */

import type { TaskQueues } from './episode.ts';

/** What the queues of a run depend on besides the name that the user gives. */
export interface QueueOwner {
  /** Digest of the file with the run's agent: only workers that have the file listen on its queues. */
  readonly agentDigest?: string | undefined;
  /** See {@link TaskQueues.endpoints}. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

/** Digits of an agent's digest that a queue's name shows. */
const DIGEST_CHARS = 12;

/** @param base the name that the user gives, e.g. `tauflow` */
export function taskQueues(base: string, { agentDigest, endpoints = {} }: QueueOwner = {}): TaskQueues {
  const main = agentDigest === undefined ? base : `${base}-agent-${agentDigest.slice(0, DIGEST_CHARS)}`;
  return { main, llm: `${main}-llm`, ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }) };
}

/** A run that names no endpoint for a provider has its calls on a queue that all workers with that provider poll. */
export function llmQueue({ llm, endpoints = {} }: TaskQueues, provider: string): string {
  const label = endpointLabel({ endpoints }, provider);
  return `${llm}-${provider}${label === null ? '' : `-${label}`}`;
}

/** The endpoint that a provider's calls are for; null: any. */
export function endpointLabel({ endpoints = {} }: Pick<TaskQueues, 'endpoints'>, provider: string): string | null {
  return (Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined) ?? null;
}

/** Labels of the endpoints that a process calls, by provider. */
export type ServedEndpoints = Readonly<Record<string, readonly string[]>>;

/** The same queues once for calls to any endpoint, and once for each of a provider's endpoints. */
export function queuesOfProvider(queues: TaskQueues, provider: string, served: ServedEndpoints): TaskQueues[] {
  const labels = new Set(Object.hasOwn(served, provider) ? served[provider] : []);
  const { main, llm } = queues;
  return [{ main, llm }, ...[...labels].map((label) => ({ main, llm, endpoints: { [provider]: label } }))];
}

/** The inverse of {@link taskQueues}: the user's name for the queue, and the first digits of the agent's digest. */
export function parseMainQueue(main: string): { readonly base: string; readonly agent: string | null } {
  const [, base, agent] = /^(.+)-agent-([0-9a-f]{12})$/.exec(main) ?? [];
  return base === undefined || agent === undefined ? { base: main, agent: null } : { base, agent };
}
