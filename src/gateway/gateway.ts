/**
 * The gateway: an HTTP server of the worker that agents call back while they work. What an address may do follows from the
 * token in it, which belongs to one request to one agent.
 *
 * It listens on loopback unless told otherwise. A page of a browser gets nothing: a request for another host is one that
 * DNS was bent for, and one with an `Origin` is a page's. Tokens are kept as digests, and never written anywhere.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Refusal, closeServer, readBody, requestPath } from '../io/index.ts';
import { listenAt, type GatewayPlace, type ListeningAt } from './address.ts';
import type { Gateway, OpenTurn, TurnBinding } from './binding.ts';
import { GatewayProblem, type Api } from './problem.ts';
import { callTool } from './tools.ts';
import { Turn, ended } from './turn.ts';

export interface RunningGateway extends Gateway {
  /** Base of the URLs that agents get. */
  readonly url: string;
}

const MAX_BODY_BYTES = 4_000_000;
/** Longer than usual clients keep an idle connection, so that none uses one which is just being closed. */
const KEEP_ALIVE_MS = 120_000;
/** Requests that have ended and are remembered, so that a late call is told so. */
const MOST_ENDED = 10_000;

/** @throws UsageError when the address cannot be had */
export async function startGateway(options: GatewayPlace = {}): Promise<RunningGateway> {
  const tokens = new Tokens();
  let place: ListeningAt | undefined;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (place !== undefined) void answer(request, response, place, tokens);
  });
  place = await listenAt(server, options);
  const { url } = place;
  return {
    url,
    open: (binding) => openTurn(url, tokens, binding),
    close: () => closeServer(server),
  };
}

function openTurn(url: string, tokens: Tokens, binding: TurnBinding): OpenTurn {
  const turn = new Turn(binding);
  const token = randomBytes(32).toString('base64url');
  const forget = tokens.add(token, turn);
  const base = `${url}/t/${token}`;
  return {
    toolsUrl: `${base}/tools`,
    openaiUrl: `${base}/openai/v1`,
    anthropicUrl: `${base}/anthropic`,
    over: turn.over,
    async close() {
      const closed = await turn.close();
      forget();
      return closed;
    },
  };
}

/** Turns by the digests of their tokens. */
class Tokens {
  readonly #turns = new Map<string, { readonly digest: Buffer; readonly turn: Turn }>();
  readonly #ended = new LRUCache<string, true>({ max: MOST_ENDED });

  /** @returns a function that ends it */
  add(token: string, turn: Turn): () => void {
    const digest = digestOf(token);
    const key = digest.toString('hex');
    this.#turns.set(key, { digest, turn });
    return () => {
      this.#turns.delete(key);
      this.#ended.set(key, true);
    };
  }

  /** @throws GatewayProblem */
  find(token: string): Turn {
    const digest = digestOf(token);
    const key = digest.toString('hex');
    const found = this.#turns.get(key);
    if (found !== undefined && timingSafeEqual(found.digest, digest)) return found.turn;
    if (this.#ended.has(key)) throw ended();
    throw new GatewayProblem('unknown_token', 'this address is none of this gateway; use those of the latest request');
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const PATH = /^\/t\/(?<token>[\w-]{1,100})\/(?<api>tools|openai|anthropic)(?<rest>\/.*)?$/;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  place: ListeningAt,
  tokens: Tokens,
): Promise<void> {
  let api: Api = 'tools';
  try {
    checkSender(request, place);
    const path = requestPath(request);
    const own = path.startsWith(`${place.prefix}/t/`) ? path.slice(place.prefix.length) : path;
    const found = PATH.exec(own)?.groups;
    if (found === undefined) throw new GatewayProblem('not_found', 'there is nothing at this address');
    const { token = '', rest = '' } = found;
    api = found['api'] as Api;
    const turn = tokens.find(token);
    if (api !== 'tools' || rest !== '') throw new GatewayProblem('not_found', 'there is nothing at this address');
    if (request.method !== 'POST') throw new GatewayProblem('method_not_allowed', 'this address takes POST only');
    const body = await readBody(request, MAX_BODY_BYTES);
    send(response, 200, JSON.stringify(await callTool(turn, body)));
  } catch (error) {
    const problem = problemOf(error);
    send(response, problem.status, problem.body(api), problem.headers());
  }
}

/** @throws GatewayProblem for what a browser's page has sent */
function checkSender({ headers: { host = '', origin } }: IncomingMessage, { hosts, url }: ListeningAt): void {
  if (!hosts.has(host.toLowerCase())) {
    throw new GatewayProblem(
      'forbidden',
      `only requests to ${url} are answered; name another address with --gateway-url`,
    );
  }
  if (origin !== undefined) throw new GatewayProblem('forbidden', 'requests of pages in browsers are not answered');
}

function problemOf(error: unknown): GatewayProblem {
  if (error instanceof GatewayProblem) return error;
  if (error instanceof Refusal) {
    return new GatewayProblem(error.status === 413 ? 'too_large' : 'invalid', error.message, error.status);
  }
  // What went wrong on this side may name tasks, which an agent must not know.
  return new GatewayProblem('unavailable', 'the call could not be carried out; see the log of the worker');
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}
