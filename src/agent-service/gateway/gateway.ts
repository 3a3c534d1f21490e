/**
 * The gateway: an HTTP server of the worker that agents call while they work. The token in an address belongs to one
 * request to one agent, and decides what the address may do.
 *
 * It listens on loopback by default. Web pages are refused: a request for another host comes from DNS rebinding, and
 * one with another `Origin` from a page. Tokens are kept as digests, and never written anywhere.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { checkSender, closeServer, readBody, requestPath, sendText } from '../../io/index.ts';
import type { WireName } from '../../agents/index.ts';
import type { PassThrough } from '../../models/index.ts';
import { WITH_USER, listenAt, type GatewayPlace, type ListeningAt } from './address.ts';
import type { Gateway, OpenTurn, TurnBinding } from './binding.ts';
import { Conversations } from './conversations.ts';
import { callModel } from './model-calls.ts';
import { passOn } from './pass-on.ts';
import { FINAL, GatewayProblem, nothingHere, toProblem, type Api } from './problem.ts';
import { callTool } from './tools.ts';
import { GatewayTurn, endedProblem, type Caller } from './turn.ts';

export interface RunningGateway extends Gateway {
  /** Base of the URLs for agents. */
  readonly url: string;
}

interface GatewayOptions extends GatewayPlace {
  /** Passes requests to a provider that are not model calls. @default they are refused */
  readonly passThrough?: PassThrough;
}

const JSON_TYPE = 'application/json';
const MAX_BODY_BYTES = 4_000_000;
/**
 * Keep-alive time in ms, longer than that of usual clients, so that no client uses a connection that is being closed.
 */
const KEEP_ALIVE_MS = 120_000;
/** Most ended requests that are remembered, so that a late call gets the reason. */
const MOST_ENDED = 10_000;

/** @throws UsageError if the address cannot be used */
export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const tokens = new TurnTokens();
  const conversations = new Conversations();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const place = await listenAt(server, options);
  const { passThrough } = options;
  const served = { place, tokens, conversations, passThrough };
  server.on('request', (request, response) => void answer(request, response, served));
  const { url } = place;
  return {
    url,
    open: (binding) => openTurn(url, tokens, binding),
    close: () => closeServer(server),
  };
}

function openTurn(url: string, tokens: TurnTokens, binding: TurnBinding): OpenTurn {
  const turn = new GatewayTurn(binding);
  const token = randomBytes(32).toString('base64url');
  const forget = tokens.add(token, turn);
  const base = `${url}/t/${token}`;
  return {
    toolsUrl: `${base}/tools`,
    openaiUrl: `${base}/openai/v1`,
    anthropicUrl: `${base}/anthropic`,
    mcpUrl: `${base}/mcp`,
    over: turn.over,
    async close() {
      const { isOver, ...calls } = await turn.close();
      forget(isOver);
      return calls;
    },
  };
}

/** Turns by the digests of their tokens. */
class TurnTokens {
  readonly #turns = new Map<string, { readonly digest: Buffer; readonly turn: GatewayTurn }>();
  /** True for turns that have ended their episode. */
  readonly #ended = new LRUCache<string, boolean>({ max: MOST_ENDED });

  /** @returns a function that ends the turn */
  add(token: string, turn: GatewayTurn): (isOver: boolean) => void {
    const digest = hashToken(token);
    const key = digest.toString('hex');
    this.#turns.set(key, { digest, turn });
    return (isOver) => {
      this.#turns.delete(key);
      this.#ended.set(key, isOver);
    };
  }

