/**
 * OpenAI's Responses API as strict as the service is known to be about a conversation of which it stores nothing. It
 * remembers nothing itself: encrypted reasoning says which item it was made with, and is sealed.
 */

import { schemaProblem } from './strict-schema.ts';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;

export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The request as chat completions would have it, for whoever plays the model. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Json[];
  readonly tools: readonly Json[];
  readonly seed?: number;
}

export interface ChatReply {
  readonly content: string | null;
  readonly tool_calls?: readonly ChatCall[];
}

export interface StrictResponses {
  /** Base URL with `/v1`. */
  readonly url: string;
  /** The bodies of accepted requests, in the order of their arrival. */
  readonly bodies: readonly string[];
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;
  constructor(message: string, param: string | null = null, status = 400) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

/** @param key of the one account */
export async function startStrictResponses(
  key: string,
  play: (request: ChatRequest) => ChatReply | Promise<ChatReply>,
): Promise<StrictResponses> {
  const bodies: string[] = [];
  const refusals: string[] = [];
  const server = createServer((message, response) => {
    const serve = async (): Promise<[status: number, body: object]> => {
      const body = await readText(message);
      try {
        if (message.headers.authorization !== `Bearer ${key}`) throw new Refusal('Incorrect API key.', null, 401);
        if (message.method !== 'POST' || message.url !== '/v1/responses') throw new Refusal('Not Found', null, 404);
        const request = JSON.parse(body) as Json;
        checkRequest(request);
        bodies.push(body);
        return [200, responseBody(request, body, await play(toChat(request)))];
      } catch (error) {
        const { status, param } = error instanceof Refusal ? error : { status: 500, param: null };
        const text = error instanceof Error ? error.message : String(error);
        refusals.push(text);
        return [status, { error: { message: text, type: 'invalid_request_error', param, code: null } }];
      }
    };
    void serve().then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `req_${bodies.length}` });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    bodies,
    refusals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Plays by a server of chat completions. */
export function playedBy(url: string): (request: ChatRequest) => Promise<ChatReply> {
  return async (request) => {
    const answer = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(request) });
    const body = (await answer.json()) as { choices: [{ message: ChatReply }] };
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body.choices[0].message;
  };
}

const REASONS = /^(?:o\d|gpt-[5-9])/;

/** Fields by place; each other field is refused. Those with a mark must be there. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  request:
    'model! input! store include tools temperature top_p max_output_tokens reasoning text service_tier metadata prompt_cache_key'.split(
      ' ',
    ),
  tool: 'type! name! description parameters! strict!'.split(' '),
  reasoning: 'type! id! summary! content encrypted_content status'.split(' '),
  message: 'type role! content! id status phase'.split(' '),
  function_call: 'type! call_id! name! arguments! id status'.split(' '),
  function_call_output: 'type! call_id! output! id status'.split(' '),
};

function checkFields(kind: string, value: Json, place: string): void {
  const fields = FIELDS[kind];
  if (fields === undefined) throw new Refusal(`Invalid value: '${kind}'.`, place);
  const names = new Set(fields.map((field) => field.replace('!', '')));
  for (const name of Object.keys(value)) {
    if (!names.has(name)) throw new Refusal(`Unknown parameter: '${place}${name}'.`, `${place}${name}`);
  }
  for (const field of fields) {
    const name = field.replace('!', '');
    if (field.endsWith('!') && value[name] === undefined) {
      throw new Refusal(`Missing required parameter: '${place}${name}'.`, `${place}${name}`);
    }
  }
}

/** @throws Error with what the service would say */
export function checkRequest(request: Json): void {
  checkFields('request', request, '');
  const { model, temperature, top_p, include, store, reasoning, tools = [], input, max_output_tokens: cap } = request;
  const reasons = REASONS.test(String(model));
  const unsupported = (name: string) =>
    new Refusal(`Unsupported parameter: '${name}' is not supported with this model.`, name);
  if (reasons && temperature !== undefined) throw unsupported('temperature');
  if (reasons && top_p !== undefined) throw unsupported('top_p');
  if (!reasons && reasoning !== undefined) throw unsupported('reasoning.effort');
  if (include !== undefined) {
    if (!reasons) throw new Refusal('Encrypted content is not supported with this model.', 'include');
    if (store !== false) throw new Refusal('Encrypted content is for responses that are not stored.', 'store');
  }
  if (typeof cap === 'number' && cap < 16)
    throw new Refusal("Invalid 'max_output_tokens': below 16.", 'max_output_tokens');
  for (const [at, tool] of (tools as Json[]).entries()) checkFields('tool', tool, `tools[${String(at)}].`);
  if (!Array.isArray(input) || input.length === 0) throw new Refusal('Input must be a list of items.', 'input');
  checkInput(input as Json[]);
  const { format } = (request['text'] ?? {}) as { format?: Json };
  if (format?.['type'] === 'json_schema') {
    const problem = schemaProblem(format['schema']);
    if (problem !== null) throw new Refusal(`Invalid schema for response_format: ${problem}`, 'text.format.schema');
    if (format['strict'] !== true || !/^[\w-]{1,64}$/.test(String(format['name']))) {
      throw new Refusal('Invalid text.format', 'text.format.name');
    }
  }
  if (format?.['type'] === 'json_object' && !/json/i.test(JSON.stringify(input))) {
    throw new Refusal("Response input messages must contain the word 'json'.", 'input');
  }
}

