/**
 * Makes one request to a model, and repeats it only without fields that the provider refuses (`left-out.ts`). The
 * activity makes all other retries: docs/architecture.md, "Follow a model call". Prices and prompts are elsewhere. Each
 * provider, wire and caller has one SDK client, and so one connection pool per process.
 */

import { ModelCallError, UnusableReplyError, classifyModelError, isAbort, withPaid } from './failures.ts';
import { watchExchanges, type Exchange, type OnExchange } from './exchange.ts';
import { createModelFetch } from './fetch.ts';
import type { Continuation, ToolCall, WireName } from '../agents/index.ts';
import { isMaker } from '../evaluation/index.ts';
import { providerModel, type ResolvedProvider } from './providers.ts';
import { leaveOutRefused, readLeftOut } from './left-out.ts';
import { createKeyRemover, createRedactor, type Redact } from '../io/index.ts';
import { paidReply, unreadReply } from './paid-reply.ts';
import { withoutMarks, type ModelReply } from './reply.ts';
import { createChatWire } from './wires/chat.ts';
import { createMessagesWire } from './wires/messages.ts';
import { createResponsesWire } from './wires/responses.ts';
import type { CallModel, CallOptions, ExpandedMessage, ModelRequest } from './types.ts';
import type { CreateWires, Wire } from './wires/wire.ts';

/** @param resolve called once per provider; every call rejects with its error */
export function createModelCaller(resolve: (provider: string) => ResolvedProvider): CallModel {
  const clients = new Map<string, ProviderClient>();
  return async (request, options) => {
    const { provider, wire = 'chat' } = request;
    const name = `${provider} ${wire}`;
    let client = clients.get(name);
    if (client === undefined) {
      client = createClient(resolve(provider), wire);
      clients.set(name, client);
    }
    return await callWithinContext(client, request, options);
  };
}

/**
 * Repeats a call without the token cap if the server refuses it. Some servers count the cap as part of the context, and
 * so refuse a conversation that fits.
 */
