/**
 * Makes one request to a model: no retries (Temporal does those), no prices, no prompts.
 * There is one `OpenAI` client per provider and caller, and so one connection pool per provider and process.
 */

import OpenAI, { APIUserAbortError } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ReasoningEffort,
} from 'openai/resources';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit, type Response as UndiciResponse } from 'undici';
import type { TurnOptions } from './adaptive-limit.ts';
import type { CacheScope } from './cache/key.ts';
import { ModelCallError, UnusableReplyError, classifyModelError } from './failures.ts';
import type { AssistantMessage, ToolMessage } from '../agents/index.ts';
import type { ProviderRow } from './provider-table.ts';
import type { ModelSettings } from '../wire/index.ts';
import { providerModel, type ResolvedProvider } from './providers.ts';
import { createKeyRemover, createRedactor, type Redact } from './redact.ts';
import { readReply, type ModelReply } from './reply.ts';

/** A message as the provider and the results file have it: its content is one plain string. */
export type ExpandedMessage =
  { readonly role: 'system' | 'user'; readonly content: string } | AssistantMessage | ToolMessage;

/** The model may carry LiteLLM's provider prefix; the seed is sent where the provider takes one. */
export interface ModelRequest extends ModelSettings {
  readonly messages: readonly ExpandedMessage[];
  readonly tools?: readonly ChatCompletionTool[];
  /** Tokens that the completion may have, reasoning included; absent: as many as the provider allows. */
  readonly maxCompletionTokens?: number;
  /** @default 'text' */
  readonly format?: 'text' | 'json';
  /** Names the call for gateways that answer a repeated one from memory. */
  readonly idempotencyKey: string;
  /** The response cache may answer it, and stores its answer; absent: the call is made. */
  readonly cache?: CacheScope;
}

export interface CallOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** From the request's start to the last byte of the answer; waiting for a turn comes before. */
  readonly timeoutMs: number;
  /** Wait for a turn where the provider answers 429. @default as long as `timeoutMs`, behind earlier calls */
  readonly turn?: TurnOptions;
  /** Called when the request is handed to the HTTP client: from then on it may be paid. */
  readonly onSent?: () => void;
}

/**
 * @throws ModelCallError when the provider does not give a usable completion
 * @throws ProviderError when the provider cannot be used in this process
 */
export type CallModel = (request: ModelRequest, options: CallOptions) => Promise<ModelReply>;

/** @param resolve is asked once per provider; what it throws reaches the caller of every call */
export function createModelCaller(resolve: (provider: string) => ResolvedProvider): CallModel {
  const clients = new Map<string, ProviderClient>();
  return async (request, options) => {
    let client = clients.get(request.provider);
    if (client === undefined) {
      client = createClient(resolve(request.provider));
      clients.set(request.provider, client);
    }
    return await callWithinContext(client, request, options);
  };
}

/**
 * Some servers count the cap as part of the context, and refuse a conversation that fits without it: such a call is made
 * again without the cap.
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
    if (!isOverflow || request.maxCompletionTokens === undefined) throw error;
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
  readonly openai: OpenAI;
  /** For messages of errors. */
  readonly redact: Redact;
  /** For replies, which must otherwise stay as they are. */
  readonly removeKey: Redact;
}

function createClient(provider: ResolvedProvider): ProviderClient {
  const openai = new OpenAI({
    baseURL: provider.baseURL,
    // The client insists on a key; a provider without keys ignores this one.
    apiKey: provider.apiKey ?? 'none',
    // Said explicitly, so that the client does not look into the environment by itself.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    defaultHeaders: provider.headers,
    defaultQuery: provider.query,
    maxRetries: 0,
    fetch: createModelFetch(),
  });
  const keys = [provider.apiKey, ...keysOfQuery(provider.query)];
  return { provider, openai, redact: createRedactor(keys), removeKey: createKeyRemover(keys) };
}

/** Some gateways take the key in the address. */
function keysOfQuery(query: ResolvedProvider['query']): string[] {
  const named = Object.entries(query).filter(([name]) => /key|token|secret|sig|auth|pass/i.test(name));
  return named.map(([, value]) => value);
}

