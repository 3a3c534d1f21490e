/** Calls of an agent that is a service, on their way from the gateway to the episode. */

import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Refused } from '../../wire/index.ts';

/** Names of the episode's updates; `workflows/messages.ts` defines them. */
type AgentUpdate = 'toolCall' | 'modelCall';

/** Passes calls on to an episode, however long they take; one that has ended refuses them. */
export function passToEpisode(
  client: Client,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
) {
  const handle = client.workflow.getHandle(workflowId, runId);
  return async <Result, Call>(update: AgentUpdate, call: Call): Promise<Result | Refused> => {
    try {
      return await handle.executeUpdate<Result | Refused, [Call]>(update, { args: [call] });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return { refused: 'over', message: 'the episode has ended' };
    }
  };
}
