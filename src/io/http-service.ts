/** HTTP requests to services of others, with limits on time, size and redirections. */

import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { messageWithCode, rootCause } from '../errors/index.ts';
import { innermostReason } from './innermost-reason.ts';

export interface HttpService {
  readonly url: string;
  /** Bearer token. @default none */
  readonly key?: string | null;
  /** Name of the service in messages, such as `the agent at http://127.0.0.1:8000/`. */
  readonly name: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  /** Body of the reply; empty if it is not UTF-8. */
  readonly body: string;
}

/**
 * - `unreached`: no connection was established.
 * - `broken`: the connection ended before the answer.
 * - `timeout`: no answer in time.
 * - `redirected`: the answer leads to another host, or in circles.
 * - `too_large`: the answer is larger than its limit.
 */
type HttpServiceFault = 'unreached' | 'broken' | 'timeout' | 'redirected' | 'too_large';

/** Error of a request without a usable answer. The message may contain the service's key. */
export class HttpServiceError extends Error {
  override readonly name = 'HttpServiceError';

  constructor(
    readonly fault: HttpServiceFault,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export interface TimeLimit {
  readonly signal?: AbortSignal;
  /** Time limit of the whole request, in milliseconds. */
  readonly timeoutMs: number;
}

/** Largest answer, in bytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 3;

let dispatcher: Dispatcher | undefined;

/** Creates a dispatcher that closes idle connections before a service does, which would fail a request. */
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
 * @throws HttpServiceError; the signal's reason if aborted
 */
export async function exchange(
  service: HttpService,
  body: string | null,
  headers: Readonly<Record<string, string>>,
  limit: TimeLimit,
): Promise<HttpReply> {
  return await withinTime(service.name, limit, async (signal) => {
    const reply = await openReply(service.name, service.url, {
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
    return { ...reply, body: await readText(limitBody(service.name, reply.body)) };
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
 * @param isOwn true for errors that are thrown unchanged
 * @throws HttpServiceError; the signal's reason if aborted
 */
export async function withinTime<T>(
  name: string,
  { signal, timeoutMs }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
  isOwn: (error: unknown) => boolean = () => false,
): Promise<T> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const stop = signal === undefined ? clock.signal : AbortSignal.any([signal, clock.signal]);
  try {
    return await work(stop);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof HttpServiceError || isOwn(error)) throw error;
    if (clock.signal.aborted) {
      const seconds = Number((timeoutMs / 1_000).toPrecision(3));
      throw new HttpServiceError('timeout', `${name} did not answer within ${seconds} s`);
    }
    const cause = error instanceof Error ? rootCause(error) : undefined;
    const reason = cause === undefined ? String(error) : messageWithCode(cause);
    throw new HttpServiceError(
      UNREACHED.has(cause?.code) ? 'unreached' : 'broken',
      `no answer from ${name}: ${reason}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface OpenReply extends Omit<HttpReply, 'body'> {
  readonly body: Dispatcher.ResponseData['body'];
}

/** Sends a request, and follows a redirection within the host, which frameworks send for a missing slash. */
export async function openReply(name: string, at: string, sent: SentRequest): Promise<OpenReply> {
  let url = new URL(at);
  const headers = { 'accept-encoding': 'identity', ...sent.headers };
  for (let redirects = 0; ; redirects++) {
    const reply = await request(url, { ...sent, headers, dispatcher: connections() });
    const { statusCode: status, headers: raw, body } = reply;
    // The reader handles errors of the body. Without a reader, they must not end the process.
    body.on('error', () => undefined);
    const received = new Headers();
    for (const [field, value = []] of Object.entries(raw)) {
      for (const each of [value].flat()) received.append(field, each);
    }
    const location = received.get('location');
    if (status < 300 || status > 399 || location === null) return { status, headers: received, body };
    await body.dump();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if ((status !== 307 && status !== 308) || next?.origin !== url.origin || redirects === MOST_REDIRECTS) {
      const to = next === null ? 'elsewhere' : `to ${next.origin}${next.pathname}`;
      throw new HttpServiceError('redirected', `${name} answered ${status}, which leads ${to}`, status);
    }
    url = next;
  }
}

/** @throws HttpServiceError if the body is too large */
export async function* limitBody(
  name: string,
  body: OpenReply['body'],
  maxBytes = MAX_BODY_BYTES,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new HttpServiceError('too_large', `${name} answered with more than ${maxBytes} bytes`);
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

/** Longest part of an answer that is searched for its reason, in characters. */
const MOST_READ_CHARS = 20_000;
/** Longest part of an answer in a message, in characters. */
const QUOTED_CHARS = 200;

/** Returns the reason in an answer, shortened, for the end of a sentence: `: no such order`; empty if there is none. */
export function quoteBody(body: string, most = QUOTED_CHARS): string {
  if (/^\s{0,100}<(?:!doctype|html)\b/i.test(body)) return ': an HTML page';
  const line = innermostReason(body.slice(0, MOST_READ_CHARS))
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return '';
  return `: ${line.length <= most ? line : `${line.slice(0, most - 1)}…`}`;
}
