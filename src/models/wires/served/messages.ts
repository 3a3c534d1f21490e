/** The server's side of Anthropic's Messages. */

import * as z from 'zod';
import { dumpJson, parseObject } from '../../../benchmarks/python/index.ts';
import { isObject } from '../../../io/index.ts';
import { anthropicError } from './errors.ts';
import type { Fields } from '../../../io/index.ts';
import { streamMessage } from './messages-stream.ts';
import { COMMON, UNNAMED, parseRequest, plainMessage, readTools, textIn, joinWords } from './request.ts';
import type { ServedMessage, ServedReply, ServedRequest, ServedWire } from './wire.ts';

export const MESSAGES: ServedWire = {
  read: readMessages,
  write: writeMessage,
  stream: streamMessage,
  writeError: anthropicError,
};

const blocks = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const messagesRequestSchema = z.looseObject({
  ...COMMON,
  system: blocks.nullish(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system', 'tool']), content: blocks.nullish() }))
    .min(1),
  output_config: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
});

function readMessages(body: unknown): ServedRequest {
  const request = parseRequest(body, messagesRequestSchema, "a request of Anthropic's Messages API");
  const { model, system, messages, tools, tool_choice: choice, stream, output_config: config } = request;
  return {
    model,
    messages: [...(system ? [plainMessage('system', joinWords(system))] : []), ...messages.flatMap(toMessages)],
    ...readTools(tools, choice, ({ type = 'custom', name, input_schema: parameters }) => {
      if (type !== 'custom' && type !== 'function') return undefined;
      return parameters === undefined ? UNNAMED : { name, parameters };
    }),
    wantsJson: config?.format?.type.startsWith('json') ?? false,
    seed: null,
    isStreamed: stream === true,
    wantsUsage: true,
    previousId: null,
  };
}

type RequestMessage = z.infer<typeof messagesRequestSchema>['messages'][number];

/** Converts a user's turn: results of calls first, then the user's text, each as a message. */
function toMessages({ role, content }: RequestMessage): ServedMessage[] {
  const given: readonly Fields[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const said = given.some(({ type }) => type === 'text')
    ? joinWords(given.filter(({ type }) => type === 'text'))
    : null;
  if (role === 'assistant') {
    const thinking = given.find(({ type }) => type === 'thinking' || type === 'redacted_thinking');
    const thought = thinking && (textIn(thinking, 'signature') || textIn(thinking, 'data'));
    return [{ role, content: said, calls: given.filter(isCall).map(toCall), thought: thought || null }];
  }
  const results = given
    .filter(({ type }) => type === 'tool_result')
    .map(({ content: result }) => plainMessage('tool', joinWords(result)));
  return [...results, ...(said === null && results.length > 0 ? [] : [plainMessage(role, said ?? '')])];
}

function isCall({ type }: Fields): boolean {
  return type === 'tool_use';
}

function toCall(block: Fields): ServedMessage['calls'][number] {
  const { input } = block;
  return {
    id: textIn(block, 'id'),
    name: textIn(block, 'name'),
    arguments: JSON.stringify(isObject(input) ? input : {}),
  };
}

/** Writes JSON as Python does, because numbers of an input keep their spelling. */
function writeMessage(reply: ServedReply): string {
  const { content, calls, thought, promptTokens, completionTokens } = reply;
  return dumpJson({
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: [
      ...(thought === null ? [] : [{ type: 'redacted_thinking', data: thought }]),
      ...(content === null ? [] : [{ type: 'text', text: content }]),
      // An input has to be an object; other arguments have no form here.
      ...calls.map(({ id, name, arguments: text }) => {
        return { type: 'tool_use', id, name, input: parseObject(text) ?? new Map() };
      }),
    ],
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: promptTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: completionTokens,
    },
  });
}
