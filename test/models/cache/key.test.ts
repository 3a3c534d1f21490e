import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalJson, completionKey } from '../../../src/models/cache/testing.ts';
import { configurationDigest, toEndpoint, type ModelRequest } from '../../../src/models/index.ts';
import type { CacheScope } from '../../../src/models/testing.ts';
import { listKeyVariables, PROVIDERS, resolveProvider } from '../../../src/models/providers.ts';
import type { EvaluationConfig, ModelSettings } from '../../../src/evaluation/index.ts';
import { FRESH, REQUEST, SCOPE } from './helpers.ts';

const keyOf = (changes: Partial<ModelRequest> = {}, scope: CacheScope = SCOPE, endpoint: string | null = null) =>
  completionKey({ ...REQUEST, ...changes }, scope, endpoint);

const [tool] = REQUEST.tools ?? [];
if (tool?.type !== 'function') throw new Error('the request has no tool');

/** The value with its fields in another order, at every depth. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, reordered(item)] as const);
  return Object.fromEntries(fields.reverse());
}

describe('the key of a completion', () => {
  const changed: readonly (readonly [string, string])[] = [
    ['the provider', keyOf({ provider: 'scripted' })],
    ['the provider’s address', keyOf({}, SCOPE, 'http://localhost:8000/v1')],
    ['the model', keyOf({ model: 'gpt-4o-mini' })],
    ['a word of a message', keyOf({ messages: [{ role: 'user', content: 'Hallo' }] })],
    ['the order of the messages', keyOf({ messages: [...REQUEST.messages].reverse() })],
    [
      'who said it',
      keyOf({ messages: REQUEST.messages.map(({ content }) => ({ role: 'user', content: content ?? '' })) }),
    ],
    ['where one message ends', keyOf({ messages: [{ role: 'user', content: 'Be kind.Hello' }] })],
    ['no tools', keyOf({ tools: [] })],
    ['one more tool', keyOf({ tools: [tool, tool] })],
    ['a tool’s description', keyOf({ tools: [{ ...tool, function: { ...tool.function, description: 'Looks up.' } }] })],
    ['the temperature', keyOf({ temperature: 0.1 })],
    ['no temperature', keyOf({ temperature: null })],
    ['an effort', keyOf({ reasoning_effort: 'low' })],
    ['another effort', keyOf({ reasoning_effort: 'high' })],
    ['a top_p', keyOf({ top_p: 0.9 })],
    ['a wire', keyOf({ wire: 'responses' })],
    ['another wire', keyOf({ wire: 'messages' })],
    ['a field of the body', keyOf({ extra_body: { service_tier: 'flex' } })],
    ['a cap on tokens', keyOf({ maxCompletionTokens: 4096 })],
    ['the seed', keyOf({ seed: 12 })],
    ['the format', keyOf({ format: 'json' })],
    ['the trial', keyOf({}, { ...SCOPE, episode: { taskId: 3, trial: 1 } })],
    ['the task', keyOf({}, { ...SCOPE, episode: { taskId: 4, trial: 0 } })],
    ['the call', keyOf({}, { ...SCOPE, call: 'agent 2' })],
    ['the configuration', keyOf({}, { ...SCOPE, configuration: 'fedcba9876543210' })],
  ];

  it.each(changed)('differs for %s', (_what, key) => {
    expect(key).not.toBe(keyOf());
  });

  it('differs for each of these', () => {
    expect(new Set(changed.map(([, key]) => key)).size).toBe(changed.length);
  });

  it.each<[string, Partial<ModelRequest>]>([
    ['what names the call to gateways', { idempotencyKey: 'another-run/agent/1/after-2' }],
    ['a scope that the request carries', { cache: { ...SCOPE, call: 'agent 9' } }],
    ['the provider’s prefix of the model', { model: 'openai/gpt-4o' }],
  ])('does not depend on %s', (_what, changes) => {
    expect(keyOf(changes)).toBe(keyOf());
  });

  it('is the same for an absent value and its default', () => {
    expect(completionKey(FRESH, SCOPE, null)).toBe(keyOf({ tools: [], format: 'text' }));
  });

  it('depends on the text of a schema', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const withTool = (parameters: Record<string, unknown>) =>
      keyOf({ tools: [{ type: 'function', function: { name: 'f', parameters } }] });
    expect(withTool({ properties })).not.toBe(withTool({ properties: { b: properties.b, a: properties.a } }));
  });

  it('does not depend on the order of fields', () => {
    const messages = fc.array(
      fc.oneof(
        fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: fc.string() }),
        fc.record({
          role: fc.constant('tool' as const),
          tool_call_id: fc.string(),
          name: fc.string(),
          content: fc.string(),
        }),
        fc.record({
          role: fc.constant('assistant' as const),
          content: fc.option(fc.string()),
          tool_calls: fc.array(
            fc.record({
              id: fc.string(),
              type: fc.constant('function' as const),
              function: fc.record({ name: fc.string(), arguments: fc.string() }),
            }),
          ),
        }),
      ),
    );
    fc.assert(
      fc.property(messages, fc.option(fc.double({ noNaN: true })), fc.nat(), (said, temperature, seed) => {
        const request = { ...REQUEST, messages: said, temperature, seed };
        const { tools = [], ...rest } = request;
        const other = { tools, ...(reordered(rest) as typeof rest) };
        expect(completionKey(other, reordered(SCOPE) as CacheScope, null)).toBe(completionKey(request, SCOPE, null));
      }),
    );
  });

  it('distinguishes any two conversations', () => {
    const words = fc.array(fc.string(), { maxLength: 4 });
    const asked = (contents: readonly string[]) => contents.map((content) => ({ role: 'user' as const, content }));
    fc.assert(
      fc.property(words, words, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(keyOf({ messages: asked(one) }) === keyOf({ messages: asked(other) })).toBe(isSame);
      }),
    );
  });
});

describe('canonical JSON', () => {
  it('means the same as the value, and is the same for any order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reordered(value))).toBe(text);
      }),
    );
  });
});

/** A key for every provider. */
const KEYS = Object.fromEntries(
  PROVIDERS.flatMap((row) => listKeyVariables(row).map((name) => [name, 'key-1234567890'])),
);

