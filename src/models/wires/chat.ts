/** Chat completions: OpenAI's API of before Responses, which most providers and servers speak. */

import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ReasoningEffort,
} from 'openai/resources';
import * as z from 'zod';
import type { ToolCall, ToolMessage, Usage } from '../../agents/index.ts';
import type { ExpandedMessage, ModelRequest, ReplySchema } from '../types.ts';
import { capabilitiesOf, takesSchema } from '../capabilities.ts';
import type { HandedBack, ProviderRow } from '../provider-table.ts';
import type { ResolvedProvider } from '../providers.ts';
import type { Redact } from '../redact.ts';
import {
  contentFiltered,
  type ModelReply,
  nameCleaner,
  parseItems,
  parseReplyBody,
  tokenCount,
  cacheWrites,
  promptDetails,
} from '../reply.ts';
import { createOpenAI, promptCacheKey, requestOptions } from './openai.ts';
import type { CreateWire, ReplyEnvelope, WireReply } from './wire.ts';

export const createChatWire: CreateWire = (provider, fetch) => {
  const openai = createOpenAI(provider, fetch);
  const { row } = provider;
  return {
    send: (request, model, options) =>
      openai.chat.completions.create(chatBody(provider, model, request), requestOptions(request, options)).asResponse(),
    read: (text, envelope) => readChatReply(text, envelope, row),
  };
};

function chatBody(
  provider: ResolvedProvider,
  model: string,
  request: ModelRequest,
): ChatCompletionCreateParamsNonStreaming {
  const { row } = provider;
  const { tools = [], temperature, maxCompletionTokens: cap, seed, format = 'text' } = request;
  const { schema, top_p, reasoning_effort: effort, extra_body } = request;
  const { tokenCapField = 'max_tokens' } = row;
  return {
    model,
    messages: toParams(request.messages, row, model),
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(temperature === null ? {} : { temperature }),
    ...(cap === undefined || tokenCapField === null ? {} : { [tokenCapField]: cap }),
    ...(seed === undefined || row.seedField === null ? {} : { [row.seedField]: seed }),
    ...(format === 'text' ? {} : formatField(row, model, schema)),
    ...(top_p === undefined ? {} : { top_p }),
    ...(effort === undefined ? {} : effortFields(row, model, effort)),
    ...promptCacheKey(provider, request),
    ...(row.takesCacheControl === true && /claude/i.test(model) ? { cache_control: { type: 'ephemeral' } } : {}),
    ...extra_body,
  };
}

function formatField(
  { name, jsonFormat }: ProviderRow,
  model: string,
  schema: ReplySchema | undefined,
): Pick<ChatCompletionCreateParamsNonStreaming, 'response_format'> {
  if (jsonFormat === 'none') return {};
  if (schema !== undefined && takesSchema(name, model)) {
    return { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } };
  }
  return jsonFormat === 'schema' ? {} : { response_format: { type: 'json_object' } };
}

function effortFields({ name }: ProviderRow, model: string, effort: string) {
  const isOff = effort === 'none' && capabilitiesOf(name, model).thinkingSwitch === true;
  return isOff ? { thinking: { type: 'disabled' } } : { reasoning_effort: effort as ReasoningEffort };
}

/** The conversation as the provider takes it, with what other models' calls lack. */
function toParams(messages: readonly ExpandedMessage[], row: ProviderRow, model: string): ChatCompletionMessageParam[] {
  const params = (row.shortCallIds === true ? withShortIds(messages) : messages).map((each) => toParam(each, row));
  return row.wantsSignatures === true && !/gemini-[12]/i.test(model) ? params.map(withSignature) : params;
}

