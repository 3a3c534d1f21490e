/**
 * Anthropic's Messages: tools in its own form, the prompt cached on its server, and thoughts handed back with their
 * signatures.
 *
 * The API has no JSON mode without a schema, so a request without a schema asks for JSON only in words.
 */

import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming, Tool } from '@anthropic-ai/sdk/resources/messages';
import * as z from 'zod';
import type { ToolCall, Usage } from '../../agents/index.ts';
import { JsonError, dumpJson, isDict, isList, parseJson, type PyDict } from '../../benchmarks/python/index.ts';
import { mostTokens, takesSchema } from '../capabilities.ts';
import type { ModelRequest } from '../types.ts';
import type { ResolvedProvider } from '../providers.ts';
import type { Redact } from '../../io/index.ts';
import { hasText, requireGoodEnd } from '../finish-reasons.ts';
import { NO_CALL, malformedReply, nameCleaner, notACompletion, parseReplyBody } from '../reply.ts';
import { ReplyReader, toFields } from '../reply-reader.ts';
import { requestOptions } from './openai.ts';
import { readBlockField, parseInput, toTurns, readBlockType, type MessageTurns } from './message-turns.ts';
import type { CreateWire, ReplyEnvelope, WireReply } from './wire.ts';

/** Version of the API. All its servers support this one, which accepts a temperature if the model does. */
const API_VERSION = '2023-06-01';

export const createMessagesWire: CreateWire = (provider, fetch) => {
  // Loading the package takes long, so a command without such calls does not load it.
  let client: Promise<Anthropic> | undefined;
  return {
    async send(request, model, options) {
      client ??= createAnthropic(provider, fetch);
      const { headers, ...rest } = requestOptions(request, options);
      const body = messagesBody(model, request);
      return (await client)
        .post('/v1/messages', {
          ...rest,
          // Sent as text, because the package would write 131.0 as 131.
          body: dumpJson(body),
          headers: { ...headers, 'content-type': 'application/json', ...betaHeaders(body) },
        })
        .asResponse();
    },
    read: readMessagesReply,
  };
};

export async function createAnthropic(provider: ResolvedProvider, fetch: typeof globalThis.fetch): Promise<Anthropic> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk/client');
  return new Client({
    baseURL: provider.messages.baseURL,
    // The client requires a key, and would send it as `Authorization`, which not all servers of this API read.
    apiKey: provider.apiKey ?? 'none',
    webhookKey: null,
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: {
      ...provider.headers,
      authorization: null,
      'anthropic-version': API_VERSION,
      ...(provider.apiKey === null ? {} : { 'x-api-key': provider.apiKey }),
    },
    defaultQuery: provider.messages.query,
    maxRetries: 0,
    fetch,
  });
}

/** Body of a request, with fields that the package's types lack because the newest models refuse them. */
type MessagesBody = MessageCreateParamsNonStreaming & { readonly temperature?: number; readonly top_p?: number };

function messagesBody(model: string, request: ModelRequest): MessagesBody {
  const {
    tools = [],
    temperature,
    // The API requires a cap: without one, the most that every model accepts is sent.
    maxCompletionTokens: cap = mostTokens(model) ?? 32_000,
    top_p,
    reasoning_effort: effort,
  } = request;
  const conversation = toTurns(request.messages);
  const thinking = effort === undefined ? {} : chooseThinking(model, effort, cap, conversation);
  const isThinking = effort !== undefined && effort !== 'none';
  const { schema } = request;
  const takesFormat = schema !== undefined && request.format === 'json' && takesSchema(request.provider, model);
  const format = { type: 'json_schema', schema: { ...schema?.schema } } as const;
  const cached = withBreakpoints({ ...conversation, tools: tools.map(toTool) });
  return {
    model,
    max_tokens: cap,
    ...(cached.tools.length === 0 ? {} : { tools: [...cached.tools] }),
    ...(cached.system.length === 0 ? {} : { system: cached.system }),
    messages: [...cached.turns],
    // With thoughts the API accepts only its own temperature.
    ...(temperature === null || isThinking ? {} : { temperature }),
    ...(top_p === undefined ? {} : { top_p }),
    ...thinking,
    ...(takesFormat ? { output_config: { ...thinking.output_config, format } } : {}),
    ...request.extra_body,
  };
}