describe('the endpoint', () => {
  const key = { OPENAI_API_KEY: 'sk-proj-0123456789' };

  it('is empty for the provider’s own address, and else the address', () => {
    expect(toEndpoint(resolveProvider('openai', key), '1.0')).toBeNull();
    const gateway = resolveProvider('openai', { ...key, OPENAI_BASE_URL: 'http://gateway:8000/v1/' });
    expect(toEndpoint(gateway, '1.0')).toBe('http://gateway:8000/v1');
  });

  const endpoints = (provider: string, variable: string, urls: readonly string[]) =>
    urls.map((url) => toEndpoint(resolveProvider(provider, { ...KEYS, [variable]: url }), '1.0'));

  it('is one for every spelling of an address', () => {
    const same = ['http://Gateway/v1', 'http://gateway:80/v1/', 'HTTP://gateway/v1//', ' http://gateway/x/../v1 '];
    expect(new Set(endpoints('openai', 'OPENAI_BASE_URL', same))).toEqual(new Set(['http://gateway/v1']));
    const own = ['https://api.openai.com/v1', 'https://API.openai.com:443/v1/'];
    expect(endpoints('openai', 'OPENAI_BASE_URL', own)).toEqual([null, null]);
  });

  it.each(PROVIDERS.filter(({ name }) => name !== 'scripted').map((row) => [row.name, row.baseUrlVariable]))(
    'distinguishes any two addresses of %s',
    (provider, variable) => {
      const urls = [
        'http://a/v1',
        'http://b/v1',
        'https://a/v1',
        'http://a:8080/v1',
        'http://a/v2',
        'http://a/V1',
        'http://a/v1/deployments/x',
        'http://a/v1?api-version=1',
        'http://a/v1?api-version=2',
      ];
      expect(new Set(endpoints(provider, variable, urls)).size).toBe(urls.length);
      expect(endpoints(provider, variable, urls)).not.toContain(null);
    },
  );

  it('is the same on any port for the scripted model', () => {
    const at = (scriptedUrl: string, version: string) =>
      toEndpoint(resolveProvider('scripted', {}, { scriptedUrl }), version);
    expect(at('http://127.0.0.1:1000/v1', '1.0')).toBe(at('http://127.0.0.1:2000/v1', '1.0'));
    expect(at('http://127.0.0.1:1000/v1', '1.0')).not.toBe(at('http://127.0.0.1:1000/v1', '1.1'));
  });
});

describe('the digest of a configuration', () => {
  const config: EvaluationConfig & { readonly agentModel: ModelSettings } = {
    env: 'retail',
    split: 'test',
    pack: { name: 'shop', digest: 'ab'.repeat(32), path: '/packs/shop' },
    strategy: 'tool-calling',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    agentModel: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    userStrategy: 'llm',
    userModel: { provider: 'openai', model: 'gpt-4o', temperature: null },
    maxSteps: 30,
    seed: 10,
    maxRetries: 3,
    episodeTimeoutMs: 7_200_000,
  };
  const digest = configurationDigest(config);

  it.each<[string, Partial<EvaluationConfig>]>([
    ['the split', { split: 'dev' }],
    ['the pack', { pack: { ...config.pack, digest: 'cd'.repeat(32) } }],
    ['the strategy', { strategy: 'fastworkflow' }],
    ['an option of the strategy', { strategyOptions: { omitPolicy: true, useReasoning: true } }],
    ['the agent’s model', { agentModel: { ...config.agentModel, model: 'gpt-4o-mini' } }],
    ['the temperature', { agentModel: { ...config.agentModel, temperature: 1 } }],
    ['a role’s model', { roleModels: { 'agent/planner': config.userModel } }],
    ['the user’s model', { userModel: { ...config.userModel, model: 'gpt-4o-mini' } }],
    ['the user’s strategy', { userStrategy: 'react' }],
    ['the seed', { seed: 11 }],
  ])('differs for %s', (_what, changes) => {
    expect(configurationDigest({ ...config, ...changes })).not.toBe(digest);
  });

  it.each<[string, Partial<EvaluationConfig>]>([
    ['where the pack lies', { pack: { ...config.pack, name: 'store', path: '/elsewhere' } }],
    ['how many steps an episode may have', { maxSteps: 50 }],
    ['how often a call is tried', { maxRetries: 9 }],
    ['how long a call may take', { callTimeoutMs: 1000 }],
    ['how long an episode may take', { episodeTimeoutMs: 1000 }],
    ['whether the cache is used', { responseCache: digest }],
  ])('does not depend on %s', (_what, changes) => {
    expect(configurationDigest({ ...config, ...changes })).toBe(digest);
  });
});