/** An id that Mistral takes. */
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/** Replaces ids that another provider gave. A result belongs to the last call with its id. */
function withShortIds(messages: readonly ExpandedMessage[]): ExpandedMessage[] {
  const sent = new Map<string, string>();
  let count = 0;
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { ...message, tool_call_id: sent.get(message.tool_call_id) ?? message.tool_call_id };
    }
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
    const calls = message.tool_calls.map((call) => {
      count += 1;
      const id = SHORT_ID.test(call.id) ? call.id : `call${String(count).padStart(5, '0')}`;
      sent.set(call.id, id);
      return { ...call, id };
    });
    return { ...message, tool_calls: calls };
  });
}

/** Google's own word for a call that no thought of Gemini led to. */
const NO_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Marks the first of several calls, which is the one that Gemini signs. */
function withSignature(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
  const [first, ...others] = message.tool_calls;
  if (first === undefined || message.tool_calls.some((call) => 'extra_content' in call)) return message;
  const unsigned = { extra_content: NO_SIGNATURE };
  return { ...message, tool_calls: [{ ...first, ...unsigned }, ...others] };
}

function toParam(message: ExpandedMessage, row: ProviderRow): ChatCompletionMessageParam {
  if (message.role === 'tool') return row.takesToolName === false ? withoutName(message) : message;
  if (message.role !== 'assistant') return message;
  const { tool_calls: calls, continuation, ...rest } = message;
  // What was written by readChatReply, and nobody else reads.
  const wanted = continuation === undefined ? NOTHING : (JSON.parse(continuation.data) as ChatContinuation);
  return {
    ...rest,
    ...wanted.message,
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => ({ ...call, ...wanted.calls[call.id] })) }),
  };
}

function withoutName({ role, tool_call_id, content }: ToolMessage): ChatCompletionMessageParam {
  return { role, tool_call_id, content };
}

interface ChatContinuation {
  readonly message: Readonly<Record<string, unknown>>;
  /** Extra content by the call's id: Gemini's signature of a thought. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const NOTHING: ChatContinuation = { message: {}, calls: {} };

/**
 * @param text the answer's body, of an answer with status 200
 * @param row fields of the message, and of its tool calls, that the provider wants back; whether it reports costs
 * @throws UnusableReplyError
 */
export function readChatReply(
  text: string,
  envelope: ReplyEnvelope,
  { handsBack = [], reportsCost }: Pick<ProviderRow, 'handsBack' | 'reportsCost'> = {},
): WireReply {
  const body = parseReplyBody(text, replySchema, 'a chat completion');
  const [{ message, finish_reason: finishReason }] = body.choices;
  if (finishReason === 'content_filter') throw contentFiltered();
  const clean = (value: string) => envelope.removeKey(value);
  const name = nameCleaner(envelope.removeKey);
  const calls = toolCalls(message.tool_calls ?? [], clean);
  const content = textOf(message.content);
  const continuation = continuationOf(message, calls, handsBack);
  return {
    message: {
      role: 'assistant',
      content: content === null ? null : clean(content),
      // An empty list is left out: providers refuse to take it back in the next request.
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ call }) => call) }),
    },
    ...(continuation === null ? {} : { continuation: clean(continuation) }),
    finishReason: name(finishReason ?? 'unknown'),
    usage: usageOf(body.usage),
    usageReported: body.usage !== undefined && body.usage !== null,
    ...(reportsCost === true ? reportedCost(body.usage) : {}),
    servedModel: name(body.model ?? envelope.requestedModel),
    fingerprint: typeof body.system_fingerprint === 'string' ? name(body.system_fingerprint) : null,
    requestId: envelope.requestId,
    latencyMs: envelope.latencyMs,
  };
}

function continuationOf(
  message: RawMessage,
  calls: readonly ReadCall[],
  handsBack: readonly HandedBack[],
): string | null {
  const wanted = fieldsOf(message, handsBack);
  const ofCalls = calls.flatMap(({ call, raw }) => {
    const fields = fieldsOf(raw, handsBack);
    return Object.keys(fields).length === 0 ? [] : [[call.id, fields] as const];
  });
  if (Object.keys(wanted).length === 0 && ofCalls.length === 0) return null;
  const continuation: ChatContinuation = { message: wanted, calls: Object.fromEntries(ofCalls) };
  return JSON.stringify(continuation);
}

