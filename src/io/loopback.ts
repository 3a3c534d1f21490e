/** Parts of HTTP servers that listen on this machine's loopback: the port, the body, and refusals. */

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../errors/index.ts';

/** Address that such a server listens on. */
export const LOOPBACK = '127.0.0.1';

/** Another program listens on the port. */
export class PortTakenError extends UsageError {
  override readonly name = 'PortTakenError';
}

/** An error of a request, which its sender can correct. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * @param port 0: any free one
 * @returns the server's address, such as `http://127.0.0.1:8234`
 * @throws PortTakenError
 */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortTakenError(`port ${port} is taken by another program; choose another with --port`);
  }
  return `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** Ends the connections too. */
export async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** Path of a request, without its query. A target such as `//` is a path here, and not the name of a host. */
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
  // Left open when it is too large, so that the refusal still gets through.
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
