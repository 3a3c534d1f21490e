/** HTTP requests to agents, with limits on time, size and address. */

import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { messageWithCode, rootCause } from '../../errors/index.ts';
import { createRedactor, ModelCallError, readRetryAfter } from '../../models/index.ts';
import { FailureType } from '../../evaluation/index.ts';
import { innermostReason } from './innermost.ts';
import { jsonObject, isObject } from '../../io/index.ts';

export interface AgentService {
  readonly url: string;
  /** Sent as a bearer token. @default none */
  readonly key?: string | null;
  /** Name of the service in messages. @default its URL */
  readonly label?: string;
  /** Form of the tools for an A2A agent. @default the agent speaks the turn protocol */
  readonly a2aTools?: A2aTools;
}

/** Forms of tools: a data part, the address of an MCP server, or words with one action in each answer. */
export type A2aTools = 'data' | 'mcp' | 'text';

/** A2A extension of agents that speak the turn protocol within A2A. */
export const A2A_EXTENSION = 'urn:tauflow:a2a:1';

/** Code in a status 500 for an error of the agent's own code, which is permanent. */
export const AGENT_FAILED = 'agent_failed';

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Time limit of the whole request, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with the problem of a usage that cannot be read. */
  readonly onUnreadUsage?: (problem: string) => void;
  /** {@link TurnAnswer.peer} of the previous request. @default the conversation begins */
  readonly peer?: string | undefined;
  /** True if the request may have reached the agent before, in the same conversation. */
  readonly isRepeated?: boolean;
}

interface AgentReply {
  readonly status: number;
  readonly headers: Headers;
  /** Empty for a body that is not UTF-8. */
  readonly body: string;
}

/** Largest answer, in bytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 3;
/** Longest part of an answer in a message, in characters. */
const SHOWN_CHARS = 200;

let dispatcher: Dispatcher | undefined;

/** Creates a dispatcher that closes idle connections before a service does, which would fail a turn. */
function connections(): Dispatcher {
  const { no_proxy: own, NO_PROXY: exceptions = '' } = process.env;
  return (dispatcher ??= new EnvHttpProxyAgent({
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 1_000,
    connect: { timeout: 15_000 },
    noProxy: [own ?? exceptions, 'localhost', '127.0.0.1', '[::1]'].join(','),
  }));
}

/**
 * Sends a request and reads the whole answer of any status.
 * @param body JSON text; null: `GET`
 * @throws ModelCallError without an answer, or for a too large one; the signal's reason if aborted
 */
export async function exchange(
  service: AgentService,
  body: string | null,
  headers: Readonly<Record<string, string>>,
  options: AskOptions,
): Promise<AgentReply> {
  return await withinTime(service, options, async (signal) => {
    const reply = await openReply(service, service.url, {
      method: body === null ? 'GET' : 'POST',
      body,
      headers: {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(service.key ? { authorization: `Bearer ${service.key}` } : {}),
        ...headers,
      },
      signal,
    });
    return { ...reply, body: await readText(bounded(service, reply.body)) };
  });
}

/** Error codes of connections that were not established. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Runs work with a time limit, and describes errors of the connection.
 * @throws ModelCallError; the signal's reason if aborted
 */
export async function withinTime<T>(
  service: AgentService,
  { signal, timeoutMs }: AskOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const stop = signal === undefined ? clock.signal : AbortSignal.any([signal, clock.signal]);
  try {
    return await work(stop);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof ModelCallError) throw error;
    if (clock.signal.aborted) {
      const message = `${nameOf(service)} did not answer within ${String(Number((timeoutMs / 1_000).toPrecision(3)))} s`;
      throw new ModelCallError({ type: FailureType.ModelUnavailable, retryable: true, isTimeout: true, message });
    }
    const cause = error instanceof Error ? rootCause(error) : undefined;
    const message = clean(
      service,
      `no answer from ${nameOf(service)}: ${cause === undefined ? String(error) : messageWithCode(cause)}`,
    );
    const isUnreached = UNREACHED.has(cause?.code) || undefined;
    throw new ModelCallError({ type: FailureType.ModelUnavailable, retryable: true, message, isUnreached });
  } finally {
    clearTimeout(timer);
  }
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface OpenReply extends Omit<AgentReply, 'body'> {
  readonly body: Dispatcher.ResponseData['body'];
}

