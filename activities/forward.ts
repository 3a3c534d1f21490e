/**
 * The activity `forward`: a model call that an agent has written itself goes to the provider as it is, for the model that
 * answers it. It is retried, limited and priced as `complete` is.
 */

import {
  withRemedy,
  writeError,
  type AdaptiveLimits,
  type ForwardCall,
  type PriceCall,
  type TranscriptStore,
} from '../src/models/index.ts';
import { FailureType, type ForwardInput, type ForwardOutput } from '../src/wire/index.ts';
import { resolveTranscript } from './lookups.ts';
import { MAX_OUTPUT_BYTES, callWithRetries, idempotencyKey } from './model-calls.ts';

export interface ForwardDeps {
  readonly transcripts: TranscriptStore;
  readonly forwardCall: ForwardCall;
  /** Those that `forwardCall` goes through. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

export function createForwardActivity(deps: ForwardDeps): (input: ForwardInput) => Promise<ForwardOutput> {
  return (input) => {
    const { maxRetries, model, wire, call: name, earlier = { attempts: 0, apiFailures: 0 } } = input;
    const { provider } = model;
    const { limits, random } = deps;
    const bounds = { maxRetries, provider, failuresBefore: earlier.apiFailures, limits, random };
    return callWithRetries(bounds, async (call) => {
      const messages = resolveTranscript(deps.transcripts, input.transcript, call);
      const request = {
        ...{ provider, model: model.model, wire },
        items: messages.map(({ content }) => (typeof content === 'string' ? content : '')),
        idempotencyKey: idempotencyKey(call, name),
      };
      const reply = await deps.forwardCall(request, call.callOptions).catch((error: unknown) => {
        throw withRemedy(error, 'agent', wire);
      });
      const { status, body, servedModel, finishReason, usage, latencyMs } = reply;
      const attempt = 1 + call.mayBePaid + earlier.attempts;
      const output = {
        ...{ servedModel, finishReason, usage, latencyMs, attempt },
        costUsd: costOf(deps.priceCall, input, reply),
      };
      const whole = { ...output, status, body };
      const bytes = Buffer.byteLength(JSON.stringify(whole));
      return bytes <= MAX_OUTPUT_BYTES ? whole : { ...output, ...tooLarge(bytes) };
    });
  };
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
