import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findCapabilities, takesSchema } from '../../src/models/testing.ts';
import { defaultTokenCap, providerRow, refusedEffort, takesTemperature } from '../../src/models/providers.ts';

const group = z.strictObject({
  models: z.array(z.string()),
  reasons: z.boolean(),
  takes_sampling: z.boolean().optional(),
  efforts: z.array(z.string()).optional(),
  default_effort: z.string().optional(),
  has_chat: z.boolean().optional(),
  has_responses: z.boolean().optional(),
  takes_schema: z.literal(true).optional(),
  max_output_tokens: z.number().optional(),
  retires: z.iso.date().optional(),
  retires_by: z.string().optional(),
  successor: z.string().optional(),
});
const listed = z
  .strictObject({
    source: z.string(),
    licence: z.string(),
    taken: z.iso.date(),
    providers: z.record(z.string(), z.array(group)),
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/model-capabilities.json', import.meta.url), 'utf8')));

const models = Object.entries(listed.providers).flatMap(([provider, groups]) =>
  groups.flatMap(({ models: names, ...facts }) => names.map((model) => ({ provider, model, ...facts }))),
);
const isMaker = ({ provider }: { provider: string }) =>
  ['openai', 'anthropic', 'gemini', 'deepseek'].includes(provider);

/** Entries of the list that contradict another entry of the same model, or the maker's own words. */
const DISPUTED: Readonly<Record<string, string>> = {
  'openai/gpt-5-chat-latest': 'the list’s own gpt-5-chat takes sampling and no effort',
  'openai/gpt-5.1-chat-latest': 'may reason, within 16,384 tokens of output',
  'openai/gpt-5.2-chat-latest': 'may reason, within 16,384 tokens of output',
  'openai/gpt-5.3-chat-latest': 'may reason, within 16,384 tokens of output',
  'openai/computer-use-preview': 'made for the screen',
  'openai/computer-use-preview-2025-03-11': 'made for the screen',
  'deepseek/deepseek-r1': 'no longer served by this name',
  'gemini/gemini-exp-1206': 'listed both ways',
};

/** Claudes whose levels the list has without `none`, because the API turns thinking off by another field. */
const CAN_STOP = /claude-(?:opus-4-[678]|sonnet-4-6|(?:opus|sonnet)-5$|haiku-5)|kimi-k2-/;

describe('the rules of capabilities, against the list', () => {
  it('knows the providers of the list', () => {
    for (const provider of Object.keys(listed.providers)) expect(providerRow(provider).name).toBe(provider);
  });

  const fixed = models.filter(({ takes_sampling: takes }) => takes === false);
  it.each(fixed)('$provider/$model: no temperature', ({ provider, model }) => {
    expect(findCapabilities(provider, model).temperature).toBe('default');
  });

  const quiet = models.filter(({ default_effort: effort }) => effort === 'none');
  it.each(quiet)('$provider/$model: a temperature where it does not reason', ({ provider, model }) => {
    expect(findCapabilities(provider, model).temperature).toBe('without_effort');
  });

  const makers = models.filter((model) => isMaker(model) && DISPUTED[`${model.provider}/${model.model}`] === undefined);
  // Older Claudes think only if they are asked to.
  const thinking = makers.filter(({ provider, reasons, takes_sampling: takes }) =>
    provider === 'anthropic' ? takes === false : reasons,
  );
  it.each(thinking)('$provider/$model: reasons', ({ provider, model }) => {
    expect(findCapabilities(provider, model).reasons).toBe(true);
  });

  it.each(models.filter(({ provider, reasons }) => isMaker({ provider }) && !reasons))(
    '$provider/$model: has the cap of a model that does not reason',
    ({ provider, model, max_output_tokens: most = Infinity }) => {
      if (DISPUTED[`${provider}/${model}`] !== undefined) return;
      expect(defaultTokenCap(provider, model, 'agent')).toBeLessThanOrEqual(Math.max(4096, most));
    },
  );

  const leveled = models.filter(({ provider, efforts }) => isMaker({ provider }) && efforts !== undefined);
  it.each(leveled)(
    '$provider/$model: no level of effort that the rules do not name',
    ({ provider, model, efforts }) => {
      const known = findCapabilities(provider, model).efforts;
      if (known !== undefined) expect(known).toEqual(expect.arrayContaining([...(efforts ?? [])]));
    },
  );

  const unstoppable = models.filter(
    ({ provider, model, reasons, efforts }) =>
      isMaker({ provider }) && reasons && efforts?.includes('none') === false && !CAN_STOP.test(model),
  );
  it.each(unstoppable)('$provider/$model: no effort none', ({ provider, model }) => {
    expect(findCapabilities(provider, model).efforts ?? []).not.toContain('none');
  });

  const capped = models.filter((model) => isMaker(model) && DISPUTED[`${model.provider}/${model.model}`] === undefined);
  it.each(capped)('$provider/$model: no cap above its own', ({ provider, model, efforts, max_output_tokens: most }) => {
    const effort = efforts === undefined ? undefined : 'high';
    expect(defaultTokenCap(provider, model, 'agent', effort)).toBeLessThanOrEqual(most ?? Infinity);
  });

  const unchatty = models.filter(({ provider, has_chat: chat, has_responses: responses }) => {
    return ['openai', 'azure'].includes(provider) && chat === false && responses === true;
  });
  it.each(unchatty)('$provider/$model: is called over responses', ({ provider, model }) => {
    if (!/computer-use|codex-mini/.test(model)) expect(findCapabilities(provider, model).wire).toBe('responses');
  });
});

describe('a JSON schema of the reply', () => {
  const bound = models.filter(({ provider, model }) => takesSchema(provider, model));
  it('is sent to models only that take one by the list', () => {
    expect(bound.filter(({ takes_schema: takes }) => takes !== true)).toEqual([]);
    expect(bound.length).toBeGreaterThan(250);
  });

  it.each([
    ['openai', 'gpt-4o', true],
    ['openai', 'gpt-4o-2024-05-13', false],
    ['openai', 'gpt-4-turbo', false],
    ['openai', 'gpt-5.6', true],
    ['openai', 'o3', true],
    ['anthropic', 'claude-sonnet-4-5', true],
    ['anthropic', 'claude-sonnet-4-20250514', false],
    ['anthropic', 'claude-opus-5-5', true],
    ['gemini', 'gemini-3.5-flash', true],
    ['deepseek', 'deepseek-chat', false],
    ['custom', 'gpt-4o', false],
  ])('%s/%s: %s', (provider, model, takes) => {
    expect(takesSchema(provider, model)).toBe(takes);
  });
});

describe('capabilities by family', () => {
  it.each([
    ['openai', 'gpt-5.5', 'default', true, 'responses'],
    ['azure', 'gpt-5.6-sol', 'default', true, 'responses'],
    ['openai', 'gpt-5.10-mini', 'default', true, 'responses'],
    ['openai', 'gpt-4o', 'any', false, 'chat'],
    ['azure', 'gpt-35-turbo', 'any', false, 'chat'],
    ['openai', 'gpt-5-mini', 'default', true, 'responses'],
    ['openai', 'gpt-5.2', 'without_effort', true, 'responses'],
    ['openrouter', 'openai/gpt-5.5', 'default', true, 'chat'],
    ['custom', 'gpt-5.5', 'any', true, 'chat'],
    ['anthropic', 'claude-opus-4-7', 'default', true, 'messages'],
    ['anthropic', 'claude-opus-4-8-20261001', 'default', true, 'messages'],
    ['anthropic', 'claude-sonnet-6', 'default', true, 'messages'],
    ['anthropic', 'claude-opus-4-1-20250805', 'without_effort', false, 'messages'],
    ['anthropic', 'claude-opus-4-20250514', 'without_effort', false, 'messages'],
    ['anthropic', 'claude-3-7-sonnet-latest', 'without_effort', false, 'messages'],
    ['openrouter', 'anthropic/claude-opus-4.8', 'default', true, 'chat'],
    ['bedrock', 'us.anthropic.claude-opus-4-7-v1:0', 'default', true, 'chat'],
    ['vertex', 'anthropic/claude-opus-4-8@20260601', 'default', true, 'chat'],
    ['gemini', 'gemini-3-pro-preview', 'any', true, 'chat'],
    ['deepseek', 'deepseek-v4-pro', 'with_effort_none', true, 'chat'],
    ['deepseek', 'deepseek-v4-flash', 'with_effort_none', true, 'chat'],
    ['moonshot', 'kimi-k3.1-pro', 'default', true, 'chat'],
    ['moonshot', 'kimi-k2.6', 'default', true, 'chat'],
    ['zai', 'glm-5.3-flash', 'any', true, 'chat'],
    ['fireworks', 'accounts/fireworks/models/kimi-k2p6', 'any', true, 'chat'],
    ['together', 'moonshotai/Kimi-K3', 'any', true, 'chat'],
    ['together', 'moonshotai/Kimi-K2-Instruct', 'any', false, 'chat'],
    ['openrouter', 'z-ai/glm-4.7', 'any', true, 'chat'],
    ['fireworks', 'accounts/fireworks/models/glm-4p7', 'any', true, 'chat'],
    ['groq', 'qwen/qwen3.8-27b', 'any', true, 'chat'],
    ['vllm', 'Qwen/Qwen3-32B', 'any', true, 'chat'],
    ['xai', 'grok-4.20-non-reasoning', 'any', false, 'chat'],
    ['ollama', 'llama3.3:70b', 'any', false, 'chat'],
  ] as const)('%s/%s: temperature %s, reasons: %s, wire %s', (provider, model, temperature, reasons, wire) => {
    expect(findCapabilities(provider, model)).toMatchObject({ temperature, reasons, wire });
  });

  it('takes a temperature from GPT-5.1 to 5.4 until they are asked to reason', () => {
    expect(takesTemperature('openai', 'gpt-5.4')).toBe(true);
    expect(takesTemperature('openai', 'gpt-5.4', 'none')).toBe(true);
    expect(takesTemperature('openai', 'gpt-5.4', 'low')).toBe(false);
    expect(takesTemperature('openai', 'gpt-5.5', 'none')).toBe(false);
  });

  it.each([
    [
      'anthropic',
      'claude-opus-5-5',
      'none',
      /^the thinking of anthropic\/claude-opus-5-5 cannot be turned off; use low,/,
    ],
    ['anthropic', 'claude-sonnet-5-5', 'none', /cannot be turned off/],
    ['anthropic', 'claude-fable-5-1', 'none', /cannot be turned off/],
    ['anthropic', 'claude-opus-5', 'none', null],
    ['anthropic', 'claude-haiku-5-5', 'none', null],
    ['openrouter', 'anthropic/claude-opus-5.5', 'none', /cannot be turned off/],
    ['gemini', 'gemini-3-pro', 'none', /cannot be turned off/],
    ['gemini', 'gemini-3-flash-preview', 'none', /cannot be turned off/],
    ['gemini', 'gemini-2.5-pro', 'none', /cannot be turned off/],
    ['gemini', 'gemini-2.5-flash', 'none', null],
    ['openai', 'gpt-6-astra', 'none', /cannot be turned off/],
    ['openai', 'gpt-5.6', 'none', null],
    ['moonshot', 'kimi-k3', 'none', /cannot be turned off/],
    ['moonshot', 'kimi-k2.6', 'low', /^moonshot\/kimi-k2.6 has no reasoning effort "low"; use none, or leave/],
    ['moonshot', 'kimi-k2.7-code', 'none', /cannot be turned off; leave the effort out/],
    ['zai', 'glm-5.3', 'low', null],
    ['zai', 'glm-5.3', 'medium', /no reasoning effort "medium"; use low, high, max/],
    ['custom', 'glm-5.3', 'none', null],
    ['custom', 'anything', 'huge', null],
  ])('%s/%s, effort %s: refused with %s', (provider, model, effort, reason) => {
    const refused = refusedEffort(provider, model, effort);
    if (reason === null) expect(refused).toBeNull();
    else expect(refused).toMatch(reason);
  });

  it('asks for no more tokens than a provider gives without streaming, or a model has', () => {
    expect(defaultTokenCap('fireworks', 'accounts/fireworks/models/kimi-k3', 'agent')).toBe(4096);
    expect(defaultTokenCap('anthropic', 'claude-opus-4-1-20250805', 'agent', 'high')).toBe(32_000);
    expect(defaultTokenCap('anthropic', 'claude-opus-4-20250514', 'agent', 'high')).toBe(32_000);
    expect(defaultTokenCap('anthropic', 'claude-opus-4-6', 'agent', 'high')).toBe(32_768);
  });

  it('gives a model that is asked to reason the cap of one that does', () => {
    expect(defaultTokenCap('anthropic', 'claude-opus-4-6', 'agent')).toBe(4096);
    expect(defaultTokenCap('anthropic', 'claude-opus-4-6', 'agent', 'high')).toBe(32_768);
  });
});
