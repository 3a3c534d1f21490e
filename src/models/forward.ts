/**
 * Makes the model calls that agents have written themselves. The agent gets the provider's answer unchanged; usage and
 * failures are read as for any call.
 *
 * If the provider refuses because of the agent's request (a full context, an unknown field), the agent gets that answer
 * too, because it may handle it.
 */

import type { WireName } from '../agents/index.ts';
import { ModelCallError, UnusableReplyError, classifyModelError, withPaid, type ModelFailure } from './failures.ts';
import type { FailureType } from '../evaluation/index.ts';
import type { ResolvedProvider } from './providers.ts';
import { NO_USAGE, REPLY_PARTS, paidReply } from './paid-reply.ts';
import { providerModel } from './providers.ts';
import { createRawClients, writeError, type RawAnswer, type RawApi, type RawClient } from './raw-client.ts';
import { writeRawRequest } from './raw-request.ts';
import { nameCleaner, type ModelReply } from './reply.ts';
import { ReplyReader, toFields } from './reply-reader.ts';
import type { CacheScope, CallOptions } from './types.ts';
import { readChatReply } from './wires/chat-reply.ts';
import { readMessagesReply } from './wires/messages.ts';
import { readResponse } from './wires/responses.ts';
import type { ReplyEnvelope } from './wires/wire.ts';
import { parsedJson } from '../io/index.ts';

export interface ForwardRequest {
  readonly provider: string;
  /** Name of the model, possibly with LiteLLM's provider prefix. */
  readonly model: string;
  readonly wire: WireName;
  /** The agent's request in parts, from `readRawRequest`. */
  readonly items: readonly string[];
  readonly idempotencyKey: string;
  /** See `ModelRequest.cache`. */
  readonly cache?: CacheScope;
}

export interface ForwardReply extends Pick<
  ModelReply,
  'servedModel' | 'finishReason' | 'usage' | 'usageReported' | 'reportedCostUsd' | 'latencyMs'
> {
  readonly status: number;
  /** JSON text of the provider's answer, or of an error. */
  readonly body: string;
  /** See `ModelReply.cached`. */
  readonly cached?: true;
}

/**
 * Sends a request that an agent has written itself to the provider, and returns the answer.
 *
 * @throws ModelCallError if the provider gives no answer that the agent could handle
 * @throws ProviderError when the provider cannot be used in this process
 */
export type ForwardCall = (request: ForwardRequest, options: CallOptions) => Promise<ForwardReply>;

/** Failures caused by the request, or by the model's output. */
const OF_THE_REQUEST: ReadonlySet<FailureType> = new Set([
  'RequestRefused',
  'ContextOverflow',
  'ContentFilter',
  'MalformedReply',
]);

interface WireForm {
  readonly api: RawApi;
  readonly path: string;
  readonly read: (
    text: string,
    envelope: ReplyEnvelope,
    provider: ResolvedProvider,
  ) => Pick<ModelReply, 'finishReason'>;
}

const FORMS: Readonly<Record<WireName, WireForm>> = {
  chat: {
    api: 'openai',
    path: '/chat/completions',
    read: (text, envelope, { row }) => readChatReply(text, envelope, row),
  },
  responses: { api: 'openai', path: '/responses', read: readResponse },
  messages: { api: 'anthropic', path: '/v1/messages', read: readMessagesReply },
};

/** @param resolve called once per provider; every call rejects with its error */
export function createForwarder(resolve: (provider: string) => ResolvedProvider): ForwardCall {
  const findClient = createRawClients(resolve);
  return async (request, options) => {
    const { provider, wire, items, idempotencyKey } = request;
    const form = FORMS[wire];
    const client = findClient(provider, form.api);
    const model = providerModel(provider, request.model);
    const { body, headers } = writeRawRequest(items, wire, model);
    const startedAt = performance.now();
    const latencyMs = () => Math.round(performance.now() - startedAt);
    const asked = { body, headers: { ...headers, 'idempotency-key': idempotencyKey } };
    try {
      const answer = await client.send({ method: 'post', path: form.path, ...asked }, options);
      if (answer.failure !== null) return refusedReply(answer, answer.failure, model, latencyMs());
      return readReply(answer, wire, client, {
        requestedModel: model,
        latencyMs: latencyMs(),
        timeoutMs: options.timeoutMs,
      });
    } catch (error) {
      if (!(error instanceof ModelCallError) || error.failure.type !== 'ReplyTooLong') throw error;
      const { message, type } = error.failure;
      const unread = { usage: NO_USAGE, usageReported: false, servedModel: model, finishReason: 'unknown' };
      return { ...unread, status: 502, body: writeError(message, type), latencyMs: latencyMs() };
    }
  };
}

/** @throws ModelCallError for a failure that the request did not cause */
function refusedReply(
  { status, body }: RawAnswer,
  failure: ModelFailure,
  model: string,
  latencyMs: number,
): ForwardReply {
  // A status below 400 means an address that has moved, which the run's owner has to correct.
  if (!OF_THE_REQUEST.has(failure.type) || failure.retryable || status < 400) throw new ModelCallError(failure);
  return {
    // Some local servers answer 500 to requests that can never succeed.
    status: status < 500 ? status : 400,
    ...{ body, latencyMs, usage: NO_USAGE, usageReported: true, servedModel: model },
    finishReason: 'error',
    // Providers charge nothing for a refusal, whatever their prices.
    reportedCostUsd: 0,
  };
}

interface ForwardedCall {
  readonly requestedModel: string;
  readonly latencyMs: number;
  readonly timeoutMs: number;
}

/** @throws ModelCallError for an answer of another API */
function readReply(
  { status, body }: RawAnswer,
  wire: WireName,
  { provider, redact, removeKey }: RawClient,
  { requestedModel, latencyMs, timeoutMs }: ForwardedCall,
): ForwardReply {
  const fields = toFields(parsedJson(body));
  const envelope = { requestedModel, requestId: null, latencyMs, removeKey };
  const { said, usage: readUsage } = REPLY_PARTS[wire];
  const usage = readUsage(fields['usage'], new ReplyReader(body));
  const plain = { status, body, latencyMs, ...usage };
  const servedModel = nameCleaner(removeKey)(fields['model'], requestedModel);
  // The agent requests again a response that is made in the background.
  if (/^(?:queued|in_progress)$/.test(String(fields['status'])))
    return { ...plain, servedModel, finishReason: 'unknown' };
  try {
    const { finishReason, reportedCostUsd } = FORMS[wire].read(body, envelope, provider) as ModelReply;
    return { ...plain, servedModel, finishReason, ...(reportedCostUsd === undefined ? {} : { reportedCostUsd }) };
  } catch (error) {
    if (!(error instanceof UnusableReplyError)) throw error;
    const isReply = error.type === 'NotACompletion' && Array.isArray(fields[said]);
    if (!isReply && !OF_THE_REQUEST.has(error.type)) {
      const failure = classifyModelError(error, { nowMs: Date.now(), timeoutMs, redact });
      throw withPaid(
        new ModelCallError(failure),
        paidReply(body, { wire, row: provider.row, requestedModel, removeKey }),
      );
    }
    return { ...plain, servedModel, finishReason: error.type === 'ContentFilter' ? 'content_filter' : 'unknown' };
  }
}
