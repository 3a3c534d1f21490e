/** The client of OpenAI's SDK, for both wires that it speaks. */

import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import type { ResolvedProvider } from '../providers.ts';
import type { ModelRequest } from '../types.ts';
import type { SendOptions } from './wire.ts';

export function createOpenAI(provider: ResolvedProvider, fetch: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    baseURL: provider.baseURL,
    // The client requires a key; a provider without keys ignores it.
    apiKey: provider.apiKey ?? 'none',
    // Set explicitly, so that the client does not read the environment.
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

/** Number of messages with which all calls of a conversation begin. */
const BEGINNING = 2;

/** Servers that recommend a key. Others with OpenAI's protocol may refuse it. */
const KEYED = /(?:^|\.)(?:openai|azure)\.com$/;

/** Names a conversation for the provider, so that its calls reach the server that has cached its beginning. */
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
    // The client's own option `idempotencyKey` has no effect unless a subclass names the header.
    headers: { 'Idempotency-Key': idempotencyKey },
    ...(signal === undefined ? {} : { signal }),
  };
}
