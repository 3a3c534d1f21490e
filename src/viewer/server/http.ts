/**
 * The view's web server: checks requests, sends answers, and defines the form of routes.
 *
 * It shows what models have written, so it listens on loopback only, and refuses pages of other origins. It recognizes
 * them by another `Host`, which a manipulated DNS name causes, and by the headers in which a browser names the origin.
 */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { TauflowError, firstLine } from '../../errors/index.ts';
import {
  Refusal,
  checkSender,
  closeServer,
  listenOnLoopback,
  readBody,
  requestPath,
  sendJson,
} from '../../io/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';
import type { ApiProblem } from '../data/api.ts';

/** A text that is made only if the browser does not have it yet. */
export interface ServerAnswer {
  /** Media type, such as `application/json`. */
  readonly type: string;
  /** Version of the text; a changed text has another one. */
  readonly version: string;
  readonly text: () => Promise<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param version version of the value; a changed value has another one */
export function json(version: string, value: () => Promise<object>): ServerAnswer {
  return { type: 'application/json', version, text: async () => JSON.stringify(await value()) };
}

/** A text of unknown length, sent while it is generated; the signal aborts when the client has gone. */
interface StreamedBody {
  readonly type: string;
  readonly pieces: (signal: AbortSignal) => AsyncIterable<string>;
}

export interface ServerRoute {
  readonly method: 'GET' | 'PUT';
  /** Segments of the path; `:run` matches a run's id, `:task` and `:trial` match numbers, the trial also with a condition behind a comma: `api/runs/:run`. */
  readonly path: string;
  readonly answer: (asked: RouteRequest) => ServerAnswer | StreamedBody | Promise<ServerAnswer | StreamedBody>;
}

/** The part of a request that routes read. */
export interface RouteRequest {
  readonly run: string;
  readonly episode: EpisodeKey;
  readonly query: URLSearchParams;
  /** Reads the body. @throws Refusal for anything but JSON, or a body that is too long */
  readonly body: () => Promise<unknown>;
}

export interface ViewServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws PortTakenError */
export async function serveRoutes(routes: readonly ServerRoute[], port: number): Promise<ViewServer> {
  const matchers = routes.map((route) => ({ route, pattern: compilePath(route.path) }));
  const server = createServer((request, response) => {
    const send = async () => {
      checkPage(request);
      const answer = await answerRoute(request, matchers);
      if ('pieces' in answer) await sendStream(response, answer);
      else await sendText(request, response, answer);
    };
    send().catch((error: unknown) => sendProblem(response, error));
  });
  const url = await listenOnLoopback(server, port);
  return { url, close: () => closeServer(server) };
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** @throws Refusal for a request from another page, or to another host name */
function checkPage(request: IncomingMessage): void {
  checkSender(request, {
    names: '127.0.0.1 and localhost',
    // Port forwarding may change the port.
    isHost: (host) => LOOPBACK_HOST.test(host),
    isOrigin: (origin, host) => origin === `http://${host}`,
  });
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation) {
    throw new Refusal(403, 'pages of other origins are not answered');
  }
}

const SEGMENTS: Readonly<Record<string, string>> = {
  ':run': '(?<run>[^/]+)',
  ':task': '(?<task>0|[1-9][0-9]{0,14})',
  ':trial': '(?<trial>0|[1-9][0-9]{0,14})(?:(?:,|%2C)(?<condition>[a-z][a-z0-9-]{0,39}))?',
};

function compilePath(path: string): RegExp {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/:[a-z]+/g, (segment) => SEGMENTS[segment] ?? segment);
  return new RegExp(`^/${pattern}$`);
}

async function answerRoute(
  request: IncomingMessage,
  matchers: readonly { readonly route: ServerRoute; readonly pattern: RegExp }[],
): Promise<ServerAnswer | StreamedBody> {
  const path = requestPath(request);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = matchers.flatMap(({ route, pattern }) => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ route, groups: match.groups ?? {} }];
  });
  if (found.length === 0) throw new Refusal(404, 'there is nothing at this address; the view is at /');
  const chosen = found.find(({ route }) => route.method === method);
  if (chosen === undefined) {
    const allowed = found.map(({ route }) => route.method).join(', ');
    throw new Refusal(405, `this address takes ${allowed} only`, { Allow: allowed });
  }
  const { run = '', task = '0', trial = '0', condition } = chosen.groups;
  const { url = '/' } = request;
  return chosen.route.answer({
    run: decode(run),
    episode: { taskId: Number(task), trial: Number(trial), condition },
    query: new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
    body: () => readJson(request),
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(404, 'there is no such run: its name in the address is not UTF-8 in percent-encoding');
  }
}

const MAX_BODY_BYTES = 256 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  // A form on another page can send this type only after a preflight request.
  if (!/^application\/json(?:\s*;|$)/i.test(type)) throw new Refusal(415, 'send the body as application/json');
  const text = await readBody(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The browser asks again each time. If the content has not changed, the answer has no body.
  'Cache-Control': 'no-cache',
} as const;

/**
 * Security policy of all answers but the page. If a browser opens such an answer by itself, it shows it and runs
 * nothing.
 */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'";

const compress = promisify(gzip);

const LEAST_COMPRESSED_CHARS = 4_000;

async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { type, version, text, headers = {} }: ServerAnswer,
): Promise<void> {
  const tag = `W/"${createHash('sha256').update(version).digest('base64url').slice(0, 22)}"`;
  const all = { ...HEADERS, 'Content-Security-Policy': NOTHING_RUNS, ...headers, ETag: tag, Vary: 'Accept-Encoding' };
  if (request.method !== 'PUT' && request.headers['if-none-match'] === tag) {
    response.writeHead(304, all).end();
    return;
  }
  const body = await text();
  const accepted = request.headers['accept-encoding'] ?? '';
  const isCompressed = body.length >= LEAST_COMPRESSED_CHARS && /\bgzip\b/.test(String(accepted));
  // Level 1, because the browser is on this machine and better compression would take longer than it saves.
  const bytes = isCompressed ? await compress(body, { level: 1 }) : Buffer.from(body, 'utf8');
  response.writeHead(200, {
    ...all,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': bytes.length,
    ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(bytes);
}

async function sendStream(response: ServerResponse, { type, pieces }: StreamedBody): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, {
    ...HEADERS,
    'Content-Security-Policy': NOTHING_RUNS,
    'Content-Type': `${type}; charset=utf-8`,
  });
  await pipeline(Readable.from(pieces(gone.signal)), response);
}

function sendProblem(response: ServerResponse, error: unknown): void {
  const { status, headers = {} } = toHttpStatus(error);
  const problem: ApiProblem = { problem: firstLine(error) };
  sendJson(response, status, problem, {
    ...HEADERS,
    'Content-Security-Policy': NOTHING_RUNS,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
  });
}

function toHttpStatus(error: unknown): { status: number; headers?: Readonly<Record<string, string>> } {
  if (error instanceof Refusal) return error;
  // The file is there but cannot be read; usually it is damaged.
  return { status: error instanceof TauflowError ? 422 : 500 };
}
