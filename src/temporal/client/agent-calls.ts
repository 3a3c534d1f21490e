/** Calls of an agent that is a service, on their way from the gateway to the episode, and what it has recorded of them. */

import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { EpisodeQueries, Recorded, Refused } from '../../agent-service/pure.ts';
import { onError } from '../../errors/index.ts';

/** Names of the episode's updates; `workflows/messages.ts` defines them, and the queries. */
type AgentUpdate = 'toolCall' | 'modelCall';

interface Place {
  readonly workflowId: string;
  readonly runId: string;
}

/** Passes calls on to an episode, however long they take; one that has ended refuses them. */
export function passToEpisode(client: Client, { workflowId, runId }: Place) {
  const handle = client.workflow.getHandle(workflowId, runId);
  const over = onError((): Refused => ({ refused: 'over', message: 'the episode has ended' }), WorkflowNotFoundError);
  return <Call>(update: AgentUpdate, call: Call): Promise<Recorded | Refused> =>
    handle.executeUpdate<Recorded | Refused, [Call]>(update, { args: [call] }).catch(over);
}

/** Times that a query is made: the episode's worker may just have ended. */
const MOST_TRIES = 10;
const PAUSE_MS = 500;

/** Asks an episode for what it has recorded, which adds nothing to its history. @returns null for what it does not know */
export async function askEpisode<Query extends keyof EpisodeQueries>(
  client: Client,
  { workflowId, runId }: Place,
  query: Query,
  name: string,
): Promise<EpisodeQueries[Query]> {
  const handle = client.workflow.getHandle(workflowId, runId);
  for (let tries = 1; ; tries++) {
    try {
      return await handle.query<EpisodeQueries[Query], [string]>(query, name);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || tries === MOST_TRIES) throw error;
      await delay(tries * PAUSE_MS);
    }
  }
}
