/**
 * OpenAI's Responses API, without anything stored at the provider. A turn's output items, with encrypted reasoning, are
 * kept as the continuation and handed back unchanged. The API takes no seed.
 */

import type { ChatCompletionTool } from 'openai/resources';
import { isObject, type Redact } from '../../io/index.ts';
import type {
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import * as z from 'zod';
import type { AssistantMessage, ToolCall } from '../../agents/index.ts';
import type { ExpandedMessage, ModelRequest } from '../types.ts';
import { UnusableReplyError, reportedError } from '../failures.ts';
import { takesSchema } from '../capabilities.ts';
import { hasText, requireGoodEnd } from '../finish-reasons.ts';
import type { ResolvedProvider } from '../providers.ts';
import { NO_CALL, contentFiltered, malformedReply, nameCleaner, notACompletion, parseReplyBody } from '../reply.ts';
import { ReplyReader, cacheWrites, toFields } from '../reply-reader.ts';
import { withCallIds } from './call-ids.ts';
import { createOpenAI, promptCacheKey, requestOptions } from './openai.ts';
import type { CreateWire, ReplyEnvelope, WireReply } from './wire.ts';

export const createResponsesWire: CreateWire = (provider, fetch) => {
  const openai = createOpenAI(provider, fetch);
  return {
    send: (request, model, options) =>
      openai.responses.create(responsesBody(provider, model, request), requestOptions(request, options)).asResponse(),
    read: readResponse,
  };
};

/** Models that refuse a request for encrypted reasoning, because they do not reason. */
const WITHOUT_REASONING = /^(?:openai\/)?(?:gpt-[34]|gpt-5[\d.]*-(?:chat|search)|chatgpt-)/;

function responsesBody(
  provider: ResolvedProvider,
  model: string,
  request: ModelRequest,
): ResponseCreateParamsNonStreaming {
  const { row } = provider;
  const { tools = [], temperature, maxCompletionTokens: cap, format = 'text' } = request;
  const { schema, top_p, reasoning_effort: effort, extra_body: extra = {} } = request;
  const jsonFormat =
    schema !== undefined && takesSchema(row.name, model)
      ? { type: 'json_schema', ...schema, strict: true }
      : { type: 'json_object' };
  return {
    model,
    input: withCallIds(request.messages, distinctId).flatMap(toItems),
    store: false,
    ...(WITHOUT_REASONING.test(model) ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(tools.length === 0 ? {} : { tools: tools.map(flatTool) }),
    ...(temperature === null ? {} : { temperature }),
    ...(cap === undefined || row.tokenCapField === null ? {} : { max_output_tokens: cap }),
    ...(top_p === undefined ? {} : { top_p }),
    ...promptCacheKey(provider, request),
    ...extra,
    // Both fields contain several settings, so one of them in the extra body does not remove the others.
    ...(effort === undefined ? {} : { reasoning: { effort, ...toFields(extra['reasoning']) } }),
    ...(format === 'text' || row.jsonFormat === 'none'
      ? {}
      : { text: { format: jsonFormat, ...toFields(extra['text']) } }),
  } as ResponseCreateParamsNonStreaming;
}

/** Makes ids distinct: some providers of chat completions restart their numbers in each turn. */
function distinctId(id: string, number: number, used: ReadonlySet<string>): string {
  return used.has(id) ? `call_again_${String(number)}` : id;
}

/** Converts a tool. Schemas are not strict by default, as in chat completions. */
function flatTool(tool: ChatCompletionTool): FunctionTool {
  if (tool.type !== 'function') throw new TypeError(`a tool of type ${tool.type} cannot be offered`);
  const { name, description, parameters = null } = tool.function;
  return { type: 'function', name, ...(description === undefined ? {} : { description }), parameters, strict: false };
}

/** An item of an answer, unchanged. */
type Item = Readonly<Record<string, unknown>>;

function toItems(message: ExpandedMessage): ResponseInputItem[] {
  const { role, content } = message;
  if (role === 'tool') return [{ type: 'function_call_output', call_id: message.tool_call_id, output: content }];
  if (role === 'assistant') return itemsOfAssistant(message) as unknown as ResponseInputItem[];
  return [{ type: 'message', role, content }];
}

/**
 * Returns the turn's own items where the message still has their content, and plain items for the rest: a message of
 * another model, a text that a strategy has shortened, a call whose id was unusable.
 */
function itemsOfAssistant(message: AssistantMessage): Item[] {
  const { content, continuation, tool_calls: calls = [] } = message;
  // readResponse wrote this text, and nothing else reads it.
  const own = continuation === undefined ? [] : (JSON.parse(continuation.data) as Item[]);
  const unsent = new Map(calls.map((call) => [call.id, call]));
  const saysTheSame = textOfItems(own) === (content === '' ? null : content);
  const kept = own.map((item): boolean => {
    if (item['type'] !== 'function_call') return item['type'] !== 'message' || saysTheSame;
    const id = String(item['call_id']);
    return isSameCall(item, unsent.get(id)) && unsent.delete(id);
  });
  return [
    ...(saysTheSame || content === null || content === '' ? [] : [{ type: 'message', role: 'assistant', content }]),
    ...withFollowedReasoning(own, kept),
    ...Array.from(unsent.values(), plainCall),
  ];
}

function isSameCall({ name, arguments: args }: Item, call: ToolCall | undefined): boolean {
  return call !== undefined && name === call.function.name && args === call.function.arguments;
}

function plainCall({ id, function: called }: ToolCall): Item {
  return { type: 'function_call', call_id: id, name: called.name, arguments: called.arguments };
}

/**
 * Keeps items with the reasoning that led to them. The API refuses a reasoning item without the item after it, so both
 * are kept or dropped together. An item's own id ties it to its reasoning: without the reasoning it is sent without the
 * id, as if the client had written it.
 */
function withFollowedReasoning(own: readonly Item[], kept: readonly boolean[]): Item[] {
  const items: Item[] = [];
  let reasoning: Item[] = [];
  /** True after omitted reasoning, until the next reasoning item. */
  let isOrphan = false;
  for (const [at, item] of own.entries()) {
    if (item['type'] === 'reasoning') {
      if (reasoning.length === 0) isOrphan = false;
      reasoning.push(item);
      continue;
    }
    if (reasoning.length > 0) {
      // The provider stores nothing, so it cannot look up reasoning that arrived without its content.
      isOrphan = kept[at] !== true || !reasoning.every(hasContent);
      if (!isOrphan) items.push(...reasoning);
      reasoning = [];
    }
    if (kept[at] === true) items.push(isOrphan ? withoutId(item) : item);
  }
  return items;
}

function hasContent({ encrypted_content: encrypted, content }: Item): boolean {
  return (typeof encrypted === 'string' && encrypted !== '') || (Array.isArray(content) && content.length > 0);
}

function withoutId(item: Item): Item {
  const { id: _, status: __, ...rest } = item;
  // A message with parts is an output message, which requires its id; a client's own message has plain text.
  return item['type'] === 'message' ? { ...rest, content: textOfItems([item]) ?? '' } : rest;
}

/**
 * @param text the body of an answer with status 200
 * @throws UnusableReplyError
 */
export function readResponse(text: string, envelope: ReplyEnvelope): WireReply {
  const body = parseReplyBody(text, responseSchema, WHAT);
  const reader = new ReplyReader(text);
  const clean = (value: string) => envelope.removeKey(value);
  const name = nameCleaner(envelope.removeKey);
  const { reason } = toFields(body['incomplete_details']);
  requireGoodEnd({ reasons: [reason], saysSomething: true });
  const { error } = body;
  if (error !== undefined && error !== null) throw failedResponse(error);
  const status = name(body['status'], 'completed');
  if (status !== 'completed' && status !== 'incomplete') {
    throw new UnusableReplyError('ModelUnavailable', `the provider answered with a response that is ${status}`);
  }
  const output = readItems(body.output, reader, status === 'incomplete');
  if (output.length === 0 && reader.hasNoted('parts')) {
    if (body.output.some((item) => toFields(item)['type'] === 'function_call')) throw malformedReply(NO_CALL);
    throw notACompletion(text, WHAT, 'its output has no item that can be read');
  }
  const calls = toolCalls(output, clean);
  const content = textOfItems(output);
  const saysSomething = calls.length > 0 || hasText(content);
  requireGoodEnd({ reasons: [reason], saysSomething });
  if (!saysSomething && refusesIn(output)) throw contentFiltered();
  const continuation = findContinuation(output, clean);
  return {
    message: {
      role: 'assistant',
      content: content === null ? null : clean(content),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    ...(continuation === null ? {} : { continuation }),
    finishReason: toFinishReason(status, reason === undefined ? null : name(reason, status), calls.length > 0),
    ...responseUsage(body['usage'], reader),
    servedModel: name(body['model'], envelope.requestedModel),
    fingerprint: null,
    requestId: envelope.requestId,
    latencyMs: envelope.latencyMs,
    ...reader.repairs(),
  };
}

const WHAT = 'a response';

function refusesIn(output: readonly Item[]): boolean {
  return output.filter(isMessage).some(({ content }) => content.some(({ type }) => type === 'refusal'));
}

/** Codes of a response that failed after it was accepted; other codes are transient. */
function failedResponse(error: unknown): UnusableReplyError {
  const { code } = toFields(error);
  const failure = reportedError(error, "the provider's response failed");
  if (typeof code !== 'string' || !/policy|content_filter/.test(code)) return failure;
  return new UnusableReplyError('ContentFilter', failure.message);
}

/** Returns the reason in the words of chat completions, which the rules for usage and cache use. */
function toFinishReason(status: string, reason: string | null, hasCalls: boolean): string {
  if (reason === 'max_output_tokens') return 'length';
  if (status === 'incomplete') return reason ?? 'incomplete';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** Texts of all messages as paragraphs, such as a comment and an answer; null without text. */
function textOfItems(items: readonly Item[]): string | null {
  const texts = items.filter(isMessage).map(({ content }) => content.map(textOfPart).join(''));
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? null : said.join('\n\n');
}

function textOfPart({ text, refusal }: Item): string {
  return typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : '';
}

/** Longest id; an item with a longer one is replaced. */
const MAX_ID_CHARS = 200;

function toolCalls(output: readonly Item[], clean: Redact): ToolCall[] {
  const calls: ToolCall[] = [];
  const used = new Set<string>();
  for (const [index, item] of output.entries()) {
    if (!isCall(item)) continue;
    const given = item.call_id.length > MAX_ID_CHARS ? '' : clean(item.call_id);
    const id = given === '' || used.has(given) ? `call_${String(index)}` : given;
    used.add(id);
    calls.push({ id, type: 'function', function: { name: clean(item.name), arguments: clean(item.arguments) } });
  }
  return calls;
}

/**
 * Returns the items to hand back; null if a plain message has the same content. Items that contain the key are dropped:
 * they must not be stored, and the API would refuse changed ones.
 */
function findContinuation(output: readonly Item[], clean: Redact): string | null {
  if (output.length === 0) return null;
  try {
    const data = JSON.stringify(output);
    return clean(data) === data ? data : null;
  } catch {
    throw malformedReply('it is nested deeper than can be written');
  }
}

export function responseUsage(given: unknown, reader: ReplyReader) {
  return reader.usage(given, ['input_tokens', 'output_tokens'], (count) => ({
    promptTokens: count('input_tokens'),
    completionTokens: count('output_tokens'),
    cachedTokens: count('input_tokens_details', 'cached_tokens'),
    ...cacheWrites(count, 'input_tokens_details'),
    reasoningTokens: count('output_tokens_details', 'reasoning_tokens'),
  }));
}

const CALL_FIELDS = ['call_id', 'name', 'arguments'] as const;
type CallItem = Item & Readonly<Record<(typeof CALL_FIELDS)[number], string>>;
type MessageItem = Item & { readonly content: readonly Item[] };

function isCall(item: Item): item is CallItem {
  return item['type'] === 'function_call' && CALL_FIELDS.every((name) => typeof item[name] === 'string');
}

function isMessage(item: Item): item is MessageItem {
  return item['type'] === 'message' && Array.isArray(item['content']) && item['content'].every(isObject);
}

/**
 * Returns readable items, unchanged or in the API's form. Items of other kinds are kept unread; items without a kind
 * are omitted.
 */
function readItems(output: readonly unknown[], reader: ReplyReader, isCut: boolean): readonly Item[] {
  return output.flatMap((given, index) => {
    const item = toFields(given);
    const type = item['type'];
    const read =
      type === 'function_call'
        ? readCall(item, reader, index, isCut)
        : type === 'message'
          ? readMessage(item)
          : typeof type === 'string'
            ? item
            : null;
    if (read === null) reader.note('parts');
    return read === null ? [] : [read];
  });
}

function readCall(item: Item, reader: ReplyReader, index: number, isCut: boolean): Item | null {
  const { name, call_id: id = item['id'] } = item;
  if (typeof name !== 'string' || name === '') return null;
  const args = reader.arguments(item['arguments'], ['output', index, 'arguments'], isCut);
  if (args === null) return null;
  return {
    ...item,
    call_id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name,
    arguments: args,
  };
}

function readMessage(item: Item): Item | null {
  if (isMessage(item)) return item;
  const { content } = item;
  if (typeof content === 'string')
    return { ...item, content: [{ type: 'output_text', text: content, annotations: [] }] };
  return Array.isArray(content) ? { ...item, content: content.filter(isObject) } : null;
}

const responseSchema = z.looseObject({ output: z.array(z.unknown()) });