function fieldsOf(raw: Readonly<Record<string, unknown>>, names: readonly HandedBack[]) {
  return Object.fromEntries(names.flatMap((name) => (isSaid(raw[name]) ? [[name, raw[name]]] : [])));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

type RawMessage = ReplyBody['choices'][0]['message'];

function textOf(content: RawMessage['content']): string | null {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null || content.length === 0) return null;
  return parseItems(content, textPart, 'message.content')
    .map((part) => part.text ?? '')
    .join('');
}

/** Calls of other kinds than functions were never offered, so they are dropped. */
interface ReadCall {
  readonly call: ToolCall;
  readonly raw: Readonly<Record<string, unknown>>;
}

function toolCalls(rawCalls: NonNullable<RawMessage['tool_calls']>, clean: Redact): ReadCall[] {
  const calls: ReadCall[] = [];
  for (const [index, raw] of parseItems(rawCalls, toolCall, 'message.tool_calls').entries()) {
    const { id, function: called } = raw;
    if (called === undefined || called === null) continue;
    // The next request pairs a call with its result by id, so one must be there.
    const callId = id ?? '';
    const call: ToolCall = {
      id: callId === '' ? `call_${String(index)}` : clean(callId),
      type: 'function',
      function: { name: clean(called.name), arguments: clean(called.arguments) },
    };
    calls.push({ call, raw });
  }
  return calls;
}

/**
 * xAI and Gemini count reasoning tokens in the total, but not among the completion's, where OpenAI and its prices have
 * them: what the total has beyond prompt and completion is reasoning.
 */
function usageOf(usage: ReplyBody['usage']): Usage {
  const { prompt_tokens: promptTokens = 0, completion_tokens: completion = 0, total_tokens: total = 0 } = usage ?? {};
  const beside = Math.max(0, total - promptTokens - completion);
  return {
    promptTokens,
    completionTokens: completion + beside,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? 0,
    ...cacheWrites(usage?.prompt_tokens_details),
    reasoningTokens: Math.max(beside, usage?.completion_tokens_details?.reasoning_tokens ?? 0),
  };
}

/** OpenRouter's own price; with a key of the user's own at the provider, that provider's price comes on top. */
function reportedCost(usage: ReplyBody['usage']): Pick<ModelReply, 'reportedCostUsd'> {
  const { cost, cost_details: details } = usage ?? {};
  if (cost === undefined) return {};
  return { reportedCostUsd: usage?.is_byok === true ? cost + (details?.upstream_inference_cost ?? 0) : cost };
}

const usd = z.number().nonnegative().optional().catch(undefined);

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
});

const textPart = z.looseObject({ type: z.string(), text: z.string().nullish() });

const choice = z.looseObject({
  finish_reason: z.string().nullish(),
  message: z.looseObject({
    /** Some servers answer in parts; only text can be one. */
    content: z.union([z.string(), z.array(z.unknown())]).nullish(),
    tool_calls: z.array(z.unknown()).nullish(),
  }),
});

const replySchema = z.looseObject({
  choices: z.tuple([choice], z.unknown()),
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: z
    .looseObject({
      prompt_tokens: tokenCount,
      completion_tokens: tokenCount,
      total_tokens: tokenCount,
      /** DeepSeek's name for the cached part of the prompt. */
      prompt_cache_hit_tokens: tokenCount,
      cost: usd,
      is_byok: z.unknown().optional(),
      cost_details: z.looseObject({ upstream_inference_cost: usd }).optional().catch(undefined),
      prompt_tokens_details: promptDetails,
      completion_tokens_details: z.looseObject({ reasoning_tokens: tokenCount }).nullish(),
    })
    .nullish(),
});

type ReplyBody = z.infer<typeof replySchema>;
