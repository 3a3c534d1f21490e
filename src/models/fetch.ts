/** The HTTP of model calls, below the SDKs. */

import { BlockList, isIP } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { startExchange } from './exchange.ts';
import { UnusableReplyError } from './failures.ts';
import { ProviderError } from './providers.ts';
import { withoutHalves } from './well-formed.ts';

/** A completion of 100,000 tokens is about 0.5 MB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Most bytes of an error's body; the status matters more. */
const MAX_ERROR_BYTES = 256 * 1024;

type Fetch = typeof globalThis.fetch;

/** Most redirections of a request; then the last redirection is the answer. */
const MOST_REDIRECTS = 5;

/** Names of this machine, which the scripted model and local model servers use. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Creates the `fetch` of model calls. It sets no time limit for headers and body (Node's is 300 s), because the caller
 * has a deadline. It reads the body under that deadline, up to a size limit. It nests error bodies under `error` if
 * servers do not, so that their message is not lost.
 *
 * It uses undici's `request`, because undici's `fetch` takes twice the CPU time, mostly for web streams.
 *
 * It has one connection pool, whose idle connections do not keep the process alive.
 * @param env names the proxies, in the usual variables: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (names with their
 * subdomains, addresses, either with a port, ranges such as `10.0.0.0/8`, or `*`), also in lower case. Servers on this
 * machine need none. @default that of the process
 * @throws ProviderError for an invalid proxy address
 */
export function createModelFetch(env: NodeJS.ProcessEnv = process.env): Fetch {
  const exceptions = setting(env, 'NO_PROXY').split(/[,\s]+/);
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 15_000 } };
  const proxied = new EnvHttpProxyAgent({
    ...options,
    httpProxy: readProxy(env, 'HTTP_PROXY'),
    httpsProxy: readProxy(env, 'HTTPS_PROXY'),
    // The client accepts a star only by itself.
    noProxy: exceptions.includes('*') ? '*' : [...exceptions, ...THIS_MACHINE].join(','),
  });
  const isDirect = inRanges(exceptions);
  const direct = new Agent(options);
  return async (input, init) => {
    const { body: given = null, method = 'GET', signal } = init ?? {};
    // The SDKs send text only.
    const body = given === null ? null : withoutHalves(given as string);
    const report = startExchange(body);
    let answer: Dispatcher.ResponseData | undefined;
    let text: string | undefined;
    try {
      let headers = sentHeaders(init?.headers);
      let url = new URL(input instanceof Request ? input.url : input);
      for (let redirects = 0; ; redirects++) {
        answer = await request(url, {
          dispatcher: isDirect(url) ? direct : proxied,
          method,
          headers,
          body,
          ...(signal === undefined ? {} : { signal }),
        });
        const next =
          redirects === MOST_REDIRECTS || !KEEPS_METHOD.has(answer.statusCode) ? null : toTarget(answer, url);
        if (next === null) break;
        await answer.body.dump();
        if (next.origin !== url.origin) headers = withoutKeys(headers);
        url = next;
      }
      text = isOk(answer) ? await readWhole(answer) : await readError(answer);
    } finally {
      report?.(answer?.statusCode ?? null, text ?? null);
    }
    const { statusCode: status, statusText } = answer;
    const described = { status, statusText, headers: listHeaders(answer) };
    // Statuses such as 204 allow no body, not even an empty one.
    const whole = isOk(answer) ? text : (describeMove(answer, input) ?? nestError(text));
    return new Response(whole === '' ? null : whole, described);
  };
}

/** Redirections that repeat the request unchanged; others turn it into a GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

function toTarget({ headers: { location } }: Dispatcher.ResponseData, { href }: URL): URL | null {
  return typeof location === 'string' && URL.canParse(location, href) ? new URL(location, href) : null;
}

/** Removes keys from headers for another server. */
function withoutKeys(headers: Record<string, string>): Record<string, string> {
  const names = new Set(['authorization', 'x-api-key', 'api-key', 'cookie', 'proxy-authorization']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
}

/** Returns the message on an address that redirects, without its query. */
function describeMove(answer: Dispatcher.ResponseData, input: string | URL | Request): string | null {
  if (answer.statusCode < 301 || answer.statusCode > 303) return null;
  const to = toTarget(answer, new URL(input instanceof Request ? input.url : input));
  if (to === null) return null;
  const message = `the address redirects to ${to.origin}${to.pathname}; give the provider's address as it is there`;
  return JSON.stringify({ error: { message, code: 'redirected' } });
}

/** Asks for uncompressed replies: they are small, and without this header a server may choose any encoding. */
function sentHeaders(given: RequestInit['headers']): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  new Headers(given).forEach((value, name) => (headers[name] = value));
  return headers;
}