  /** @throws GatewayProblem */
  find(token: string): GatewayTurn {
    const digest = hashToken(token);
    const key = digest.toString('hex');
    const found = this.#turns.get(key);
    if (found !== undefined && timingSafeEqual(found.digest, digest)) return found.turn;
    const isOver = this.#ended.get(key);
    if (isOver !== undefined) throw endedProblem(isOver);
    throw new GatewayProblem('unknown_token', 'this address is none of this gateway; use those of the latest request');
  }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const PATH = /^\/t\/(?<token>[\w-]{1,100})\/(?<api>tools|mcp|openai|anthropic)(?<rest>\/.*)?$/;

const WIRES: ReadonlyMap<string, WireName> = new Map([
  ['openai/v1/chat/completions', 'chat'],
  ['openai/v1/responses', 'responses'],
  ['anthropic/v1/messages', 'messages'],
]);

interface GatewayContext extends Pick<GatewayOptions, 'passThrough'> {
  readonly place: ListeningAt;
  readonly tokens: TurnTokens;
  readonly conversations: Conversations;
}

async function answer(request: IncomingMessage, response: ServerResponse, served: GatewayContext): Promise<void> {
  let api: Api = 'tools';
  try {
    const { place, tokens } = served;
    checkSender(request, {
      names: `${place.url}, or an address named with --gateway-url,`,
      isHost: (host) => place.hosts.has(host.toLowerCase()),
      // No page comes from here.
      isOrigin: (origin) => place.hosts.has(origin.replace(/^https?:\/\//, '').toLowerCase()),
    });
    const path = requestPath(request);
    const own = path.startsWith(`${place.prefix}/t/`) ? path.slice(place.prefix.length) : path;
    const found = PATH.exec(own)?.groups;
    if (found === undefined) throw nothingHere();
    const { token = '', rest = '' } = found;
    api = found['api'] as Api;
    const turn = tokens.find(token);
    send(response, await answerRequest(request, served, { turn, api, rest, caller: response }));
  } catch (error) {
    const problem = toProblem(error);
    const { status } = problem;
    send(response, { status, type: JSON_TYPE, body: problem.body(api), headers: problem.headers() });
  }
}

interface FoundTurn {
  readonly turn: GatewayTurn;
  readonly caller: Caller;
  readonly api: Api;
  /** Path below the API's base. */
  readonly rest: string;
}

async function answerRequest(
  request: IncomingMessage,
  served: GatewayContext,
  { turn, api, rest, caller }: FoundTurn,
): Promise<HttpAnswer> {
  const { method } = request;
  if (api === 'tools') {
    if (rest !== '') throw nothingHere('tools');
    requirePost(method);
    const result = await callTool(turn, await readBody(request, MAX_BODY_BYTES), caller);
    return { status: 200, type: JSON_TYPE, body: JSON.stringify(result) };
  }
  if (api === 'mcp') return await mcpAnswer(request, { turn, rest, caller });
  const wire = WIRES.get(`${api}${rest}`);
  if (wire !== undefined) {
    requirePost(method);
    const body = await readBody(request, MAX_BODY_BYTES);
    return await callModel(turn, wire, body, served.conversations, request.headers, caller);
  }
  if (api === 'openai' && rest === '/v1/models' && method === 'GET') {
    return { status: 200, type: JSON_TYPE, body: listModels(turn.binding) };
  }
  return await passOn(request, turn, { api, rest, maxBytes: MAX_BODY_BYTES }, served.passThrough);
}

async function mcpAnswer(
  request: IncomingMessage,
  { turn, rest, caller }: Omit<FoundTurn, 'api'>,
): Promise<HttpAnswer> {
  if (rest !== '' && rest !== WITH_USER) throw nothingHere('mcp');
  requirePost(request.method);
  // The protocol's library is loaded only when it is needed.
  const { answerMcp } = await import('./mcp.ts');
  const { headers } = request;
  const body = await readBody(request, MAX_BODY_BYTES);
  const answered = await answerMcp(turn, { headers, body, withUser: rest === WITH_USER }, caller);
  const type = answered.headers.get('content-type') ?? JSON_TYPE;
  return { status: answered.status, type, body: answered.body ?? '' };
}

function requirePost(method: string | undefined): void {
  if (method !== 'POST') throw new GatewayProblem('method_not_allowed', 'this address takes POST only');
}

function listModels({ model }: TurnBinding): string {
  const name = model?.model ?? null;
  const data = name === null ? [] : [{ id: name, object: 'model', created: 0, owned_by: model?.provider }];
  return JSON.stringify({ object: 'list', data });
}

interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(response: ServerResponse, { status, type, body, headers = {} }: HttpAnswer): void {
  const all = {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status < 400 ? {} : FINAL),
    ...headers,
  };
  if (typeof body === 'string') sendText(response, status, body, all);
  // A broken connection ends only the stream.
  else pipeline(Readable.fromWeb(body), response.writeHead(status, all), () => undefined);
}
