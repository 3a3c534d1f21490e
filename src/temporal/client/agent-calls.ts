/** Passes calls of an agent service from the gateway to the episode, and reads its records of them. */

import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { CallResult, EpisodeQueries, RecordedResult, RefusedCall } from '../../agent-service/pure.ts';
import { onError } from '../../errors/index.ts';

/** Names of the episode's updates; `workflows/messages.ts` defines them, and the queries. */
type AgentUpdate = 'toolCall' | 'modelCall';

interface EpisodeExecution {
  readonly workflowId: string;
  readonly runId: string;
}

/** Results of calls that this process already has, by their names. */
interface KnownResults {
  take(name: string): CallResult | undefined;
}

/**
 * Passes a call on to its episode, without a time limit. An episode that has ended refuses the call.
 * @returns the recorded result: an observation for a tool call, a reply for a model call
 */
export async function passCall<Result extends CallResult>(
  client: Client,
  place: EpisodeExecution,
  update: AgentUpdate,
  call: unknown,
  known: KnownResults,
): Promise<Result | RefusedCall> {
  const over = onError(
    (): RefusedCall => ({ refused: 'over', message: 'the episode has ended' }),
    WorkflowNotFoundError,
  );
  const handle = client.workflow.getHandle(place.workflowId, place.runId);
  const answer = await handle
    .executeUpdate<RecordedResult | RefusedCall, [unknown]>(update, { args: [call] })
    .catch(over);
  if ('refused' in answer) return answer;
  const { recorded } = answer;
  const result = known.take(recorded) ?? (await askEpisode(client, place, 'callResult', recorded));
  if (result === null) throw new Error(`the episode has no result ${recorded}`);
  return result as Result;
}

/** Most attempts at a query, because the episode's worker may just have ended. */
const MOST_TRIES = 10;
const PAUSE_MS = 500;

/** Queries an episode's records, which adds nothing to its history. @returns null for an unknown call */
export async function askEpisode<Query extends keyof EpisodeQueries>(
  client: Client,
  { workflowId, runId }: EpisodeExecution,
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
