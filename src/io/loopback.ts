/** Parts of the HTTP servers on this machine: ports, checks of the sender, bodies, replies, and refusals. */

import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError, systemErrorCode } from '../errors/index.ts';

/** Address that these servers listen on. */
export const LOOPBACK = '127.0.0.1';

/**
 * @returns true for an address of this machine
 * @param authority `user@host:port`; only the host is used
 */
export function isLoopback(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d+$/, '');
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Error of a port on which another program listens. */
export class PortTakenError extends UsageError {
  override readonly name = 'PortTakenError';
}

/** Error of a request that its sender can correct. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Starts listening. @returns the port @throws the system's error, such as `EADDRINUSE` */
export async function listen(server: Server, at: { readonly port: number; readonly host?: string }): Promise<number> {
  server.listen(at);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * @param port 0: any free one
 * @returns the server's address, such as `http://127.0.0.1:8234`
 * @throws PortTakenError
 */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  try {
    return `http://${LOOPBACK}:${await listen(server, { port, host: LOOPBACK })}`;
  } catch (error) {
    if (systemErrorCode(error) !== 'EADDRINUSE') throw error;
    throw new PortTakenError(`port ${port} is taken by another program; choose another with --port`);
  }
}

/** Closes the server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

interface Senders {
  /** Names of the server, for the message to refused senders. */
  readonly names: string;
  /**
   * True for a `Host` that is answered. Another host may be a DNS name that was manipulated to lead to this machine.
   */
  readonly isHost: (host: string) => boolean;
  /** True for the `Origin` of a page that is answered. @default pages are refused */
  readonly isOrigin?: (origin: string, host: string) => boolean;
}

/** @throws Refusal for a request to another host, or from another page in a browser */
export function checkSender(
  { headers: { host = '', origin } }: IncomingMessage,
  { names, isHost, isOrigin }: Senders,
): void {
  if (!isHost(host)) throw new Refusal(403, `only requests to ${names} are answered`);
  if (origin === undefined || isOrigin?.(origin, host) === true) return;
  throw new Refusal(403, `pages of ${origin} are not answered`);
}

/** Returns the path of a request, without its query. A target such as `//` is a path, not the name of a host. */
export function requestPath({ url = '/' }: IncomingMessage): string {
  if (!url.startsWith('/')) return URL.canParse(url) ? new URL(url).pathname : url;
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** @throws Refusal for a body that is too large, compressed, or not UTF-8 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new Refusal(415, 'send the body without a Content-Encoding');
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request stays open when it is too large, so that the refusal reaches its sender.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(413, `the body is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400, 'the body is not UTF-8');
  }
}

/**
 * Sends a whole text. If the response has already begun, it is cut short; if the client has disconnected, nothing is
 * sent.
 */
export function sendText(response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // Closing the connection discards the unread rest of a request that is too large.
  if (!response.req.complete) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(text), ...headers }).end(text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: OutgoingHttpHeaders = {},
): void {
  sendText(response, status, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
}
