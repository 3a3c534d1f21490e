/** The client of OpenAI's SDK, for both wires that it speaks. */

import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import type { ResolvedProvider } from '../providers.ts';
import type { ModelRequest } from '../types.ts';
import type { SendOptions } from './wire.ts';

export function createOpenAI(provider: ResolvedProvider, fetch: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    baseURL: provider.baseURL,
    // The client insists on a key; a provider without keys ignores this one.
    apiKey: provider.apiKey ?? 'none',
    // Said explicitly, so that the client does not look into the environment by itself.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    defaultHeaders: provider.headers,
    defaultQuery: provider.query,
    maxRetries: 0,
    fetch,
  });
}

/** Messages that all calls of one conversation begin with. */
const BEGINNING = 2;

/** Servers that advise a key; other servers that speak OpenAI's protocol may refuse it. */
const KEYED = /(?:^|\.)(?:openai|azure)\.com$/;

/** Names a conversation to the provider, so that its calls reach the server that has its beginning cached. */
export function promptCacheKey(
  { baseURL }: ResolvedProvider,
  { messages }: ModelRequest,
): { readonly prompt_cache_key?: string } {
  if (!KEYED.test(new URL(baseURL).hostname)) return {};
  const beginning = messages.slice(0, BEGINNING).map(({ role, content }) => [role, content]);
  const key = createHash('sha256').update(JSON.stringify(beginning)).digest('hex').slice(0, 32);
  return { prompt_cache_key: key };
}

/** Options of one request of OpenAI's or Anthropic's SDK. */
export function requestOptions({ idempotencyKey }: ModelRequest, { signal, timeoutMs }: SendOptions) {
  return {
    timeout: Math.max(1, Math.round(timeoutMs)),
    // The client's own `idempotencyKey` option sends nothing unless a subclass names the header.
    headers: { 'Idempotency-Key': idempotencyKey },
    ...(signal === undefined ? {} : { signal }),
  };
}
