import { describe, expect, it } from 'vitest';
import { ProviderError, providerModel, PROVIDERS, resolveProvider } from '../../src/llm/providers.ts';

const problemOf = (resolve: () => unknown): ProviderError => {
  try {
    resolve();
  } catch (error) {
    if (error instanceof ProviderError) return error;
  }
  throw new Error('expected a provider error');
};

describe('providers', () => {
  it('finds OpenAI at its own address, or at the one that OPENAI_BASE_URL names', () => {
    const own = resolveProvider('openai', { OPENAI_API_KEY: 'k' });
    expect(own).toMatchObject({ baseURL: 'https://api.openai.com/v1', apiKey: 'k' });
    const other = resolveProvider('openai', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/' });
    expect(other.baseURL).toBe('http://127.0.0.1:8000/v1');
  });

  it('drops white space around a key, as a file read into a variable has it', () => {
    expect(resolveProvider('openai', { OPENAI_API_KEY: ' k\n' }).apiKey).toBe('k');
  });

  it('passes organisation and project on when they are set', () => {
    const { headers } = resolveProvider('openai', { OPENAI_API_KEY: 'k', OPENAI_ORG_ID: 'org-1' });
    expect(headers).toEqual({ 'OpenAI-Organization': 'org-1' });
  });

  it.each([undefined, '', '  '])('says what to do when the key is %j', (key) => {
    const problem = problemOf(() => resolveProvider('openai', { OPENAI_API_KEY: key }));
    expect(problem.kind).toBe('missing_key');
    expect(problem.message).toBe(
      'OPENAI_API_KEY is not set; export it, or run without --model to use the scripted model',
    );
  });

  it('lists the known providers when asked for another', () => {
    const problem = problemOf(() => resolveProvider('opnai', {}));
    expect(problem.kind).toBe('unknown_provider');
    expect(problem.message).toBe('unknown model provider "opnai"; known are: openai, scripted');
  });

  it('finds the scripted model where the process says, unless a variable names another place', () => {
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

  it('has one row a provider', () => {
    const names = PROVIDERS.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
  });
});
