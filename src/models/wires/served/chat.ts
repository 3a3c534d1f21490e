/** The server's side of chat completions. */

import * as z from 'zod';
import { isObject } from '../../../io/index.ts';
import { streamChat } from './chat-stream.ts';
import { openaiError } from './errors.ts';
import { COMMON, UNNAMED, parseRequest, readTools, joinWords } from './request.ts';
import {
  UnreadableRequest,
  type ServedMessage,
  type ServedReply,
  type ServedRequest,
  type ServedWire,
} from './wire.ts';

export const CHAT: ServedWire = { read: readChat, write: writeChat, stream: streamChat, writeError: openaiError };

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: content.optional(),
  tool_calls: z.array(toolCall).nullish(),
  reasoning_content: z.string().nullish(),
});

const chatRequestSchema = z.looseObject({
  ...COMMON,
  messages: z.array(message).min(1),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.int().nullish(),
  n: z.int().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

function readChat(body: unknown): ServedRequest {
  const request = parseRequest(body, chatRequestSchema, 'a chat-completions request');
  const { model, tools, tool_choice: choice, seed = null, stream, n } = request;
  if ((n ?? 1) !== 1) {
    throw new UnreadableRequest('Only one choice is given; leave out n.', 'unsupported_value', 'n');
  }
  const readFunction = ({ type, function: described }: Readonly<Record<string, unknown>>) => {
    if (isObject(described)) return { name: described['name'], parameters: described['parameters'] };
    return type === 'custom' ? undefined : UNNAMED;
  };
  return {
    model,
    messages: request.messages.map(toMessage),
    ...readTools(tools, choice, readFunction),
    wantsJson: request.response_format?.type.startsWith('json') ?? false,
    seed,
    isStreamed: stream === true,
    wantsUsage: request.stream_options?.include_usage === true,
    previousId: null,
  };
}

function toMessage(given: z.infer<typeof message>): ServedMessage {
  const { role, content: said = null, tool_calls: calls, reasoning_content: thought } = given;
  return {
    role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
    content: said === null ? null : joinWords(said),
    calls: (calls ?? []).map(({ id, function: called }) => ({ id, ...pick(called) })),
    thought: thought ?? null,
  };
}

function pick({ name, arguments: args }: { readonly name: string; readonly arguments: string }) {
  return { name, arguments: args };
}

function writeChat(reply: ServedReply): string {
  const { content: said, calls, thought, promptTokens, completionTokens } = reply;
  const toolCalls = calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
  const written = {
    role: 'assistant',
    content: said,
    refusal: null,
    ...(thought === null ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return JSON.stringify({
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: [
      { index: 0, message: written, logprobs: null, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    system_fingerprint: reply.fingerprint,
  });
}