async function callWithinContext(
  client: ProviderClient,
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelReply> {
  const startedAt = performance.now();
  try {
    return await callOnce(client, request, options);
  } catch (error) {
    const isOverflow = error instanceof ModelCallError && error.failure.type === 'ContextOverflow';
    // Anthropic's Messages insist on a cap.
    if (!isOverflow || request.maxCompletionTokens === undefined || request.wire === 'messages') throw error;
    const { maxCompletionTokens: _, ...uncapped } = request;
    return await callOnce(
      client,
      { ...uncapped, idempotencyKey: `${request.idempotencyKey}/uncapped` },
      { ...options, timeoutMs: options.timeoutMs - (performance.now() - startedAt) },
    );
  }
}

interface ProviderClient {
  readonly provider: ResolvedProvider;
  readonly wire: Wire;
  readonly redact: Redact;
  /** Removes the key from replies, and changes nothing else. */
  readonly removeKey: Redact;
}

export const WIRES: CreateWires = {
  chat: createChatWire,
  responses: createResponsesWire,
  messages: createMessagesWire,
};

function createClient(provider: ResolvedProvider, wire: WireName): ProviderClient {
  return { provider, wire: WIRES[wire](provider, leaveOutRefused(createModelFetch(), wire)), ...keyCleaners(provider) };
}

/** Removes keys from a provider's messages. */
export function keyCleaners(provider: ResolvedProvider): Pick<ProviderClient, 'redact' | 'removeKey'> {
  const keys = [provider.apiKey, ...keysOfQuery(provider.query), ...keysOfQuery(provider.messages.query)];
  return { redact: createRedactor(keys), removeKey: createKeyRemover(keys) };
}

/** Returns the values of an address's query that may be keys: some gateways take the key there. */
function keysOfQuery(query: ResolvedProvider['query']): string[] {
  const named = Object.entries(query).filter(([name]) => /key|token|secret|sig|auth|pass/i.test(name));
  return named.map(([, value]) => value);
}

async function callOnce(client: ProviderClient, request: ModelRequest, options: CallOptions): Promise<ModelReply> {
  const { signal, timeoutMs } = options;
  const model = providerModel(request.provider, request.model);
  const maker = { provider: request.provider, model, wire: request.wire ?? 'chat' };
  await options.onSent?.();
  const startedAt = performance.now();
  let text: string | undefined;
  try {
    const messages = answerOpenCalls(request.messages).map((message) => withOwnContinuation(message, maker));
    const ready = { ...request, messages };
    const sending = { timeoutMs, ...(signal === undefined ? {} : { signal }) };
    const response = await watchExchanges(withoutKeys(client, options.onExchange), () =>
      client.wire.send(ready, model, sending),
    );
    text = withoutMarks(await response.text());
    const requestId = response.headers.get('x-request-id') ?? response.headers.get('request-id');
    const { continuation, message, ...reply } = client.wire.read(text, {
      requestedModel: model,
      requestId: requestId === null ? null : client.redact(requestId).slice(0, 200),
      latencyMs: Math.round(performance.now() - startedAt),
      removeKey: client.removeKey,
    });
    const made = continuation === undefined ? {} : { continuation: { ...maker, data: continuation } };
    const leftOut = readLeftOut(response);
    return { ...reply, message: { ...message, ...made }, ...(leftOut.length === 0 ? {} : { leftOut }) };
  } catch (error) {
    if (signal?.aborted === true || isAbort(error)) throw signal?.reason ?? error;
    const cause = rootUnusable(error);
    const failure = classifyModelError(cause, { nowMs: Date.now(), timeoutMs, redact: client.redact });
    const { row } = client.provider;
    const paid =
      text === undefined
        ? unreadReply(failure, model)
        : paidReply(text, { wire: maker.wire, row, requestedModel: model, removeKey: client.removeKey });
    throw withPaid(new ModelCallError(failure), paid);
  }
}

/**
 * Adds outputs to tool calls without one, because every API refuses such calls. A call that speaks to the user gets the
 * user's answer, any other an empty output.
 */
export function answerOpenCalls(messages: readonly ExpandedMessage[]): readonly ExpandedMessage[] {
  const answered: ExpandedMessage[] = [];
  const open = new Map<string, ToolCall>();
  const answer = ({ id, function: { name } }: ToolCall, content: string) => {
    open.delete(id);
    answered.push({ role: 'tool', tool_call_id: id, name, content });
  };
  const settle = () => {
    for (const call of [...open.values()]) answer(call, '');
  };
  for (const message of messages) {
    const [first] = open.values();
    if (message.role === 'user' && first !== undefined) {
      answer(first, message.content);
      continue;
    }
    if (message.role === 'tool') open.delete(message.tool_call_id);
    else settle();
    answered.push(message);
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) open.set(call.id, call);
  }
  settle();
  return answered;
}

/** Removes keys from errors: providers quote keys in part or whole. */
function withoutKeys({ redact, removeKey }: ProviderClient, onExchange: OnExchange | undefined) {
  if (onExchange === undefined) return undefined;
  return ({ status, request, reply, ...rest }: Exchange): void => {
    const clean = status !== null && status < 400 ? removeKey : redact;
    onExchange({ ...rest, status, request: removeKey(request), reply: reply === null ? null : clean(reply) });
  };
}

/** Removes the continuation of another provider, model or wire from a message. */
function withOwnContinuation(message: ExpandedMessage, maker: Omit<Continuation, 'data'>): ExpandedMessage {
  if (message.role !== 'assistant' || message.continuation === undefined) return message;
  const { continuation, ...rest } = message;
  return isMaker(maker, continuation) ? message : rest;
}

/** Unwraps errors of {@link createModelFetch}, which arrive as the cause of a connection error. */
export function rootUnusable(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof UnusableReplyError ? error.cause : error;
}
