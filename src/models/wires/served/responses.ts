/**
 * The server's side of the Responses API. Nothing is stored: a response's id contains the data that later requests
 * need.
 */

import * as z from 'zod';
import { openaiError } from './errors.ts';
import type { Fields } from '../../../io/index.ts';
import { COMMON, parseRequest, plainMessage, readTools, textIn, joinWords } from './request.ts';
import { streamResponse } from './responses-stream.ts';
import {
  UnreadableRequest,
  type ServedMessage,
  type ServedReply,
  type ServedRequest,
  type ServedWire,
} from './wire.ts';

export const RESPONSES: ServedWire = {
  read: readResponses,
  write: writeResponse,
  stream: streamResponse,
  writeError: openaiError,
};

const responsesRequestSchema = z.looseObject({
  ...COMMON,
  input: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  background: z.boolean().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
});

function readResponses(body: unknown): ServedRequest {
  const request = parseRequest(body, responsesRequestSchema, 'a request of the Responses API');
  const { model, input, instructions, tools, tool_choice: choice, stream, text, conversation, background } = request;
  if (background === true) {
    throw new UnreadableRequest(
      'Responses are given at once; leave out background.',
      'unsupported_value',
      'background',
    );
  }
  if (conversation !== undefined && conversation !== null) {
    throw new UnreadableRequest(
      'No conversations are stored here: leave out conversation, and send the earlier items or previous_response_id.',
      'unsupported_value',
      'conversation',
    );
  }
  if ((input ?? '').length === 0 && !request.previous_response_id) {
    throw new UnreadableRequest(
      'This is not a request of the Responses API: input is empty.',
      'invalid_request',
      'input',
    );
  }
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  const system = instructions ? [plainMessage('system', instructions)] : [];
  return {
    model,
    messages: [...system, ...readItems(items)],
    ...readTools(tools, choice, (tool) =>
      tool['type'] === 'function' ? { name: tool['name'], parameters: tool['parameters'] } : undefined,
    ),
    wantsJson: text?.format?.type.startsWith('json') ?? false,
    seed: null,
    isStreamed: stream === true,
    wantsUsage: true,
    previousId: request.previous_response_id ?? null,
  };
}

const ROLES: ReadonlyMap<unknown, ServedMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

/**
 * Returns the messages of the items. Texts and calls of the assistant become one message if no answer is between them.
 */
function readItems(items: readonly Fields[]): ServedMessage[] {
  const messages: ServedMessage[] = [];
  let thought: string | null = null;
  const addOfAssistant = (content: string | null, calls: ServedMessage['calls']) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant') messages.push({ role: 'assistant', content, calls, thought });
    else messages.splice(-1, 1, joinMessage(last, content, calls));
    thought = null;
  };
  items.forEach((item, at) => {
    const { type = 'message' } = item;
    if (type === 'reasoning') thought = textIn(item, 'encrypted_content') || null;
    else if (type === 'function_call_output') messages.push(plainMessage('tool', joinWords(item['output'])));
    else if (type === 'function_call') {
      const [id, name, args] = ['call_id', 'name', 'arguments'].map((field) => textIn(item, field));
      addOfAssistant(null, [{ id: id ?? '', name: name ?? '', arguments: args ?? '' }]);
    } else if (type === 'item_reference') {
      // An earlier text or call of the assistant, whose content only the client has.
      if (/^(?:msg|fc)_/.test(textIn(item, 'id'))) addOfAssistant(null, []);
    } else if (type === 'message') {
      const role = ROLES.get(item['role']);
      if (role === undefined) {
        throw new UnreadableRequest(
          `This is not a request of the Responses API: input.${at} has no role and no type that is known.`,
          'invalid_request',
          'input',
        );
      }
      if (role === 'assistant') addOfAssistant(joinWords(item['content']), []);
      else messages.push(plainMessage(role, joinWords(item['content'])));
    }
  });
  return messages;
}

function joinMessage(message: ServedMessage, content: string | null, calls: ServedMessage['calls']): ServedMessage {
  const texts = [message.content, content].filter((text) => text !== null);
  return { ...message, content: texts.length === 0 ? null : texts.join('\n\n'), calls: [...message.calls, ...calls] };
}

function writeResponse(reply: ServedReply): string {
  const { id, content, calls, thought, promptTokens, completionTokens } = reply;
  const status = 'completed';
  const reasoning = { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: thought };
  const part = { type: 'output_text', text: content, annotations: [], logprobs: [] };
  return JSON.stringify({
    id: `resp_${id}`,
    object: 'response',
    created_at: reply.created,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: reply.model,
    output: [
      ...(thought === null ? [] : [reasoning]),
      ...(content === null ? [] : [{ type: 'message', id: `msg_${id}`, status, role: 'assistant', content: [part] }]),
      ...calls.map(({ id: call_id, name, arguments: args }, at) => {
        return { type: 'function_call', id: `fc_${id}_${at}`, call_id, name, arguments: args, status };
      }),
    ],
    parallel_tool_calls: true,
    previous_response_id: null,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + completionTokens,
    },
  });
}
