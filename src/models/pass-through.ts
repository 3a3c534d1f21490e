/** Passes an agent's requests to other parts of a provider's API through: embeddings, counts of tokens. */

import { DEFAULT_CALL_TIMEOUT_MS } from '../wire/index.ts';
import type { ResolvedProvider } from './providers.ts';
import { createRawClients, type RawAnswer, type RawApi, type RawCall } from './raw-client.ts';

export interface PassedRequest extends RawCall {
  readonly provider: string;
  readonly api: RawApi;
}

/**
 * @throws ModelCallError where there was no whole answer
 * @throws ProviderError when the provider cannot be used in this process
 */
export type PassThrough = (request: PassedRequest) => Promise<Pick<RawAnswer, 'status' | 'contentType' | 'body'>>;

/** @param resolve is asked once per provider; what it throws reaches the caller of every call */
export function createPassThrough(resolve: (provider: string) => ResolvedProvider): PassThrough {
  const clientOf = createRawClients(resolve);
  return ({ provider, api, ...call }) => clientOf(provider, api).send(call, { timeoutMs: DEFAULT_CALL_TIMEOUT_MS });
}
