import { describe, expect, it } from 'vitest';
import { findEndpoints, endpointsOfRun, labelsByProvider } from '../../src/models/index.ts';

const retail = { domain: 'retail', ref: { digest: `3fa91c${'0'.repeat(58)}` } };
const airline = { domain: 'airline', ref: { digest: `b1b2b3${'0'.repeat(58)}` } };

const labels = (provider: string, env: Record<string, string>, packs = [retail]): string[] =>
  findEndpoints(provider, env, packs).map(({ label }) => label);

describe('the endpoint of a provider', () => {
  it('is its own address, with or without a key', () => {
    expect(findEndpoints('openai', {}, [])).toEqual([
      { provider: 'openai', label: 'api.openai.com', description: 'https://api.openai.com/v1' },
    ]);
    expect(labels('openai', { OPENAI_API_KEY: 'one' })).toEqual(labels('openai', { OPENAI_API_KEY: 'two' }));
    expect(labels('openai', { OPENAI_BASE_URL: 'https://api.openai.com/v1/' })).toEqual(['api.openai.com']);
  });

  it('is another one at another host, port, scheme or path', () => {
    const urls = [
      'https://gate.test/v1',
      'http://gate.test/v1',
      'https://gate.test:8443/v1',
      'https://gate.test/team/v1',
    ];
    const distinct = new Set(urls.flatMap((url) => labels('openai', { OPENAI_BASE_URL: url })));
    expect(distinct.size).toBe(urls.length);
    for (const label of distinct) expect(label).toMatch(/^gate\.test(-8443)?-[0-9a-f]{6}$/);
    expect(labels('vllm', { VLLM_BASE_URL: 'http://localhost:8000/v1' })).toEqual(
      labels('vllm', { VLLM_BASE_URL: 'http://127.0.0.1:8000/v1/' }),
    );
  });

  it('has an address of its own for Anthropic\u2019s Messages in its label', () => {
    const own = { ANTHROPIC_BASE_URL: 'https://gate.test/' };
    const chat = { ANTHROPIC_OPENAI_BASE_URL: 'https://chat.test/v1' };
    expect(labels('anthropic', {})).toEqual(['api.anthropic.com']);
    expect(findEndpoints('anthropic', own, [])).toMatchObject([{ description: 'https://gate.test' }]);
    expect(findEndpoints('anthropic', { ...own, ...chat }, [])).toMatchObject([
      { description: 'https://gate.test, https://chat.test/v1' },
    ]);
    const distinct = [{}, own, chat, { ...own, ...chat }].flatMap((env) => labels('anthropic', env));
    expect(new Set(distinct).size).toBe(4);
  });

  it('shows no query, which may hold a key', () => {
    const [endpoint] = findEndpoints('openai', { OPENAI_BASE_URL: 'https://gate.test/v1?key=secret' }, []);
    expect(JSON.stringify(endpoint)).not.toContain('secret');
  });

  it('is unknown if only another process has the address', () => {
    expect(labels('azure', {})).toEqual([]);
  });

  it('of the scripted model is the pack that it plays, or the address of a server', () => {
    expect(labels('scripted', {}, [retail, airline])).toEqual(['retail-3fa91c', 'airline-b1b2b3']);
    const [elsewhere] = labels('scripted', { TAUFLOW_SCRIPTED_URL: 'http://127.0.0.1:8123/v1' });
    expect(elsewhere).toMatch(/^127\.0\.0\.1-8123-[0-9a-f]{6}$/);
  });

  it('has the label that the user gives it, or none for any worker', () => {
    const env = { TAUFLOW_ENDPOINT_LABELS: 'openai=gateway, google=any', OPENAI_BASE_URL: 'https://site-1.test/v1' };
    expect(labels('openai', env)).toEqual(['gateway']);
    expect(labels('gemini', env)).toEqual([]);
    expect(labels('groq', env)).toEqual(['api.groq.com']);
    for (const wrong of ['openai', 'nobody=x', 'openai=a b', 'openai=../x']) {
      expect(() => labels('openai', { TAUFLOW_ENDPOINT_LABELS: wrong })).toThrow(/TAUFLOW_ENDPOINT_LABELS has/);
    }
  });

  it('of a run is unique per provider', () => {
    const endpoints = endpointsOfRun(['scripted', 'openai', 'azure'], {}, airline);
    expect(labelsByProvider(endpoints)).toEqual({ scripted: 'airline-b1b2b3', openai: 'api.openai.com' });
  });
});
