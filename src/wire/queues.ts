/** Names of task queues. Model calls have a queue a provider, so that a provider's limits hold over all workers. */

import type { TaskQueues } from './episode.ts';

/** @param base the main queue's name, e.g. `tauflow` */
export function taskQueues(base: string): TaskQueues {
  return { main: base, llm: `${base}-llm` };
}

export function llmQueue(queues: TaskQueues, provider: string): string {
  return `${queues.llm}-${provider}`;
}
