/**
 * An endpoint that decodes and encodes payloads for Temporal UI and the `temporal` command, by Temporal's remote codec
 * protocol: `POST /decode` and `POST /encode` with `{"payloads": […]}`, bytes in base64.
 *
 * Anyone who can reach it can decrypt, so it listens only on loopback, and answers only the UI's web pages. A request
 * without `Origin` comes from a program of this machine, not from a page.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

import { firstLine } from '../../errors/index.ts';
import { LOOPBACK, Refusal, closeServer, listenOnLoopback, readBody, requestPath, sendJson } from '../../io/index.ts';
import { ServerError } from '../errors.ts';

/** Largest body in bytes. A gRPC message has at most 4 MiB, and base64 makes it a third longer. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

interface CodecServerOptions {
  readonly codec: PayloadCodec;
  /** Port to listen on; 0: any free one. */
  readonly port: number;
  /** Origins of the pages that are answered, such as `http://localhost:8233`. */
  readonly origins: ReadonlySet<string>;
}

interface CodecServer {
  /** Address of the server. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws PortTakenError */
export async function startCodecServer(options: CodecServerOptions): Promise<CodecServer> {
  const server = createServer((request, response) => {
    allowOrigin(request, response, options.origins);
    answer(request, response, options).catch((error: unknown) => sendProblem(response, error));
  });
  const url = await listenOnLoopback(server, options.port);
  return { url, close: () => closeServer(server) };
}

/**
 * Returns a UI's address, and on this machine its second name (`localhost` or 127.0.0.1), because browsers treat the
 * two as different origins.
 */
export function listOrigins(uiUrl: string): string[] {
  const { origin, hostname } = new URL(uiUrl);
  if (hostname === LOOPBACK) return [origin, origin.replace(LOOPBACK, 'localhost')];
  if (hostname === 'localhost') return [origin, origin.replace('localhost', LOOPBACK)];
  return [origin];
}

/** Answers a request. @throws Refusal */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { codec, origins }: CodecServerOptions,
): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined && !origins.has(origin)) {
    const remedy = `start \`tauflow codec-server\` with --ui-url ${origin}`;
    throw new Refusal(403, `pages of ${origin} are not answered; ${remedy}`);
  }
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const convert = CONVERSIONS.get(requestPath(request));
  if (convert === undefined) throw new Refusal(404, 'POST to /encode or /decode');
  if (request.method !== 'POST') throw new Refusal(405, 'POST to /encode or /decode', { Allow: 'POST, OPTIONS' });
  const payloads = await convert(codec, readPayloads(await readBody(request, MAX_BODY_BYTES)));
  sendJson(response, 200, { payloads: payloads.map((payload) => toJson(payload)) });
}

/** Functions for the two paths. It is a map, because an object would also have `constructor`. */
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

function sendProblem(response: ServerResponse, error: unknown): void {
  const { status, headers } =
    // The request is valid, but this process lacks the key.
    error instanceof Refusal ? error : { status: error instanceof ServerError ? 422 : 500, headers: {} };
  sendJson(response, status, { message: firstLine(error) }, headers);
}

/** Lets the UI's pages read the answer. */
function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse, origins: ReadonlySet<string>) {
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.has(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Namespace, Authorization, Caller-Type');
}