/** Sends a request, and follows a redirection within the host, as frameworks send it for a missing slash. */
export async function openReply(service: AgentService, at: string, sent: Sent): Promise<OpenReply> {
  let url = new URL(at);
  const headers = { 'accept-encoding': 'identity', ...sent.headers };
  for (let redirects = 0; ; redirects++) {
    const reply = await request(url, { ...sent, headers, dispatcher: connections() });
    const { statusCode: status, headers: raw, body } = reply;
    // The reader handles errors of the body. Without a reader, they must not end the process.
    body.on('error', () => undefined);
    const received = new Headers();
    for (const [name, value = []] of Object.entries(raw)) {
      for (const each of [value].flat()) received.append(name, each);
    }
    const location = received.get('location');
    if (status < 300 || status > 399 || location === null) return { status, headers: received, body };
    await body.dump();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if ((status !== 307 && status !== 308) || next?.origin !== url.origin || redirects === MOST_REDIRECTS) {
      const to = next === null ? 'elsewhere' : `to ${next.origin}${next.pathname}`;
      const message = `${nameOf(service)} answered ${String(status)}, which leads ${to}; give --agent-url as it is there`;
      throw new ModelCallError({
        type: FailureType.RequestRefused,
        retryable: false,
        status,
        message: clean(service, message),
      });
    }
    url = next;
  }
}

/** @throws ModelCallError if the body is too large */
export async function* bounded(
  service: AgentService,
  body: OpenReply['body'],
  maxBytes = MAX_BODY_BYTES,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const message = `${nameOf(service)} answered with more than ${String(maxBytes)} bytes`;
      throw new ModelCallError({ type: FailureType.InvalidAnswer, retryable: false, message });
    }
    yield chunk;
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return '';
  }
}

/** Returns the failure for an answer of another status than 2xx. */
export function failureOf(service: AgentService, { status, headers, body }: AgentReply): ModelCallError {
  const retryAfterMs = readRetryAfter(headers, Date.now());
  const ownWords = status === 500 ? wordsOnOwnFailure(body) : null;
  if (ownWords !== null) {
    return failure(service, FailureType.AgentFailed, `has failed${shown(ownWords)}`, status);
  }
  const { type, retryable, advice } = meaningOf(status, body);
  const message = clean(service, `${nameOf(service)} answered ${String(status)}${shown(body)}${advice}`);
  return new ModelCallError({
    type,
    retryable,
    status,
    retryAfterMs: retryable ? retryAfterMs : undefined,
    message,
  });
}

/** Returns the failure for a 2xx that breaks the protocol. */
export function invalidAnswer(
  service: AgentService,
  problem: string,
  { status, body }: Pick<AgentReply, 'status' | 'body'>,
): ModelCallError {
  const what = `answered ${String(status)} with ${problem}${shown(body)}`;
  return failure(service, FailureType.InvalidAnswer, what, status);
}

/** @param what the agent's action, which continues its name */
export function failure(
  service: AgentService,
  type: FailureType,
  what: string,
  status?: number,
  retryable = false,
): ModelCallError {
  const message = clean(service, `${nameOf(service)} ${what}`);
  return new ModelCallError({ type, retryable, status, message });
}

interface Meaning {
  readonly type: FailureType;
  readonly retryable: boolean;
  readonly advice: string;
}

function meaningOf(status: number, body: string): Meaning {
  if (status === 429) return { type: FailureType.RateLimited, retryable: true, advice: '' };
  if (status >= 500 || status === 408 || status === 425) {
    return { type: FailureType.ModelUnavailable, retryable: true, advice: '' };
  }
  if (status === 401 || status === 403) {
    return { type: FailureType.NotAuthorised, retryable: false, advice: '; set TAUFLOW_AGENT_KEY on the worker' };
  }
  if ((status === 404 || status === 409) && hasForgotten(body)) {
    return { type: FailureType.AgentForgot, retryable: false, advice: '' };
  }
  const advice = status === 404 || status === 405 ? '; check --agent-url' : '';
  return { type: FailureType.RequestRefused, retryable: false, advice };
}

/** The agent's message on an error of its own code; null for another failure. */
function wordsOnOwnFailure(body: string): string | null {
  const { error, message } = jsonObject(body) ?? {};
  if (error !== AGENT_FAILED) return null;
  return typeof message === 'string' ? message : '';
}

/** True if the agent does not know the episode; frameworks put the error below `detail`. */
function hasForgotten(body: string): boolean {
  const { error, detail } = jsonObject(body) ?? {};
  return [error, detail, isObject(detail) ? detail['error'] : undefined].includes('unknown_episode');
}

/** The URL without user, password and query. */
export function nameOf({ url, label }: AgentService): string {
  if (label !== undefined) return label;
  const { origin, pathname } = new URL(url);
  return `the agent at ${origin}${pathname}`;
}

/** Longest part of an answer that is searched for its reason, in characters. */
const MOST_READ_CHARS = 20_000;

export function shown(body: string): string {
  if (/^\s{0,100}<(?:!doctype|html)\b/i.test(body)) return ': an HTML page';
  const line = innermostReason(body.slice(0, MOST_READ_CHARS))
    .slice(0, 4 * SHOWN_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return '';
  return `: ${line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS - 1)}…`}`;
}

function clean({ key = null }: AgentService, message: string): string {
  return createRedactor([key])(message);
}