function checkInput(input: readonly Json[]): void {
  const called = new Set<string>();
  const answered = new Set<string>();
  const reasoned = new Set<string>();
  for (const [at, item] of input.entries()) {
    const place = `input[${String(at)}].`;
    const { type = 'message' } = item as { type?: string };
    checkFields(type, item, place);
    const id = item['id'];
    if (type === 'reasoning') {
      checkReasoning(item, input[at + 1]);
      reasoned.add(groupOf(String(id)));
    } else if (id !== undefined && typeof id === 'string' && groupOf(id) !== '' && !reasoned.has(groupOf(id))) {
      throw new Refusal(`Item '${id}' of type '${type}' was provided without its required 'reasoning' item.`, 'input');
    }
    if (type === 'message') checkMessage(item, place);
    const callId = String(item['call_id']);
    if (type === 'function_call') {
      if (called.has(callId)) throw new Refusal(`Duplicate call ${callId}.`, 'input');
      called.add(callId);
    }
    if (type === 'function_call_output') {
      if (!called.has(callId))
        throw new Refusal(`No tool call found for function call output with call_id ${callId}.`, 'input');
      answered.add(callId);
    }
  }
  for (const callId of called) {
    if (!answered.has(callId)) throw new Refusal(`No tool output found for function call ${callId}.`, 'input');
  }
}

function checkMessage({ role, content, id }: Json, place: string): void {
  if (!['user', 'assistant', 'system', 'developer'].includes(String(role))) {
    throw new Refusal(`Invalid value: '${String(role)}'.`, `${place}role`);
  }
  if (typeof content === 'string') {
    if (id !== undefined) throw new Refusal('An output message has parts.', `${place}content`);
    return;
  }
  const types = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text'];
  for (const { type } of content as Json[]) {
    if (!types.includes(String(type))) throw new Refusal(`Invalid value: '${String(type)}'.`, `${place}content`);
  }
}

function checkReasoning(item: Json, next: Json | undefined): void {
  const { id, encrypted_content: sealed } = item;
  if (typeof sealed !== 'string') {
    throw new Refusal(`Item with id '${String(id)}' not found. Items are not persisted.`, 'input', 404);
  }
  const [payload = '', seal] = sealed.split('.');
  const changed = new Refusal(`The encrypted content for item ${String(id)} could not be verified.`, 'input');
  if (seal !== sealOf(payload)) throw changed;
  const opened = JSON.parse(Buffer.from(payload, 'base64').toString()) as Json;
  if (opened['id'] !== id) throw changed;
  if (next === undefined || digestOf(JSON.stringify(next)) !== opened['next']) {
    throw new Refusal(
      `Item '${String(id)}' of type 'reasoning' was provided without its required following item.`,
      'input',
    );
  }
}