type RequestTool = NonNullable<ModelRequest['tools']>[number];

function toTool(tool: RequestTool): Tool {
  if (tool.type !== 'function') throw new TypeError(`a tool of type ${tool.type} is none that this API has`);
  const { name, description, parameters = { properties: {} } } = tool.function;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { ...parameters, type: 'object' },
  };
}

/** Models with a token budget for thinking. Later models use an effort instead. */
const BUDGETED = /claude-(?:3|(?:opus|sonnet|haiku)-4(?:[-.][0-5](?!\d)|[-@]\d{8}|$))/;
const BUDGETS: Readonly<Record<string, number>> = { minimal: 1_024, low: 2_048, medium: 8_192, high: 24_576 };
const LEAST_BUDGET = 1_024;

type Thinking = Pick<MessageCreateParamsNonStreaming, 'thinking' | 'output_config'>;

function chooseThinking(model: string, effort: string, cap: number, { turns }: MessageTurns): Thinking {
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (!BUDGETED.test(model)) {
    const level = effort as NonNullable<MessageCreateParamsNonStreaming['output_config']>['effort'];
    return { thinking: { type: 'adaptive' }, output_config: { effort: level ?? null } };
  }
  // A turn of calls that another model began has no thoughts, and none can be added.
  const lastReply = turns.findLast(({ role }) => role === 'assistant')?.content.map(readBlockType) ?? [];
  if (lastReply.includes('tool_use') && !/thinking$/.test(lastReply[0] ?? '')) return {};
  const budget = Math.max(LEAST_BUDGET, Math.min(BUDGETS[effort] ?? Infinity, Math.floor(cap / 2)));
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Returns the header without which models with a budget do not think between the calls of a turn. */
function betaHeaders({ model, tools, thinking }: MessagesBody): Record<string, string> {
  if (thinking?.type !== 'enabled' || tools === undefined || /claude-3/.test(model)) return {};
  return { 'anthropic-beta': 'interleaved-thinking-2025-05-14' };
}

type CacheableTurns = MessageTurns & { readonly tools: readonly Tool[] };

const BREAKPOINT = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Marks what the server may cache: tools and system text, which all episodes share, and, in a conversation with several
 * calls, the last two user turns; the earlier of them was already marked in the previous call. Writing to the cache
 * costs a quarter more than reading, so a conversation of one call has no further marks.
 */
function withBreakpoints({ system, turns, tools }: CacheableTurns): CacheableTurns {
  const goesOn = tools.length > 0 || turns.some(({ role }) => role === 'assistant');
  const users = goesOn ? turns.filter(({ role }) => role === 'user').slice(-2) : [];
  return {
    tools: system.length > 0 ? tools : markLast(tools),
    system: markLast(system),
    turns: turns.map((turn) => (users.includes(turn) ? { ...turn, content: markLast(turn.content) } : turn)),
  };
}

function markLast<T extends object>(items: readonly T[]): T[] {
  return items.map((item, index) => (index === items.length - 1 ? { ...item, ...BREAKPOINT } : item));
}

/**
 * @param text the body of an answer with status 200
 * @throws UnusableReplyError
 */
export function readMessagesReply(text: string, envelope: ReplyEnvelope): WireReply {
  const body = parseReplyBody(text, replySchema, 'a message');
  const stopReason = typeof body['stop_reason'] === 'string' ? body['stop_reason'] : '';
  requireGoodEnd({ reasons: [stopReason], saysSomething: true });
  const reader = new ReplyReader(text);
  const clean = (value: string) => envelope.removeKey(value);
  const name = nameCleaner(envelope.removeKey);
  const blocks = readBlocks(text, reader);
  if (blocks.length === 0 && reader.hasNoted('parts')) {
    const { content } = body;
    if (Array.isArray(content) && content.some((block) => toFields(block)['type'] === 'tool_use'))
      throw malformedReply(NO_CALL);
    throw notACompletion(text, 'a message', 'its content has no block that can be read');
  }
  const texts = blocks.filter((block) => readBlockType(block) === 'text').map((block) => readBlockField(block, 'text'));
  const calls = blocks.filter((block) => readBlockType(block) === 'tool_use').map((block) => toolCall(block, clean));
  requireGoodEnd({ reasons: [stopReason], saysSomething: calls.length > 0 || texts.some(hasText) });
  const continuation = findContinuation(blocks);
  return {
    message: {
      role: 'assistant',
      content: texts.length === 0 ? null : clean(texts.join('')),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    ...(continuation === null ? {} : { continuation: clean(continuation) }),
    finishReason: name(FINISH_REASONS[stopReason] ?? stopReason),
    ...messagesUsage(body['usage'], reader),
    servedModel: name(body['model'], envelope.requestedModel),
    fingerprint: null,
    requestId: envelope.requestId,
    latencyMs: envelope.latencyMs,
    ...reader.repairs(),
  };
}

/** The API's reasons, translated to those of chat completions, by which results are compared. */
const FINISH_REASONS: Readonly<Record<string, string | undefined>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
};

/** Returns the answer's blocks, whose numbers keep their spelling; a plain text becomes a block. */
function readBlocks(text: string, reader: ReplyReader): PyDict[] {
  try {
    const body = parseJson(text);
    const content = isDict(body) ? body.get('content') : undefined;
    if (typeof content === 'string')
      return [
        new Map([
          ['type', 'text'],
          ['text', content],
        ]),
      ];
    return (isList(content) ? content : []).flatMap((block, index) => {
      const read = isDict(block) ? readBlock(block, reader, index) : null;
      if (read === null) reader.note('parts');
      return read === null ? [] : [read];
    });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw malformedReply(error.message);
  }
}

/** Reads a call, which needs a name, an id that pairs it with its result, and an object as input. */
function readBlock(block: PyDict, reader: ReplyReader, index: number): PyDict | null {
  if (readBlockType(block) !== 'tool_use') return readBlockType(block) === '' ? null : block;
  if (readBlockField(block, 'name') === '') return null;
  const id = readBlockField(block, 'id');
  const given = block.get('input') ?? null;
  const input = given === null || (isList(given) && given.length === 0) ? '' : given;
  if (input === '') reader.note('empty');
  else if (typeof input === 'string') reader.note('arguments');
  return new Map([
    ...block,
    ...(id === '' ? [['id', `call_${String(index)}`] as const] : []),
    ...(typeof input === 'string' ? [['input', parseInput(input)] as const] : []),
  ]);
}

function toolCall(block: PyDict, clean: Redact): ToolCall {
  const input = block.get('input');
  return {
    id: clean(readBlockField(block, 'id')),
    type: 'function',
    function: { name: clean(readBlockField(block, 'name')), arguments: clean(dumpJson(input ?? new Map())) },
  };
}

/** Returns the blocks if the message lacks some of their content: thoughts, or text between calls. */
function findContinuation(blocks: readonly PyDict[]): string | null {
  const types = blocks.map(readBlockType);
  if (/^(?:text )?(?:tool_use )*$/.test(types.map((type) => `${type} `).join(''))) return null;
  return dumpJson(blocks);
}

/** Reads the usage. The API counts cached tokens, read and written, in addition to the input. */
export function messagesUsage(given: unknown, reader: ReplyReader) {
  return reader.usage(given, ['input_tokens', 'output_tokens'], (count): Usage => {
    const cachedTokens = count('cache_read_input_tokens');
    const cacheWriteTokens = count('cache_creation_input_tokens');
    const completionTokens = count('output_tokens');
    return {
      promptTokens: count('input_tokens') + cachedTokens + cacheWriteTokens,
      completionTokens,
      cachedTokens,
      ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
      reasoningTokens: Math.min(completionTokens, count('output_tokens_details', 'thinking_tokens')),
    };
  });
}

const replySchema = z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) });