async function callOnce(client: ProviderClient, request: ModelRequest, options: CallOptions): Promise<ModelReply> {
  const { signal, timeoutMs } = options;
  const requestedModel = providerModel(request.provider, request.model);
  const startedAt = performance.now();
  try {
    options.onSent?.();
    const response = await client.openai.chat.completions
      .create(requestBody(client.provider, requestedModel, request), {
        timeout: Math.max(1, Math.round(timeoutMs)),
        // The client's own `idempotencyKey` option sends nothing unless a subclass names the header.
        headers: { 'Idempotency-Key': request.idempotencyKey },
        ...(signal === undefined ? {} : { signal }),
      })
      .asResponse();
    const text = await response.text();
    const requestId = response.headers.get('x-request-id');
    return readReply(text, {
      requestedModel,
      requestId: requestId === null ? null : client.redact(requestId).slice(0, 200),
      latencyMs: Math.round(performance.now() - startedAt),
      removeKey: client.removeKey,
    });
  } catch (error) {
    if (signal?.aborted === true || error instanceof APIUserAbortError) throw signal?.reason ?? error;
    const cause = rootUnusable(error);
    throw new ModelCallError(classifyModelError(cause, { nowMs: Date.now(), redact: client.redact }));
  }
}

/** Unwraps errors of {@link createModelFetch}, which arrive as the cause of a connection error. */
function rootUnusable(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof UnusableReplyError ? error.cause : error;
}

function requestBody(
  { row }: ResolvedProvider,
  model: string,
  request: ModelRequest,
): ChatCompletionCreateParamsNonStreaming {
  const { tools = [], temperature, maxCompletionTokens: cap, seed, format = 'text' } = request;
  const { top_p, reasoning_effort: effort, extra_body } = request;
  const { tokenCapField = 'max_tokens' } = row;
  return {
    model,
    messages: request.messages.map((message) => toParam(message, row)),
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(temperature === null ? {} : { temperature }),
    ...(cap === undefined || tokenCapField === null ? {} : { [tokenCapField]: cap }),
    ...(seed === undefined || row.seedField === null ? {} : { [row.seedField]: seed }),
    ...(format === 'text' || row.takesJsonFormat === false ? {} : { response_format: { type: 'json_object' } }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(effort === undefined ? {} : { reasoning_effort: effort as ReasoningEffort }),
    ...extra_body,
  };
}

function toParam(message: ExpandedMessage, row: ProviderRow): ChatCompletionMessageParam {
  if (message.role === 'tool') return row.takesToolName === false ? withoutName(message) : message;
  if (message.role !== 'assistant') return message;
  const { tool_calls: calls, ...rest } = message;
  return calls === undefined ? rest : { ...rest, tool_calls: [...calls] };
}

function withoutName({ role, tool_call_id, content }: ToolMessage): ChatCompletionMessageParam {
  return { role, tool_call_id, content };
}

/** A completion of 100,000 tokens is about 0.5 MB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Of an error's body; the status says most. */
const MAX_ERROR_BYTES = 256 * 1024;

type Fetch = typeof globalThis.fetch;

/**
 * The `fetch` of model calls. It has no limit of its own on the wait for headers or body (Node's is 300 s; the caller has
 * a deadline), reads the body here, under the client's deadline and no further than a bound, and nests the error bodies
 * of servers that do not nest them under `error`, so that their message is not lost.
 *
 * One connection pool; connections are kept alive between calls and do not keep the process alive.
 */
function createModelFetch(): Fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 15_000 } });
  return async (input, init) => {
    // Two declarations of one standard: the DOM-like globals' and the package's own.
    const url = input instanceof Request ? input.url : input;
    const response = await undiciFetch(url, { ...(init as unknown as UndiciInit), dispatcher });
    const headers = [...response.headers];
    const body = response.ok ? await readWhole(response) : nestError(await readBeginning(response, MAX_ERROR_BYTES));
    const { status, statusText } = response;
    return new Response(body === '' ? null : body, { status, statusText, headers });
  };
}

async function readWhole(response: UndiciResponse): Promise<string> {
  const text = await readBeginning(response, MAX_BODY_BYTES + 1);
  if (Buffer.byteLength(text) <= MAX_BODY_BYTES) return text;
  throw new UnusableReplyError('ReplyTooLong', `the provider's answer is larger than ${String(MAX_BODY_BYTES)} bytes`);
}

/** Reads so many bytes at most, and lets go of the connection where there are more. */
async function readBeginning(response: UndiciResponse, most: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    const part = (chunk as Uint8Array).subarray(0, most - bytes);
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `{"message": …}`, `{"detail": …}` and the like become `{"error": …}`, which is where the client looks. */
function nestError(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null || 'error' in json) return text;
    return JSON.stringify({ error: json });
  } catch {
    return text;
  }
}
