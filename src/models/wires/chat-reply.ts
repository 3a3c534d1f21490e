/** The reader of chat completions. */

import { isTruncated } from '../../agents/index.ts';
import * as z from 'zod';
import { isObject, type Redact } from '../../io/index.ts';
import type { ToolCall, Usage } from '../../agents/index.ts';

import { hasText, requireGoodEnd } from '../finish-reasons.ts';
import type { HandedBack, ProviderRow } from '../provider-table.ts';
import {
  NO_CALL,
  contentFiltered,
  malformedReply,
  nameCleaner,
  notACompletion,
  parseReplyBody,
  type ModelReply,
} from '../reply.ts';
import { ReplyReader, cacheWrites, toFields, listItems } from '../reply-reader.ts';
import type { Fields } from '../../io/index.ts';
import type { ReplyEnvelope, WireReply } from './wire.ts';

export interface ChatContinuation {
  readonly message: Readonly<Record<string, unknown>>;
  /** Extra content by the call's id: Gemini's signature of a thought. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Reads a chat completion. The provider's row determines the fields that it wants back, and whether it reports costs.
 *
 * @param text the body of an answer with status 200
 * @throws UnusableReplyError
 */
export function readChatReply(
  text: string,
  envelope: ReplyEnvelope,
  { handsBack = [], reportsCost }: Pick<ProviderRow, 'handsBack' | 'reportsCost'> = {},
): WireReply {
  const body = parseReplyBody(text, replySchema, WHAT);
  const [choice] = body.choices;
  const reason = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : null;
  const end = { reasons: [reason, ...nativeReasons(choice)], error: choice['error'] };
  requireGoodEnd({ ...end, saysSomething: isObject(choice['message']) });
  const message = findMessage(choice, reason, text);
  const reader = new ReplyReader(text);
  const clean = (value: string) => envelope.removeKey(value);
  const name = nameCleaner(envelope.removeKey);
  const calls = toolCalls(message, { reader, clean, isCut: reason !== null && isTruncated(reason) });
  const said = joinContent(message['content'], reader);
  // The user sees a refusal as the model's message.
  const content = said === null || said === '' ? (textIn(message, 'refusal') ?? said) : said;
  if (content === null && calls.length === 0 && reader.hasNoted('parts')) {
    if (listItems(message['tool_calls']).some(isFunction)) throw malformedReply(NO_CALL);
    throw notACompletion(text, WHAT, 'its message has no part that can be read');
  }
  const saysSomething = calls.length > 0 || hasText(content);
  requireGoodEnd({ ...end, saysSomething });
  if (!saysSomething && isRefusal(message)) throw contentFiltered();
  const continuation = findContinuation(message, calls, handsBack);
  return {
    message: {
      role: 'assistant',
      content: content === null ? null : clean(content),
      // An empty list is left out: providers refuse to take it back in the next request.
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ call }) => call) }),
    },
    ...(continuation === null ? {} : { continuation: clean(continuation) }),
    finishReason: name(reason),
    ...chatUsage(body['usage'], reader),
    ...(reportsCost === true ? reportedCost(toFields(body['usage'])) : {}),
    servedModel: name(body['model'], envelope.requestedModel),
    fingerprint: typeof body['system_fingerprint'] === 'string' ? name(body['system_fingerprint']) : null,
    requestId: envelope.requestId,
    latencyMs: envelope.latencyMs,
    ...reader.repairs(),
  };
}

const WHAT = 'a chat completion';

/** Returns the reasons of the provider behind a gateway; OpenRouter and LiteLLM have different fields for them. */
function nativeReasons(choice: Fields): readonly unknown[] {
  const { native_finish_reason: native, provider_specific_fields: own } = choice;
  return [native, toFields(own)['native_finish_reason']];
}

/** Returns the message; an empty one if a limit was too low for any. */
function findMessage({ message }: Fields, reason: string | null, text: string): RawMessage {
  if (isObject(message)) return message;
  if (reason !== null && isTruncated(reason)) return {};
  throw notACompletion(text, WHAT, 'choices.0.message: expected an object');
}

/** @returns true for a refusal by field or by content */
function isRefusal({ refusal, content }: RawMessage): boolean {
  return typeof refusal === 'string' || listItems(content).some((part) => toFields(part)['type'] === 'refusal');
}

function findContinuation(
  message: RawMessage,
  calls: readonly ReadCall[],
  handsBack: readonly HandedBack[],
): string | null {
  const wanted = wantedFields(message, handsBack);
  const ofCalls = calls.flatMap(({ call, raw }) => {
    const fields = wantedFields(raw, handsBack);
    return Object.keys(fields).length === 0 ? [] : [[call.id, fields] as const];
  });
  if (Object.keys(wanted).length === 0 && ofCalls.length === 0) return null;
  const continuation: ChatContinuation = { message: wanted, calls: Object.fromEntries(ofCalls) };
  return JSON.stringify(continuation);
}

