/** Outlines requests without sending them. The wire's own code writes them, so that they equal real requests. */

import * as z from 'zod';
import type { ModelSettings } from '../evaluation/index.ts';
import { WIRES } from './client.ts';
import type { ModelRequest } from './types.ts';
import { providerModel, providerRow, resolveProvider } from './providers.ts';

export interface RequestOutline {
  /** The address without its query, which may contain a key; null if the environment has no address. */
  readonly url: string | null;
  /** Path below the base URL: `/chat/completions`. */
  readonly path: string;
  /** Fields of the body except the model, the conversation and the tools. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Fields of every request, and fields that affect only the cost. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'system',
  'tools',
  'prompt_cache_key',
  'cache_control',
]);

const NOWHERE = 'http://nowhere.invalid/v1';

/**
 * @param request may have a seed and a cap
 * @param env gives addresses, but no key
 * @throws ProviderError `unknown_provider`, `bad_address`
 */
export async function outlineRequest(
  request: ModelSettings & Pick<ModelRequest, 'maxCompletionTokens' | 'format'>,
  env: NodeJS.ProcessEnv,
): Promise<RequestOutline> {
  const { name, baseUrl, baseUrlVariable, keyVariable } = providerRow(request.provider);
  const isUnknown = baseUrl === null && (env[baseUrlVariable]?.trim() ?? '') === '';
  const provider = resolveProvider(name, {
    ...env,
    ...(isUnknown ? { [baseUrlVariable]: NOWHERE } : {}),
    ...(keyVariable === null ? {} : { [keyVariable]: 'none' }),
  });
  const { wire = 'chat' } = request;
  const seen: { url: string; body: string }[] = [];
  const keep: typeof globalThis.fetch = (input, init) => {
    seen.push({ url: input instanceof Request ? input.url : String(input), body: z.string().parse(init?.body) });
    return Promise.resolve(new Response('{}'));
  };
  const messages = [{ role: 'user', content: 'Say hello.' }] as const;
  const whole = { ...request, messages, idempotencyKey: 'outline' };
  await WIRES[wire](provider, keep).send(whole, providerModel(name, request.model), { timeoutMs: 1_000 });
  const [{ url, body }] = z.tuple([z.object({ url: z.string(), body: z.string() })]).parse(seen);
  const { origin, pathname } = new URL(url);
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(body)));
  const base = wire === 'messages' ? provider.messages.baseURL : provider.baseURL;
  return {
    url: isUnknown && url.startsWith('http://nowhere.invalid/') ? null : `${origin}${pathname}`,
    path: `${origin}${pathname}`.slice(base.length),
    settings: Object.fromEntries(fields.filter(([field]) => !UNSHOWN.has(field))),
  };
}
