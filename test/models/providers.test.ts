import { describe, expect, it } from 'vitest';
import {
  defaultTokenCap,
  listProviderNames,
  ProviderError,
  providerModel,
  providerRow,
  PROVIDERS,
  resolveProvider,
  takesTemperature,
} from '../../src/models/providers.ts';

const problemOf = (resolve: () => unknown): ProviderError => {
  try {
    resolve();
  } catch (error) {
    if (error instanceof ProviderError) return error;
  }
  throw new Error('expected a provider error');
};

describe('the provider table', () => {
  it('finds OpenAI at its own address, or at the one that OPENAI_BASE_URL names', () => {
    const own = resolveProvider('openai', { OPENAI_API_KEY: 'k' });
    expect(own).toMatchObject({ baseURL: 'https://api.openai.com/v1', apiKey: 'k' });
    const other = resolveProvider('openai', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/' });
    expect(other.baseURL).toBe('http://127.0.0.1:8000/v1');
  });

  it("keeps an address's query for every request", () => {
    const env = {
      AZURE_API_KEY: 'k',
      AZURE_OPENAI_BASE_URL: 'https://r.openai.azure.com/openai/v1/?api-version=preview',
    };
    expect(resolveProvider('azure', env)).toMatchObject({
      baseURL: 'https://r.openai.azure.com/openai/v1',
      query: { 'api-version': 'preview' },
    });
  });

  it('finds Anthropic\u2019s Messages where its own variable says, else before the version of the usual address', () => {
    const messagesOf = (name: string, env: Record<string, string>) => resolveProvider(name, env).messages;
    const key = { ANTHROPIC_API_KEY: 'k' };
    const chat = { ANTHROPIC_OPENAI_BASE_URL: 'https://chat.test/v1?team=1' };
    expect(messagesOf('anthropic', key)).toEqual({ baseURL: 'https://api.anthropic.com', query: {} });
    expect(messagesOf('anthropic', { ...key, ...chat })).toEqual({
      baseURL: 'https://chat.test',
      query: { team: '1' },
    });
    const own = { ...key, ...chat, ANTHROPIC_BASE_URL: 'https://own.test/v1/' };
    expect(messagesOf('anthropic', own)).toEqual({ baseURL: 'https://own.test', query: {} });
    expect(resolveProvider('anthropic', own).baseURL).toBe('https://chat.test/v1');
    expect(messagesOf('vllm', {})).toEqual({ baseURL: 'http://127.0.0.1:8000', query: {} });
    const wrong = problemOf(() => resolveProvider('anthropic', { ...key, ANTHROPIC_BASE_URL: 'here' }));
    expect(wrong.message).toMatch(/^ANTHROPIC_BASE_URL is not a usable base URL/);
  });

  it('drops white space around a key, as a file read into a variable has it', () => {
    expect(resolveProvider('openai', { OPENAI_API_KEY: ' k\n' }).apiKey).toBe('k');
  });

  it('passes organisation and project on when they are set', () => {
    const { headers } = resolveProvider('openai', { OPENAI_API_KEY: 'k', OPENAI_ORG_ID: 'org-1' });
    expect(headers).toEqual({ 'OpenAI-Organization': 'org-1' });
  });

  it.each([undefined, '', '  '])('explains what to do if the key is %j', (key) => {
    const problem = problemOf(() => resolveProvider('openai', { OPENAI_API_KEY: key }));
    expect(problem.kind).toBe('missing_key');
    expect(problem.message).toBe('OPENAI_API_KEY is not set; export it');
  });

  it('lists the known providers for an unknown one', () => {
    const problem = problemOf(() => resolveProvider('opnai', {}));
    expect(problem.kind).toBe('unknown_provider');
    expect(problem.message).toMatch(
      /^unknown model provider "opnai" \(did you mean openai\?\); known are: openai, azure, .*, custom, scripted$/,
    );
  });

  it("finds the scripted model at the process's address, unless a variable has another one", () => {
    const runtime = { scriptedUrl: 'http://127.0.0.1:1/v1' };
    expect(resolveProvider('scripted', {}, runtime)).toMatchObject({ baseURL: runtime.scriptedUrl, apiKey: null });
    const other = { TAUFLOW_SCRIPTED_URL: 'http://127.0.0.1:2/v1' };
    expect(resolveProvider('scripted', other, runtime).baseURL).toBe('http://127.0.0.1:2/v1');
    expect(problemOf(() => resolveProvider('scripted', {})).message).toContain('set TAUFLOW_SCRIPTED_URL');
  });

  it.each(['nonsense', 'ftp://host/v1', 'https://user:pa55word@host/v1'])(
    'refuses the address %s without repeating it',
    (url) => {
      const problem = problemOf(() => resolveProvider('openai', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }));
      expect(problem.kind).toBe('bad_address');
      expect(problem.message).toContain('OPENAI_BASE_URL');
      expect(problem.message).not.toContain(url);
    },
  );

  it("strips LiteLLM's prefix of the same provider, and nothing else", () => {
    expect(providerModel('openai', 'openai/gpt-4o')).toBe('gpt-4o');
    expect(providerModel('openai', 'gpt-4o')).toBe('gpt-4o');
    expect(providerModel('openai', 'meta/llama')).toBe('meta/llama');
  });

  it.each([
    ['openai', 'gpt-4o', 'agent', 4_096],
    ['openai', 'gpt-4o-mini', 'user', 2_048],
    ['openai', 'gpt-4.1', 'judge', 4_096],
    ['openai', 'openai/o3-mini', 'user', 32_768],
    ['azure', 'gpt-5-mini', 'agent', 32_768],
    ['deepseek', 'deepseek-reasoner', 'agent', 32_768],
    ['deepseek', 'deepseek-chat', 'agent', 4_096],
    ['openrouter', 'openai/o3', 'agent', 32_768],
    ['vllm', 'Qwen/Qwen3-32B', 'agent', 32_768],
    ['anthropic', 'claude-sonnet-4-5', 'agent', 4_096],
    ['scripted', 'oracle', 'agent', null],
  ] as const)('caps the tokens of %s/%s as %s at %j', (provider, model, side, cap) => {
    expect(defaultTokenCap(provider, model, side)).toBe(cap);
  });

  it('has one row per provider', () => {
    const names = PROVIDERS.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has unique names for every provider', () => {
    const names = PROVIDERS.flatMap(listProviderNames);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(listProviderNames(providerRow(name))).toContain(name);
  });

  it.each(PROVIDERS.map((row) => [row.name, row] as const))('%s is found where its variables say', (name, row) => {
    const key = 'k'.repeat(20);
    const env = {
      ...(row.keyVariable === null ? {} : { [row.keyVariable]: key }),
      [row.baseUrlVariable]: 'http://h/v1',
    };
    expect(resolveProvider(name, env)).toMatchObject({
      baseURL: 'http://h/v1',
      apiKey: row.keyVariable === null ? null : key,
    });
    if (row.baseUrl !== null) expect(new URL(row.baseUrl).pathname).not.toMatch(/\/$/);
    else if (name !== 'scripted') {
      expect(problemOf(() => resolveProvider(name, { ...env, [row.baseUrlVariable]: '' })).message).toContain(
        row.addressHint,
      );
    }
  });

  it.each(PROVIDERS.flatMap((row) => (row.keyAliases ?? []).map((alias) => [row.name, alias] as const)))(
    '%s takes its key from %s too',
    (name, alias) => {
      const row = providerRow(name);
      expect(resolveProvider(name, { [alias]: 'key', [row.baseUrlVariable]: 'http://h/v1' }).apiKey).toBe('key');
    },
  );

  it('needs no key for a local server', () => {
    expect(resolveProvider('ollama', {})).toMatchObject({ apiKey: null, baseURL: 'http://127.0.0.1:11434/v1' });
    expect(resolveProvider('vllm', { VLLM_API_KEY: 'k' }).apiKey).toBe('k');
  });

  it.each([
    ['openai', 'gpt-4o', true],
    ['openai', 'o3-mini', false],
    ['openai', 'openai/gpt-5', false],
    ['openai', 'gpt-5-2025-08-07', false],
    ['openai', 'gpt-5-chat-latest', true],
    ['openai', 'gpt-5.2', true],
    ['openrouter', 'openai/o4-mini', false],
    ['openrouter', 'openrouter/openai/gpt-5-mini', false],
    ['anthropic', 'claude-opus-4-1', true],
    ['custom', 'o3', true],
  ])('%s, %s: takes a temperature: %s', (provider, model, takes) => {
    expect(takesTemperature(provider, model)).toBe(takes);
  });
});