function wantedFields(raw: Fields, names: readonly HandedBack[]) {
  return Object.fromEntries(names.flatMap((name) => (isSaid(raw[name]) ? [[name, raw[name]]] : [])));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** @returns true for a function call with any content */
function isFunction(item: unknown): boolean {
  const { function: called } = toFields(item);
  return typeof called === 'object' && called !== null;
}

type RawMessage = Fields;

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Joins the content. Some servers answer in parts, of which only texts count; an object is the requested JSON. */
function joinContent(content: unknown, reader: ReplyReader): string | null {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return null;
  if (!Array.isArray(content)) {
    reader.note('parts');
    return null;
  }
  let text: string | null = null;
  for (const part of content as readonly unknown[]) {
    const { text: own, refusal } = toFields(part);
    const words = [part, own, refusal].find((value) => typeof value === 'string');
    if (typeof words === 'string') text = (text ?? '') + words;
    else if (typeof part !== 'object' || part === null) reader.note('parts');
  }
  return text;
}

interface ReadCall {
  readonly call: ToolCall;
  readonly raw: Fields;
}

interface CallReading {
  readonly reader: ReplyReader;
  readonly clean: Redact;
  /** True if the reply has reached a limit on tokens. */
  readonly isCut: boolean;
}

/** Reads the calls. Kinds other than functions were never offered, so they are dropped; unreadable calls are noted. */
function toolCalls(message: RawMessage, { reader, clean, isCut }: CallReading): ReadCall[] {
  const calls: ReadCall[] = [];
  const used = new Set<string>();
  for (const { raw, called, path } of rawCalls(message, reader)) {
    const name = textIn(called, 'name');
    const args = name === null ? null : reader.arguments(called['arguments'], [...path, 'arguments'], isCut);
    if (name === null || args === null) {
      reader.note('parts');
      continue;
    }
    const given = typeof raw['id'] === 'number' ? String(raw['id']) : textIn(raw, 'id');
    // The next request pairs calls and results by id, so every call needs an id of its own.
    const id = given === null || used.has(given) ? `call_${String(path[4] ?? 0)}` : clean(given);
    used.add(id);
    calls.push({ call: { id, type: 'function', function: { name: clean(name), arguments: clean(args) } }, raw });
  }
  return calls;
}

interface RawCall {
  readonly raw: Fields;
  readonly called: Fields;
  /** Place of the function in the answer. */
  readonly path: readonly (string | number)[];
}

const MESSAGE_PATH = ['choices', 0, 'message'] as const;

function rawCalls(message: RawMessage, reader: ReplyReader): RawCall[] {
  const listed = message['tool_calls'];
  const calls = listItems(listed).flatMap((item, index): RawCall[] => {
    const raw = toFields(item);
    const { function: called, custom } = raw;
    if (typeof called !== 'object' || called === null) {
      if (custom === undefined) reader.note('parts');
      return [];
    }
    const place = Array.isArray(listed) ? [index] : [];
    return [{ raw, called: toFields(called), path: [...MESSAGE_PATH, 'tool_calls', ...place, 'function'] }];
  });
  const single = message['function_call'];
  if (calls.length > 0 || typeof single !== 'object' || single === null) return calls;
  reader.note('call');
  return [{ raw: {}, called: toFields(single), path: [...MESSAGE_PATH, 'function_call'] }];
}

/** Returns OpenRouter's price. If the user has a key of the provider itself, the provider's price is added. */
export function reportedCost({
  cost,
  is_byok: isOwnKey,
  cost_details: details,
}: Fields): Pick<ModelReply, 'reportedCostUsd'> {
  if (!isPrice(cost)) return {};
  const { upstream_inference_cost: upstream } = toFields(details);
  return { reportedCostUsd: isOwnKey === true && isPrice(upstream) ? cost + upstream : cost };
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}

/** Reads the usage. DeepSeek calls the cached part of the prompt `prompt_cache_hit_tokens`. */
export function chatUsage(given: unknown, reader: ReplyReader) {
  return reader.usage(given, ['prompt_tokens', 'completion_tokens'], (count): Usage => {
    const prompt = count('prompt_tokens');
    const completion = count('completion_tokens');
    const cachedTokens = count('prompt_tokens_details', 'cached_tokens') || count('prompt_cache_hit_tokens');
    const reasoning = count('completion_tokens_details', 'reasoning_tokens');
    const beside = Math.max(0, count('total_tokens') - prompt - completion);
    // Some count tokens read from the cache in addition to the prompt, as Anthropic does.
    const isCache = cachedTokens > 0 && beside === cachedTokens && reasoning !== beside;
    // xAI and Gemini count reasoning in the total, but not in the completion's tokens, to which prices apply.
    const thought = isCache ? 0 : beside;
    return {
      promptTokens: prompt + (isCache ? beside : 0),
      completionTokens: completion + thought,
      cachedTokens,
      ...cacheWrites(count, 'prompt_tokens_details'),
      reasoningTokens: Math.max(thought, reasoning),
    };
  });
}

const replySchema = z.looseObject({ choices: z.tuple([z.looseObject({})], z.unknown()) });
