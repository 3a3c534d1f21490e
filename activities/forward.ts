/**
 * The activity `forward`: a model call that an agent has written itself goes to the provider as it is, for the model that
 * answers it. It is retried, limited and priced as `complete` is.
 */

import { Context } from '@temporalio/activity';
import { withRemedy, writeError, type ForwardCall, type PriceCall, type TranscriptStore } from '../src/models/index.ts';
import type { Message } from '../src/agents/index.ts';
import { askEpisode } from '../src/temporal/client/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type { ForwardInput, ForwardOutput } from '../src/agent-service/pure.ts';
import { episodeOf, type CallResults } from './call-results.ts';
import { failedBefore, priceFailed } from './failed-replies.ts';
import { MAX_OUTPUT_BYTES, callWithRetries, idempotencyKey, type CallDeps } from './model-calls.ts';

export interface ForwardDeps extends CallDeps {
  readonly transcripts: TranscriptStore;
  readonly forwardCall: ForwardCall;
}

/** @param results gets the replies, for this process's gateway */
export function createForwardActivity(
  deps: ForwardDeps,
  results?: CallResults,
): (input: ForwardInput) => Promise<ForwardOutput> {
  return (input) => {
    const { maxRetries, model, wire, call: name, earlier = { attempts: 0, apiFailures: 0 } } = input;
    const { provider } = model;
    const { limits, random } = deps;
    const priceOf = priceFailed(deps.priceCall, input);
    const bounds = { maxRetries, provider, failuresBefore: earlier.apiFailures, limits, random, priceOf };
    return callWithRetries(bounds, async (call) => {
      const messages = await readTranscript(deps.transcripts, input);
      const request = {
        ...{ provider, model: model.model, wire },
        items: messages.map(({ content }) => (typeof content === 'string' ? content : '')),
        idempotencyKey: idempotencyKey(call, name),
        ...(input.cache === undefined
          ? {}
          : { cache: { configuration: input.cache, episode: input.episode, call: name } }),
      };
      const reply = await deps.forwardCall(request, call.callOptions).catch((error: unknown) => {
        throw withRemedy(error, 'agent', wire);
      });
      const { status, body, servedModel, finishReason, usage, latencyMs } = reply;
      const attempt = 1 + call.mayBePaid + earlier.attempts;
      const output = {
        ...{ servedModel, finishReason, usage, latencyMs, attempt },
        ...failedBefore(call),
        costUsd: reply.cached === true ? 0 : costOf(deps.priceCall, input, reply),
        ...(reply.cached === true ? { cached: true as const } : {}),
      };
      const bytes = Buffer.byteLength(JSON.stringify({ ...output, status, body }));
      const answer = bytes <= MAX_OUTPUT_BYTES ? { status, body } : tooLarge(bytes);
      results?.leave(call.info, () => name, answer);
      return { ...output, ...answer };
    });
  };
}

/** The call's conversation, which this process's gateway has brought; any other worker asks the episode for it. */
async function readTranscript(store: TranscriptStore, { call, transcript }: ForwardInput): Promise<Message[]> {
  const context = Context.current();
  const { info } = context;
  const key = `${episodeOf(info)}/${transcript.thread}`;
  const known = store.resolve(key, transcript);
  if (known !== undefined) return known;
  const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' };
  const whole = await askEpisode(context.client, { workflowId, runId }, 'callTranscript', call);
  const messages = whole === null ? undefined : store.resolve(key, whole);
  // Another attempt of this activity has brought the answer meanwhile.
  if (messages === undefined) throw new Error(`the episode has no model call ${call} under way`);
  return messages;
}

/** USD; null when the price is unknown. */
function costOf(
  priceCall: PriceCall,
  { model: { provider, model: requestedModel }, price }: ForwardInput,
  { servedModel, usage, usageReported, reportedCostUsd }: Awaited<ReturnType<ForwardCall>>,
): number | null {
  return priceCall({
    ...{ provider, requestedModel, servedModel, usage, usageReported },
    ...(price === undefined ? {} : { price }),
    ...(reportedCostUsd === undefined ? {} : { reportedCostUsd }),
  });
}

function tooLarge(bytes: number): Pick<ForwardOutput, 'status' | 'body'> {
  const message = `the model's reply takes ${bytes} bytes; an episode's history takes ${MAX_OUTPUT_BYTES}`;
  return { status: 502, body: writeError(message, FailureType.ReplyTooLong) };
}