/** Items that were made with one reasoning item have its name: `fc_<group>_1`. */
function groupOf(id: string): string {
  return id.split('_')[1] ?? '';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

function sealOf(payload: string): string {
  return createHmac('sha256', 'nobody knows').update(payload).digest('base64url');
}

/** An episode's reasoning is from 1 to 20 kB an item. */
const PADDING = 'r'.repeat(2000);

/**
 * The reply as output items. By the request's digest a reply with a call has no other call, one beside it, or one with
 * reasoning of its own.
 */
function responseBody(request: Json, body: string, { content, tool_calls: calls = [] }: ChatReply): object {
  const digest = digestOf(body);
  const reasons = REASONS.test(String(request['model']));
  const words = (group: string) => ({
    id: `msg_${group}_0`,
    type: 'message',
    status: 'completed',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text: content }],
    role: 'assistant',
  });
  const called = (call: ChatCall, group: string, at: number) => ({
    id: `fc_${group}_${String(at)}`,
    type: 'function_call',
    status: 'completed',
    arguments: call.function.arguments,
    call_id: call.id,
    name: call.function.name,
  });
  const groupItems = (group: string, items: readonly object[]) =>
    reasons && items[0] !== undefined ? [reasoningItem(`rs_${group}`, items[0]), ...items] : items;
  const group = reasons ? digest : '';
  const other = reasons ? `${digest}b` : '';
  const made = [...(content === null ? [] : [words(group)]), ...calls.map((call, at) => called(call, group, at + 1))];
  const extra = calls.map((call) => ({ ...call, id: `${call.id}x` }));
  const kind = Number.parseInt(digest.slice(0, 8), 16) % 3;
  const output = [
    ...groupItems(group, [...made, ...(kind === 1 ? extra.map((call, at) => called(call, group, at + 9)) : [])]),
    ...(kind === 2
      ? groupItems(
          other,
          extra.map((call, at) => called(call, other, at + 1)),
        )
      : []),
  ];
  const inputTokens = Math.ceil(body.length / 4);
  const reasoningTokens = reasons ? 64 : 0;
  const outputTokens = reasoningTokens + Math.ceil(JSON.stringify(made).length / 4);
  return {
    id: `resp_${digest}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: request['model'],
    output,
    store: false,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: Math.floor(inputTokens / 2) },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

/** Reasoning that is taken back before the next item and no other. */
export function reasoningItem(id: string, next: object): object {
  const opened = { id, next: digestOf(JSON.stringify(next)), thought: `\u00e9 ${PADDING}` };
  const payload = Buffer.from(JSON.stringify(opened)).toString('base64');
  return { id, type: 'reasoning', summary: [], encrypted_content: `${payload}.${sealOf(payload)}` };
}

/** One assistant's message for all items of a turn. */
function toChat(request: Json): ChatRequest {
  const messages: Json[] = [];
  let turn: { role: 'assistant'; content: string | null; tool_calls?: ChatCall[] } | null = null;
  for (const item of request['input'] as Json[]) {
    const { type = 'message', role, content } = item;
    if (type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item['call_id'], content: item['output'] });
      turn = null;
    } else if (type === 'message' && role !== 'assistant') {
      messages.push({ role, content });
      turn = null;
    } else {
      if (turn === null) messages.push((turn = { role: 'assistant', content: null }));
      if (type === 'message') turn.content = `${turn.content ?? ''}${textOf(content)}`;
      if (type === 'function_call') {
        const { name, arguments: args, call_id: id } = item as Record<string, string>;
        const call = { id, type: 'function', function: { name, arguments: args } } as ChatCall;
        turn.tool_calls = [...(turn.tool_calls ?? []), call];
      }
    }
  }
  const tools = ((request['tools'] ?? []) as Json[]).map(({ type, ...tool }) => ({ type, function: tool }));
  return { model: String(request['model']), messages, tools };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('');
}
