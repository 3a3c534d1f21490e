/**
 * Sends requests that agents wrote, unchanged, with the provider's client, address and key. Returns the answer as text
 * without keys.
 */

import { isAbort, ModelCallError, classifyModelError, type ModelFailure } from './failures.ts';
import { keyCleaners, rootUnusable } from './client.ts';
import { watchExchanges } from './exchange.ts';
import { createModelFetch } from './fetch.ts';
import { withoutMarks } from './reply.ts';
import { CONFIG } from '../evaluation/index.ts';
import type { ResolvedProvider } from './providers.ts';
import type { CallOptions } from './types.ts';
import { createAnthropic } from './wires/messages.ts';
import { createOpenAI } from './wires/openai.ts';
import { parsedJson, type Redact } from '../io/index.ts';

export type RawApi = 'openai' | 'anthropic';

interface RawCall {
  readonly method: 'get' | 'post' | 'delete';
  /** Path below the API's base URL, with a slash at its beginning. */
  readonly path: string;
  /** Body of the request. @default none */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The meaning of a status from 400 on; null for any other. */
  readonly failure: ModelFailure | null;
}

export interface RawClient {
  readonly provider: ResolvedProvider;
  readonly removeKey: Redact;
  readonly redact: Redact;
  /** @throws ModelCallError if no whole answer arrives */
  readonly send: (call: RawCall, options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'onSent'>) => Promise<RawAnswer>;
}

/** @param resolve called once per provider; every call rejects with its error */
export function createRawClients(
  resolve: (provider: string) => ResolvedProvider,
): (provider: string, api: RawApi) => RawClient {
  const clients = new Map<string, RawClient>();
  return (provider, api) => {
    const name = `${provider} ${api}`;
    const client = clients.get(name) ?? createRawClient(resolve(provider), api);
    clients.set(name, client);
    return client;
  };
}

interface PassedRequest extends RawCall {
  readonly provider: string;
  readonly api: RawApi;
}

/**
 * Passes requests on to other parts of a provider's API: embeddings, token counts.
 * @throws ModelCallError if no whole answer arrives
 * @throws ProviderError when the provider cannot be used in this process
 */
export type PassThrough = (request: PassedRequest) => Promise<Pick<RawAnswer, 'status' | 'contentType' | 'body'>>;

export function createPassThrough(resolve: (provider: string) => ResolvedProvider): PassThrough {
  const findClient = createRawClients(resolve);
  return ({ provider, api, ...call }) =>
    findClient(provider, api).send(call, { timeoutMs: CONFIG.callTimeoutMs.option.default });
}

function createRawClient(provider: ResolvedProvider, api: RawApi): RawClient {
  const fetch = createModelFetch();
  const { redact, removeKey } = keyCleaners(provider);
  // Loading a package takes long, so a worker without such calls does not load it.
  let sdk: ReturnType<typeof createAnthropic> | undefined;
  const openai = api === 'openai' ? createOpenAI(provider, fetch) : undefined;
  const request = async (call: RawCall, { signal, timeoutMs }: Pick<CallOptions, 'signal' | 'timeoutMs'>) => {
    const { method, path, body, headers = {} } = call;
    const options = {
      ...{ method, path },
      timeout: Math.max(1, Math.round(timeoutMs)),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
    if (openai !== undefined) return await openai.request(options).asResponse();
    return await (await (sdk ??= createAnthropic(provider, fetch))).request(options).asResponse();
  };
  const send: RawClient['send'] = async (call, options) => {
    const { signal, timeoutMs } = options;
    let said: string | null = null;
    await options.onSent?.();
    try {
      const response = await watchExchanges(
        ({ reply }) => (said = reply),
        () => request(call, options),
      );
      const contentType = response.headers.get('content-type') ?? 'application/json';
      const body = removeKey(withoutMarks(await response.text()));
      return { status: response.status, contentType, body, failure: null };
    } catch (error) {
      if (signal?.aborted === true || isAbort(error)) throw signal?.reason ?? error;
      const failure = classifyModelError(rootUnusable(error), { nowMs: Date.now(), timeoutMs, redact });
      if (failure.status === undefined) throw new ModelCallError(failure);
      const body = errorText(redact(withoutMarks(said ?? '')), failure);
      return { status: failure.status, contentType: 'application/json', body, failure };
    }
  };
  return { provider, redact, removeKey, send };
}

/** Returns the provider's own body if it is JSON, otherwise one with the failure's message. */
function errorText(said: string, { message, type }: ModelFailure): string {
  const value = parsedJson(said);
  // Gateways send HTML pages.
  return typeof value === 'object' && value !== null ? said : writeError(message, type);
}

/** Writes an error's body in the form of both families of APIs. */
export function writeError(message: string, code: string): string {
  return JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message, param: null, code } });
}
