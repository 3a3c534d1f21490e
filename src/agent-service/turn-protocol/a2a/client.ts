/** The SDK's client of an agent, limited to the agent's host and to the sizes below. */

import type { Readable } from 'node:stream';
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory, type Client } from '@a2a-js/sdk/client';
import { LRUCache } from 'lru-cache';
import { toAgentFailure, formatAgentName, type AgentService, type AskOptions } from '../http.ts';
import { findCard, placeKey, type FoundCard } from './card.ts';
import { limitBody, jsonObject, openReply } from '../../../io/index.ts';
import { errorIn } from './failures.ts';
import { readA2aBody, readEvents } from './raw.ts';

/** Largest answer in bytes; a stream repeats what the agent says. */
const MOST_BYTES = 8 * 1024 * 1024;

interface CardClient {
  readonly client: Client;
  readonly found: FoundCard;
}

/** Connections by URL; a card is read again after a while, and when the agent was unreachable. */
const connected = new LRUCache<string, Promise<CardClient>>({ max: 100, ttl: 300_000 });
export function forgetConnection({ url }: AgentService): void {
  connected.delete(url);
}

/** @throws ModelCallError without a usable card */
export async function connectToAgent(service: AgentService, options: AskOptions): Promise<CardClient> {
  const known = connected.get(service.url);
  if (known !== undefined) return await known;
  const made = findCard(service, { timeoutMs: Math.min(options.timeoutMs, CARD_MS) }).then(async (found) => {
    return { found, client: await createA2aClient(service, found) };
  });
  connected.set(service.url, made);
  made.catch(() => connected.delete(service.url));
  return await made;
}

const CARD_MS = 30_000;

async function createA2aClient(service: AgentService, { card }: FoundCard): Promise<Client> {
  const { headers, query } = placeKey(service, card);
  const shared = { fetchImpl: boundedFetch(service, { headers, query }), legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(shared), new RestTransportFactory(shared)],
    // The card is read already.
    cardResolver: { resolve: () => Promise.resolve(card) },
  });
  return await factory.createFromAgentCard(card);
}

/** Returns a `fetch` for the SDK, which reaches only the agent's host, sends its key, and limits the size. */
function boundedFetch(service: AgentService, key: ReturnType<typeof placeKey>): typeof fetch {
  return async (input, { method = 'GET', body, headers, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    for (const [name, value] of Object.entries(key.query)) url.searchParams.set(name, value);
    if (signal === undefined || signal === null) throw new Error('a request to an agent needs its signal');
    const sent = {
      method: method === 'POST' ? 'POST' : 'GET',
      body: typeof body === 'string' ? body : null,
      headers: { ...Object.fromEntries(new Headers(headers)), ...key.headers },
      signal,
    } as const;
    const reply = await openReply(formatAgentName(service), url.href, sent);
    const { status } = reply;
    const content = limitBody(formatAgentName(service), reply.body, MOST_BYTES);
    if (status >= 200 && status <= 299) {
      const isStream = /^text\/event-stream\b/i.test(reply.headers.get('content-type') ?? '');
      if (!isStream) return new Response(readA2aBody(await wholeText(content)), { status, headers: reply.headers });
      return new Response(toWeb(reply.body, readEvents(content)), { status, headers: reply.headers });
    }
    const text = await wholeText(content);
    const error = isPassing(status) ? null : errorIn(jsonObject(text) ?? {});
    throw error ?? toAgentFailure(service, { status, headers: reply.headers, body: text });
  };
}

/** True for statuses that describe the failure by themselves. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 502;
}

/**
 * Returns a stream that ends when its reader stops, even while it waits for the agent, where `Readable.toWeb` throws an
 * uncaught error.
 */
function toWeb(body: Readable, content: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await content.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      body.destroy();
    },
  });
}

async function wholeText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
