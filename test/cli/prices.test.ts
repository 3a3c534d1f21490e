import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answerError, answerJson, completion, KEY, startFakeProvider, type FakeProvider } from '../models/helpers.ts';
import { scratchFolder, tauflow } from './in-process.ts';

const MODELS = '--model openai/gpt-4o --user-model groq/llama --end-index 2 --dry-run --json';

async function asked(prices: unknown, words = MODELS) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'prices.json'), typeof prices === 'string' ? prices : JSON.stringify(prices));
  return await tauflow(['run', ...words.split(' '), '--prices', 'prices.json'], { cwd });
}

describe('prices that a run is given', () => {
  it('are in its configuration, those of its own models, and are reported', async () => {
    const { code, stdout } = await asked({
      'openai/gpt-4o': { input: 1, cached_input: 0.1, output: 4 },
      'groq/llama': { input: 2, cache_write: 2.5, output: 3 },
      'mistral/large': { input: 9, output: 9 },
    });
    expect(code).toBe(0);
    const { config, notes } = JSON.parse(stdout) as { config: { prices: unknown }; notes: string[] };
    expect(config.prices).toEqual([
      { provider: 'openai', model: 'gpt-4o', input: 1, cached_input: 0.1, output: 4 },
      { provider: 'groq', model: 'llama', input: 2, cache_write: 2.5, output: 3 },
    ]);
    expect(notes.filter((note) => note.includes('--prices'))).toHaveLength(2);
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /prices\.json is not JSON/],
    ['another shape', { 'openai/gpt-4o': { input: -1, output: 2 } }, /openai\/gpt-4o\.input: /],
    ['a name without a provider', { gpt: { input: 1, output: 2 } }, /must be named as provider\/model/],
    ['an unknown provider', { 'fly/m': { input: 1, output: 2 } }, /unknown model provider "fly"/],
    [
      'none of the run\u2019s models',
      { 'openai/gpt-5': { input: 1, output: 2 } },
      /no price of the models that are called/,
    ],
  ])('are refused as %s', async (_, prices, sentence) => {
    const { code, stderr } = await asked(prices);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('are refused without a file', async () => {
    const ended = await tauflow(['run', ...MODELS.split(' '), '--prices', 'nowhere.json']);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(/nowhere\.json does not exist/);
  });
});

describe('doctor', () => {
  const open: FakeProvider[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((provider) => provider.close()));
  });

  async function doctor(provider: FakeProvider, words = '--model-provider openai --model gpt-4o') {
    open.push(provider);
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.url };
    return await tauflow(['doctor', ...words.split(' ')], { env });
  }

  it('makes one call where a model is named, and says what it cost', async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    const { stdout } = await doctor(provider);
    expect(stdout).toMatch(
      /✓ model openai\/gpt-4o +answers in \d+ ms as gpt-4o-2024-08-06: 1000 tokens in, 100 out, for \$/,
    );
    expect(provider.requests).toHaveLength(1);
  });

  it('says what is wrong with a model that does not answer, without the key', async () => {
    const provider = await startFakeProvider(answerError(401, { message: `Incorrect API key provided: ${KEY}.` }));
    const { code, stdout, stderr } = await doctor(provider);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ model openai\/gpt-4o +NotAuthorised: 401 Incorrect API key/);
    expect(stdout + stderr).not.toContain(KEY);
  });

  it('makes none otherwise', async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    await doctor(provider, '--json');
    expect(provider.requests).toEqual([]);
  });

  it('refuses half of a name', async () => {
    expect(await tauflow(['doctor', '--model-provider', 'openai'])).toMatchObject({ code: 2 });
    expect(await tauflow(['doctor', '--model', 'gpt-4o'])).toMatchObject({ code: 2 });
  });
});
