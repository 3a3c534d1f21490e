/**
 * Keys of completions. Two keys are equal if the same request goes to the same model at the same address for the same
 * sample.
 *
 * The sample keeps trials apart. A provider that takes no seed gets the same request in every trial, and its answers
 * must stay independent samples. The same holds for two tasks whose users open with the same words, and for a question
 * that an episode asks again because the first answer was useless. So the key has task, trial and the call's number in
 * its episode, beside the seed.
 */

import { createHash } from 'node:crypto';
import { isObject } from '../../io/index.ts';
import { serviceOptions } from '../../agents/index.ts';
import { CONFIG_FIELDS, withAgentUrl, type EvaluationConfig } from '../../evaluation/index.ts';
import type { ForwardRequest } from '../forward.ts';
import type { CacheScope, ModelRequest } from '../types.ts';
import { providerModel, type ResolvedProvider } from '../providers.ts';

/** Raise it when entries under old keys must no longer be found. */
const KEY_VERSION = 1;

/**
 * Returns the key of a request's completion, 64 hexadecimal digits.
 *
 * The key covers all fields of a request except its names for gateways. It covers tools as text, because a model reads
 * the properties of a schema in their order. An absent setting has the key of its default.
 *
 * @param endpoint see {@link toEndpoint}
 */
export function completionKey(request: ModelRequest, scope: CacheScope, endpoint: string | null): string {
  const { provider, model, tools = [], format = 'text' } = request;
  return digestJson({
    ...request,
    idempotencyKey: undefined,
    cache: undefined,
    version: KEY_VERSION,
    model: providerModel(provider, model),
    tools: tools.length === 0 ? null : JSON.stringify(tools),
    format,
    endpoint,
    scope,
  });
}

/** Returns the key of the answer to a request that an agent has written itself, as {@link completionKey} does. */
export function forwardKey(request: ForwardRequest, scope: CacheScope, endpoint: string | null): string {
  const model = providerModel(request.provider, request.model);
  const counted = { ...request, idempotencyKey: undefined, cache: undefined, model };
  return digestJson({ ...counted, form: 'forward', version: KEY_VERSION, endpoint, scope });
}

/**
 * Returns a provider's address for the key: null for the default address. The scripted model's address differs per
 * process, so the program's version replaces it.
 */
export function toEndpoint({ row, baseURL, query }: ResolvedProvider, version: string): string | null {
  if (row.name === 'scripted') return `tauflow ${version}`;
  const search = new URLSearchParams(query).toString();
  const address = search === '' ? baseURL : `${baseURL}?${search}`;
  return address === row.baseUrl ? null : address;
}

/**
 * Returns the name of a configuration, 16 hexadecimal digits. Completions are stored under it, so that those of a
 * configuration can be removed together. It covers the settings that can change a prompt or an answer (`cached` of
 * {@link CONFIG_FIELDS}), but not tasks, trials, concurrency, or the address of an agent with a name.
 */
export function configurationDigest(config: EvaluationConfig): string {
  const { agentName } = serviceOptions(config.strategyOptions);
  const counted = withAgentUrl(config, agentName === undefined ? undefined : '');
  const settings = [...CONFIG_FIELDS].flatMap(
    ([key, { is, cached = is === 'identity' ? (all: unknown) => all : undefined }]) => {
      const value = counted[key];
      return value === undefined || cached === undefined ? [] : [[key, cached(value as never)] as const];
    },
  );
  return digestJson(Object.fromEntries(settings)).slice(0, 16);
}

/** Returns the SHA-256 of a value's {@link canonicalJson}, in hex. */
export function digestJson(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** Returns a value's JSON without white space and with sorted keys; omits undefined fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isObject(item) ? sortKeys(item) : item));
}

function sortKeys(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // JavaScript puts names that are whole numbers first, which is as good as any other order.
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