function isOk({ statusCode }: Dispatcher.ResponseData): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function listHeaders({ headers }: Dispatcher.ResponseData): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}

function setting(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? '').trim();
}

function readProxy(env: NodeJS.ProcessEnv, name: string): string {
  const url = setting(env, name);
  if (url === '' || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url;
  // The value is not shown, because it may contain a password.
  throw new ProviderError('bad_address', `${name} is not the address of a proxy; write it as http://host:port`);
}

/** Returns a test for addresses in the ranges of `NO_PROXY`, which the client does not support. */
function inRanges(exceptions: readonly string[]): (url: URL) => boolean {
  const ranges = new BlockList();
  for (const entry of exceptions) {
    const [, address = '', bits = ''] = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/i.exec(entry) ?? [];
    const family = isIP(address);
    if (family !== 0 && Number(bits) <= (family === 4 ? 32 : 128))
      ranges.addSubnet(address, Number(bits), `ipv${family as 4 | 6}`);
  }
  return ({ hostname }) => {
    const address = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(address);
    return family !== 0 && ranges.check(address, `ipv${family as 4 | 6}`);
  };
}

async function readWhole(answer: Dispatcher.ResponseData): Promise<string> {
  const most = MAX_BODY_BYTES + 1;
  const bytes = await decodeBody(answer, await readBeginning(answer, most), most);
  if (bytes.length <= MAX_BODY_BYTES) return bytes.toString('utf8');
  throw tooLarge();
}

function tooLarge(): UnusableReplyError {
  return new UnusableReplyError('ReplyTooLong', `the provider's answer is larger than ${String(MAX_BODY_BYTES)} bytes`);
}

/** Returns the beginning of an error's body; empty if it cannot be decoded. */
async function readError(answer: Dispatcher.ResponseData): Promise<string> {
  const bytes = await readBeginning(answer, MAX_ERROR_BYTES);
  return await decodeBody(answer, bytes, MAX_ERROR_BYTES).then(String, () => '');
}

/** Reads at most `most` bytes, and drops the connection if there are more. */
async function readBeginning({ body }: Dispatcher.ResponseData, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const part = (chunk as Uint8Array).subarray(0, most - bytes);
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks);
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Decoders of encodings that some gateways use without being asked. */
const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, object, Buffer>(inflate)],
  ['br', promisify<Buffer, object, Buffer>(brotliDecompress)],
]);

/** @param most bytes of the decoded body @throws UnusableReplyError if it has more, or does not match its header */
async function decodeBody({ headers }: Dispatcher.ResponseData, bytes: Buffer, most: number): Promise<Buffer> {
  const encoding = String(headers['content-encoding']).toLowerCase();
  const decode = DECODERS.get(encoding);
  if (decode === undefined) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: most });
  } catch (error) {
    throw error instanceof RangeError
      ? tooLarge()
      : new UnusableReplyError('ModelUnavailable', `the provider's answer cannot be decoded as ${encoding}`);
  }
}

/** Turns `{"message": …}`, `{"detail": …}` and similar into `{"error": …}`, which the client reads. */
function nestError(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    // Google puts the error into a list.
    const [first] = Array.isArray(json) && json.length === 1 ? (json as unknown[]) : [json];
    if (typeof first !== 'object' || first === null) return text;
    if (!('error' in first)) return JSON.stringify({ error: first });
    // xAI puts the code beside the text, where the client does not look.
    if (typeof first.error === 'string' && Object.keys(first).length > 1)
      return JSON.stringify({ error: { ...first, message: first.error } });
    return first === json ? text : JSON.stringify(first);
  } catch {
    return text;
  }
}
