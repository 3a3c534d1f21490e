/**
 * Anthropic's Messages as strict as the service is known to be: what it refuses is refused here, thoughts are signed and
 * wanted back unaltered, and its cache is counted.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { schemaProblem } from './strict-schema.ts';

type Json = Record<string, unknown>;

/** A request as the player sees it. */
export interface MessagesRequest extends Json {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: readonly Json[] }[];
  readonly system?: readonly Json[];
  readonly tools?: readonly Json[];
}

/** A turn of the model: its blocks as JSON text, so that numbers keep their spelling, without thoughts. */
export interface Played {
  readonly blocks: string;
  readonly stopReason?: string;
}

export interface StrictMessages {
  /** Base URL without `/v1`. */
  readonly url: string;
  readonly requests: readonly MessagesRequest[];
  /** The requests' bodies as they came. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Messages of refusals, in the order of requests. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

export const MESSAGES_KEY = 'sk-ant-THE+SECRET/KEY==0123456789';
/** Tokens below which the service caches nothing. */
const LEAST_CACHED = 1024;
/** Blocks before a breakpoint among which the service looks for what it has. */
const LOOKED_BACK = 20;

export async function startStrictMessages(
  play: (request: MessagesRequest) => Played | Promise<Played>,
): Promise<StrictMessages> {
  const requests: MessagesRequest[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const refusals: string[] = [];
  const cache = new Set<string>();
  const thoughts = new Map<string, string>();
  const server = createServer((message, response) => {
    const answer = (status: number, body: string) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${String(requests.length)}`,
      });
      response.end(body);
    };
    const serve = async () => {
      const body = await readText(message);
      bodies.push(body);
      headers.push(message.headers);
      const request = JSON.parse(body) as MessagesRequest;
      requests.push(request);
      const problem = problemOf(message.url ?? '', message.headers) ?? findProblem(request, thoughts);
      if (problem !== null) {
        refusals.push(problem);
        answer(400, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: problem } }));
        return;
      }
      const { blocks, stopReason } = await play(request);
      const told = JSON.parse(blocks) as Json[];
      const call = told.find(({ type }) => type === 'tool_use');
      const thought = isThinking(request) ? signed(`Thought ${String(requests.length)} \u00e9\u{1f914}.`) : null;
      if (thought !== null && call !== undefined) thoughts.set(String(call['id']), String(thought.signature));
      const content =
        thought === null
          ? blocks
          : `[${JSON.stringify(thought)}${told.length === 0 ? '' : ','} ${blocks.trim().slice(1)}`;
      const usage = JSON.stringify({
        ...cacheUsage(request, cache),
        output_tokens: tokensOf(content),
        output_tokens_details: { thinking_tokens: thought === null ? 0 : tokensOf(thought.thinking) },
      });
      const stop = JSON.stringify(stopReason ?? (call === undefined ? 'end_turn' : 'tool_use'));
      answer(
        200,
        `{"id": "msg_1", "type": "message", "role": "assistant", "model": ${JSON.stringify(request.model)}, ` +
          `"content": ${content}, "stop_reason": ${stop}, "stop_sequence": null, "usage": ${usage}}`,
      );
    };
    serve().catch((error: unknown) => {
      answer(500, JSON.stringify({ type: 'error', error: { type: 'api_error', message: String(error) } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    bodies,
    headers,
    refusals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** About as many as a tokenizer would make of it. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function signed(thinking: string) {
  return { type: 'thinking', thinking, signature: signatureOf(thinking) };
}

function signatureOf(thinking: string): string {
  return createHash('sha256').update(`signed ${thinking}`).digest('base64');
}

function isThinking({ thinking }: Json): boolean {
  return ['enabled', 'adaptive'].includes(String((thinking as Json | undefined)?.['type']));
}

function problemOf(url: string, headers: IncomingHttpHeaders): string | null {
  if (url !== '/v1/messages') return `no such endpoint: ${url}`;
  if (headers['x-api-key'] !== MESSAGES_KEY || headers.authorization !== undefined) return 'invalid x-api-key';
  return headers['anthropic-version'] === '2023-06-01' ? null : 'anthropic-version: unknown version';
}

const FIELDS = /^(?:model|max_tokens|messages|system|tools|temperature|top_p|thinking|output_config|metadata)$/;
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};

function findProblem(request: MessagesRequest, thoughts: ReadonlyMap<string, string>): string | null {
  return settingsProblem(request) ?? turnsProblem(request) ?? thoughtsProblem(request, thoughts);
}

function settingsProblem(request: MessagesRequest): string | null {
  const unknown = Object.keys(request).find((field) => !FIELDS.test(field));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  const { max_tokens: cap, model, temperature, tools = [], system = [] } = request;
  const { format } = (request['output_config'] ?? {}) as { format?: Json };
  if (format !== undefined) {
    const problem = format['type'] === 'json_schema' ? schemaProblem(format['schema']) : 'type must be json_schema';
    if (problem !== null) return `output_config.format: ${problem}`;
  }
  if (!Number.isInteger(cap) || cap < 1) return 'max_tokens: Field required';
  const thinking = (request['thinking'] ?? {}) as { type?: string; budget_tokens?: number };
  const isNew = /4-[6-9]|-5/.test(model.replace(/-4-5/, ''));
  if (temperature !== undefined && temperature !== 1) {
    if (/4-[78]|-5/.test(model.replace(/-4-5/, ''))) return '`temperature` is deprecated for this model.';
    if (isThinking(request)) return '`temperature` may only be set to 1 when thinking is enabled';
  }
  if (thinking.type === 'enabled') {
    if (isNew) return '"thinking.type.enabled" is not supported for this model.';
    const { budget_tokens: budget = 0 } = thinking;
    if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
    if (budget >= cap) return '`max_tokens` must be greater than `thinking.budget_tokens`';
  }
  if (thinking.type === 'adaptive' && !isNew) return 'adaptive thinking is not supported on this model';
  for (const [index, tool] of tools.entries()) {
    const extra = Object.keys(tool).find((key) => !/^(?:name|description|input_schema|cache_control)$/.test(key));
    if (extra !== undefined) return `tools.${String(index)}.custom.${extra}: Extra inputs are not permitted`;
    if ((tool['input_schema'] as Json | undefined)?.['type'] !== 'object')
      return `tools.${String(index)}: input_schema`;
  }
  if (system.some(({ text }) => typeof text !== 'string' || text === ''))
    return 'system: text content blocks must be non-empty';
  const all = [...tools, ...system, ...request.messages.flatMap(({ content }) => content)];
  const marked = all.filter((block) => 'cache_control' in block);
  return marked.length > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${String(marked.length)}.`
    : null;
}

function turnsProblem({ messages }: MessagesRequest): string | null {
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const place = `messages.${String(index)}`;
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return `${place}: roles must alternate`;
    if (content.length === 0) return `${place}: content must not be empty`;
    for (const block of content) {
      const fields = BLOCK_FIELDS[String(block['type'])] ?? [];
      const unknown = Object.keys(block).find((field) => !fields.includes(field));
      if (unknown !== undefined) return `${place}.${unknown}: Extra inputs are not permitted`;
      if (block['type'] === 'text' && String(block['text']).trim() === '') return `${place}: text must contain words`;
    }
    const results = content.filter(({ type }) => type === 'tool_result').map((block) => String(block['tool_use_id']));
    if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      return `${place}: results come first`;
    if (results.toSorted().join() !== open.toSorted().join()) return `${place}: tool_use and tool_result do not pair`;
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length > 0 && role === 'user') return `${place}: tool_use in a user turn`;
    open = calls.map(({ id }) => String(id));
    for (const { id, input } of calls) {
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) return `${place}: tool_use.id: String should match pattern`;
      if (ids.has(String(id))) return `${place}: tool_use ids must be unique`;
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return `${place}: input: a valid dictionary`;
      ids.add(String(id));
    }
    if (/thinking$/.test(String(content.at(-1)?.['type']))) return `${place}: The final block cannot be thinking`;
  }
  if (messages.at(-1)?.role !== 'user') return 'This model does not support assistant message prefill.';
  return null;
}

function thoughtsProblem(request: MessagesRequest, thoughts: ReadonlyMap<string, string>): string | null {
  for (const block of request.messages.flatMap(({ content }) => content)) {
    if (block['type'] !== 'thinking') continue;
    if (block['signature'] !== signatureOf(String(block['thinking']))) return 'Invalid `signature` in `thinking` block';
  }
  if (!isThinking(request)) return null;
  for (const { content } of request.messages) {
    const wanted = content.map(({ id }) => thoughts.get(String(id))).find((signature) => signature !== undefined);
    if (wanted === undefined || content[0]?.['signature'] === wanted) continue;
    return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`.';
  }
  const last = request.messages.at(-2)?.content ?? [];
  const isBudgeted = (request['thinking'] as Json)['type'] === 'enabled';
  const isBare = last.some(({ type }) => type === 'tool_use') && last[0]?.['type'] !== 'thinking';
  return isBudgeted && isBare ? 'a final `assistant` message must start with a thinking block' : null;
}

/** Counts as the service does: what the cache has of the prompt, what is written to it, and the rest. */
function cacheUsage({ tools = [], system = [], messages }: MessagesRequest, cache: Set<string>) {
  const all = [
    ...tools,
    ...system,
    ...messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block }))),
  ];
  let digest = '';
  let tokens = 0;
  const prefixes = all.map((block) => {
    const { cache_control: mark, ...rest } = block as Json;
    const text = JSON.stringify(rest);
    digest = createHash('sha256')
      .update(digest + text)
      .digest('hex');
    tokens += tokensOf(text);
    return { digest, tokens, isMarked: mark !== undefined };
  });
  let read = 0;
  let upTo = 0;
  for (const [index, { isMarked, tokens: here }] of prefixes.entries()) {
    if (!isMarked || here < LEAST_CACHED) continue;
    upTo = here;
    const near = prefixes.slice(Math.max(0, index - LOOKED_BACK), index + 1);
    read = Math.max(read, ...near.filter((prefix) => cache.has(prefix.digest)).map((prefix) => prefix.tokens));
  }
  for (const prefix of prefixes) if (prefix.isMarked && prefix.tokens >= LEAST_CACHED) cache.add(prefix.digest);
  return {
    input_tokens: tokens - upTo,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: upTo - read,
  };
}
