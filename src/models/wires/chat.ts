/** Chat completions: OpenAI's API before Responses, which most providers and servers support. */

import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ReasoningEffort,
} from 'openai/resources';
import type { ToolCall, ToolMessage } from '../../agents/index.ts';
import type { ExpandedMessage, ModelRequest, ReplySchema } from '../types.ts';
import { findCapabilities, takesSchema } from '../capabilities.ts';
import type { ProviderRow } from '../provider-table.ts';
import type { ResolvedProvider } from '../providers.ts';
import { withoutHalves } from '../well-formed.ts';
import { withCallIds } from './call-ids.ts';
import { readChatReply, type ChatContinuation } from './chat-reply.ts';
import { NO_WORDS, isNotBlank } from './message-turns.ts';
import { createOpenAI, promptCacheKey, requestOptions } from './openai.ts';
import type { CreateWire } from './wire.ts';

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
  const isOff = effort === 'none' && findCapabilities(name, model).thinkingSwitch === true;
  return isOff ? { thinking: { type: 'disabled' } } : { reasoning_effort: effort as ReasoningEffort };
}

/** Converts the conversation for the provider, and adds fields that calls of other models lack. */
function toParams(messages: readonly ExpandedMessage[], row: ProviderRow, model: string): ChatCompletionMessageParam[] {
  const params = (row.shortCallIds === true ? withCallIds(messages, shortId) : messages).map((each) =>
    toParam(each, row),
  );
  return row.wantsSignatures === true && !/gemini-[12]/i.test(model) ? params.map(withSignature) : params;
}

/** An id that Mistral takes. */
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/** Replaces ids of other providers and ids that repeat in each turn. */
function shortId(id: string, number: number, used: ReadonlySet<string>): string {
  return SHORT_ID.test(id) && !used.has(id) ? id : `call${String(number).padStart(5, '0')}`;
}

/** Google's placeholder for a call without a thought of Gemini. */
const NO_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Marks the first of several calls, which Gemini signs. */
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
  // readChatReply wrote this text, and nothing else reads it.
  const wanted = continuation === undefined ? NOTHING : (JSON.parse(continuation.data) as ChatContinuation);
  return {
    ...rest,
    // Strict servers refuse a message without text and calls.
    ...(calls === undefined && !isNotBlank(message.content) ? { content: NO_WORDS } : {}),
    ...wanted.message,
    ...(calls === undefined
      ? {}
      : { tool_calls: calls.map((call) => ({ ...withReadableArguments(call), ...wanted.calls[call.id] })) }),
  };
}

/** Makes arguments readable, because servers with chat templates parse them: JSON text within the request's JSON. */
function withReadableArguments({ function: { name, arguments: text }, ...call }: ToolCall): ToolCall {
  return { ...call, function: { name, arguments: withoutHalves(text) } };
}

function withoutName({ role, tool_call_id, content }: ToolMessage): ChatCompletionMessageParam {
  return { role, tool_call_id, content };
}

const NOTHING: ChatContinuation = { message: {}, calls: {} };
