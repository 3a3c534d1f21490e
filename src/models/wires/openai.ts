/** The client of OpenAI's SDK, for both wires that it speaks. */

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

/** Options of one request of OpenAI's or Anthropic's SDK. */
export function requestOptions({ idempotencyKey }: ModelRequest, { signal, timeoutMs }: SendOptions) {
  return {
    timeout: Math.max(1, Math.round(timeoutMs)),
    // The client's own `idempotencyKey` option sends nothing unless a subclass names the header.
    headers: { 'Idempotency-Key': idempotencyKey },
    ...(signal === undefined ? {} : { signal }),
  };
}
