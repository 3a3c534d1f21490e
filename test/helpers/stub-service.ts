/** A service behind a real server on loopback, which answers as a test says. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handle = (received: Received, response: ServerResponse) => void;

/** @returns its address, and what it has received */
export async function serve(handle: Handle): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts).toString() };
      received.push(one);
      handle(one, response);
    });
  });
  return { url: `${await listen(server)}/agent`, received };
}

/** Starts a server for the current test. @returns its address without a path */
export async function listen(server: Server): Promise<string> {
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Answers each request alike. */
export function answering(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Handle {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
