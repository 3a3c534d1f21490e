/** The activity `agentTurn`: one request to an agent that is a service. */

import { Context } from '@temporalio/activity';
import { createTurnTaker, type TurnDeps } from '../src/agent-service/index.ts';
import type { AgentTurnInput, AgentTurnOutput, ModelCallResult, ToolCallResult } from '../src/agent-service/pure.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import { passCall } from '../src/temporal/client/index.ts';
import { callWithRetries } from './attempts.ts';
import { CallResults, toExecutionKey } from './call-results.ts';
import { loadTaskPack, resolveTranscript, type PackLookup } from './lookups.ts';

export interface AgentTurnDeps extends TurnDeps {
  readonly findPack: PackLookup;
  readonly transcripts: TranscriptStore;
  /** Random number in [0, 1), which spreads retries out. @default Math.random */
  readonly random?: () => number;
}

/** @param results receives the results of the agent's calls from activities of this process */
export function createAgentTurnActivity(
  deps: AgentTurnDeps,
  results = new CallResults(),
): (input: AgentTurnInput) => Promise<AgentTurnOutput> {
  const takeTurn = createTurnTaker(deps);
  return (input) =>
    callWithRetries({ maxRetries: input.maxRetries, random: deps.random }, async (call, options) => {
      const { client, info } = Context.current();
      const { pack: ref, task = { split: '', taskId: 0 }, condition } = input;
      const pack = await loadTaskPack(deps.findPack, { pack: ref, ...task, condition });
      const conversation = resolveTranscript(deps.transcripts, input.conversation, call.before);
      const episode = toExecutionKey(info);
      const place = info.workflowExecution ?? { workflowId: '', runId: '' };
      const left = results.open(info);
      try {
        return await takeTurn(input, {
          ...{ episode, pack, conversation, options },
          attempt: input.earlierAttempts + info.attempt,
          isRetry: info.attempt > 1,
          toolCall: (asked) => passCall<ToolCallResult>(client, place, 'toolCall', asked, left),
          modelCall(asked) {
            // The activity that makes the call needs the conversation. It usually runs in this process.
            deps.transcripts.resolve(`${episode}/${asked.transcript.thread}`, asked.transcript);
            return passCall<ModelCallResult>(client, place, 'modelCall', asked, left);
          },
        });
      } finally {
        left.close();
      }
    });
}
