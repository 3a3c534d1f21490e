/**
 * An endpoint that decodes and encodes payloads for Temporal UI and the `temporal` command, as Temporal's remote codec
 * protocol has it: `POST /decode` and `POST /encode` with `{"payloads": […]}`, bytes in base64.
 *
 * Whoever reaches it can decrypt, so it listens on loopback only, and a browser's page is answered only if it is the
 * UI's. What sends no `Origin` is no page but a program of this machine.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

import { firstLine } from '../../errors/index.ts';
import { LOOPBACK, Refusal, closeServer, listenOnLoopback, readBody, requestPath } from '../../io/index.ts';
import { ServerError } from '../errors.ts';

/** A gRPC message has at most 4 MiB; base64 makes a third more of it. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

interface CodecServerOptions {
  readonly codec: PayloadCodec;
  /** 0: any free one. */
  readonly port: number;
  /** Origins of the pages that are answered, as `http://localhost:8233`. */
  readonly origins: ReadonlySet<string>;
}

export interface CodecServer {
  /** Address that it listens on. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws PortTakenError */
export async function startCodecServer(options: CodecServerOptions): Promise<CodecServer> {
  const server = createServer((request, response) => {
    answer(request, options).then(
      (reply) => send(response, reply, request, options.origins),
      (error: unknown) => send(response, replyTo(error), request, options.origins),
    );
  });
  const url = await listenOnLoopback(server, options.port);
  return { url, close: () => closeServer(server) };
}

/** A UI's address, and the other name of the same place where it is on this machine: for browsers they are two. */
export function originsOf(uiUrl: string): string[] {
  const { origin, hostname } = new URL(uiUrl);
  if (hostname === LOOPBACK) return [origin, origin.replace(LOOPBACK, 'localhost')];
  if (hostname === 'localhost') return [origin, origin.replace('localhost', LOOPBACK)];
  return [origin];
}

interface Reply {
  readonly status: number;
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(request: IncomingMessage, { codec, origins }: CodecServerOptions): Promise<Reply> {
  const { origin } = request.headers;
  if (origin !== undefined && !origins.has(origin)) {
    throw new Refusal(
      403,
      `pages of ${origin} are not answered; start \`tauflow codec-server\` with --ui-url ${origin}`,
    );
  }
  if (request.method === 'OPTIONS') return { status: 204, body: null };
  const convert = CONVERSIONS.get(requestPath(request));
  if (convert === undefined) throw new Refusal(404, 'POST to /encode or /decode');
  if (request.method !== 'POST') throw new Refusal(405, 'POST to /encode or /decode', { Allow: 'POST, OPTIONS' });
  const payloads = await convert(codec, readPayloads(await readBody(request, MAX_BODY_BYTES)));
  return { status: 200, body: { payloads: payloads.map((payload) => toJson(payload)) } };
}

/** A map, because an object would have `constructor` as well. */
const CONVERSIONS: ReadonlyMap<string, (codec: PayloadCodec, payloads: Payload[]) => Promise<Payload[]>> = new Map([
  ['/encode', (codec, payloads) => codec.encode(payloads)],
  ['/decode', (codec, payloads) => codec.decode(payloads)],
]);

function readPayloads(body: string): Payload[] {
  try {
    const json = JSON.parse(body) as { payloads?: unknown } | null;
    const payloads = json?.payloads;
    if (!Array.isArray(payloads)) throw new TypeError('payloads');
    return payloads.map((payload) => PayloadMessage.fromObject(payload as object));
  } catch {
    throw new Refusal(400, 'the body is not {"payloads": […]} with bytes in base64');
  }
}

function toJson(payload: Payload): object {
  return PayloadMessage.toObject(PayloadMessage.create(payload), { bytes: String });
}

function replyTo(error: unknown): Reply {
  if (error instanceof Refusal) {
    return { status: error.status, body: { message: error.message }, headers: error.headers };
  }
  // A key that this process does not have: what is asked for is right, and cannot be done.
  if (error instanceof ServerError) return { status: 422, body: { message: error.message } };
  return { status: 500, body: { message: firstLine(error) } };
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Reply,
  request: IncomingMessage,
  origins: ReadonlySet<string>,
) {
  const { origin } = request.headers;
  if (origin !== undefined && origins.has(origin)) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Namespace, Authorization, Caller-Type');
  }
  response.setHeader('Vary', 'Origin');
  // Whatever was not read of a body that is too large goes with the connection.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(status, body === null ? headers : { ...headers, 'Content-Type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}
