/** Fields that providers refuse in a request, and the ways in which they count tokens. */

import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller, type ModelRequest } from '../../src/models/index.ts';
import { listKeyVariables, PROVIDERS, resolveProvider } from '../../src/models/providers.ts';
import { answerJson, completion, KEY, openaiEnv, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

async function serve(answer: object): Promise<FakeProvider> {
  const provider = await startFakeProvider(answerJson(answer));
  open.push(provider);
  return provider;
}

const options = { timeoutMs: 10_000 };

describe('a request to a provider', () => {
  const tool = { type: 'function', function: { name: 'look_up' } } as const;
  const full: ModelRequest = {
    provider: 'openai',
    model: 'openai/gpt-4o',
    temperature: 0,
    idempotencyKey: 'run-1/5',
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', name: 'look_up', content: 'found' },
    ],
    tools: [tool],
    seed: 11,
    format: 'json',
  };

  it.each(PROVIDERS.map((row) => [row.name, row] as const))('has no field that %s refuses', async (name, row) => {
    const provider = await serve(completion());
    const env = {
      ...Object.fromEntries(listKeyVariables(row).map((variable) => [variable, KEY])),
      [row.baseUrlVariable]: provider.url,
    };
    await createModelCaller((asked) => resolveProvider(asked, env))({ ...full, provider: name, model: 'm' }, options);
    const [seen] = provider.requests;
    const { seed, random_seed: randomSeed, response_format: format, messages } = seen?.body ?? {};
    expect({ seed, randomSeed }).toEqual({
      seed: row.seedField === 'seed' ? 11 : undefined,
      randomSeed: row.seedField === 'random_seed' ? 11 : undefined,
    });
    expect(format).toEqual(row.jsonFormat === undefined ? { type: 'json_object' } : undefined);
    expect((messages as { name?: string }[])[2]?.name).toBe(row.takesToolName === false ? undefined : 'look_up');
    expect(seen?.headers['authorization']).toBe(`Bearer ${row.keyVariable === null ? 'none' : KEY}`);
    for (const field of ['tool_choice', 'parallel_tool_calls', 'max_tokens'])
      expect(seen?.body).not.toHaveProperty(field);
  });

  it.each([
    [
      'as OpenAI counts',
      { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17, completion_tokens_details: { reasoning_tokens: 5 } },
      [10, 7, 0, 5],
    ],
    [
      'reasoning beside the completion',
      {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
      [32, 103, 0, 94],
    ],
    ['reasoning in the total only', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 }, [10, 30, 0, 25]],
    [
      'the cached part under its own name',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_cache_hit_tokens: 8 },
      [10, 5, 8, 0],
    ],
    ['no total', { prompt_tokens: 10, completion_tokens: 5 }, [10, 5, 0, 0]],
    [
      'with what was written to the cache',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 6 } },
      [10, 5, 2, 0, 6],
    ],
    [
      'with what was written to the cache, as LiteLLM names it',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cache_creation_tokens: 6 } },
      [10, 5, 0, 0, 6],
    ],
  ])('returns usage %s', async (_, usage, [promptTokens, completionTokens, cachedTokens, reasoningTokens, written]) => {
    const provider = await serve({ ...completion(), usage });
    const callModel = createModelCaller((name) => resolveProvider(name, openaiEnv(provider)));
    const reply = await callModel(full, options);
    const writes = written === undefined ? {} : { cacheWriteTokens: written };
    expect(reply.usage).toEqual({ promptTokens, completionTokens, cachedTokens, reasoningTokens, ...writes });
  });
});
