/**
 * The activity `forward`: sends a model call that an agent service has written itself to the provider, unchanged but
 * for the model. It is retried, limited and priced as `complete` is.
 */

import { Context } from '@temporalio/activity';
import {
  MAX_OUTPUT_BYTES,
  idempotencyKey,
  priceReply,
  withRemedy,
  writeError,
  type ForwardCall,
  type TranscriptStore,
} from '../src/models/index.ts';
import type { Message } from '../src/agents/index.ts';
import { askEpisode } from '../src/temporal/client/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type { ForwardInput, ForwardOutput } from '../src/agent-service/pure.ts';
import { toExecutionKey, type CallResults } from './call-results.ts';
import { callWithRetries, toBounds, type CallDeps } from './attempts.ts';

export interface ForwardDeps extends CallDeps {
  readonly transcripts: TranscriptStore;
  readonly forwardCall: ForwardCall;
}

/** @param results receives the replies for this process's gateway */
export function createForwardActivity(
  deps: ForwardDeps,
  results?: CallResults,
): (input: ForwardInput) => Promise<ForwardOutput> {
  return (input) => {
    const { model, wire, call: name, earlier } = input;
    return callWithRetries(toBounds(deps, input), async (call, options) => {
      const { info } = Context.current();
      const messages = await readTranscript(deps.transcripts, input);
      const request = {
        ...{ provider: model.provider, model: model.model, wire },
        items: messages.map(({ content }) => (typeof content === 'string' ? content : '')),
        idempotencyKey: idempotencyKey(info, name, call.before),
        cache:
          input.cache === undefined ? undefined : { configuration: input.cache, episode: input.episode, call: name },
      };
      const reply = await deps.forwardCall(request, options).catch((error: unknown) => {
        throw withRemedy(error, 'agent', wire);
      });
      const { status, body, servedModel, finishReason, usage, latencyMs } = reply;
      const output = {
        ...{ servedModel, finishReason, usage, latencyMs },
        attempt: 1 + call.before.mayBePaid + (earlier?.attempts ?? 0),
        failedReplies: call.failedReplies,
        costUsd: priceReply(deps.priceCall, input, reply),
        cached: reply.cached,
      };
      const bytes = Buffer.byteLength(JSON.stringify({ ...output, status, body }));
      const answer = bytes <= MAX_OUTPUT_BYTES ? { status, body } : tooLarge(bytes);
      results?.leave(info, () => name, answer);
      return { ...output, ...answer };
    });
  };
}

/** Returns the call's conversation, from this process's gateway or else from the episode. */
async function readTranscript(store: TranscriptStore, { call, transcript }: ForwardInput): Promise<Message[]> {
  const context = Context.current();
  const { info } = context;
  const key = `${toExecutionKey(info)}/${transcript.thread}`;
  const known = store.resolve(key, transcript);
  if (known !== undefined) return known;
  const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' };
  const whole = await askEpisode(context.client, { workflowId, runId }, 'callTranscript', call);
  const messages = whole === null ? undefined : store.resolve(key, whole);
  // Another attempt of this activity has already delivered the answer.
  if (messages === undefined) throw new Error(`the episode has no model call ${call} under way`);
  return messages;
}

function tooLarge(bytes: number): Pick<ForwardOutput, 'status' | 'body'> {
  const message = `the model's reply takes ${bytes} bytes; an episode's history takes ${MAX_OUTPUT_BYTES}`;
  return { status: 502, body: writeError(message, FailureType.ReplyTooLong) };
}
