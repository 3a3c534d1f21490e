import { describe, expect, it } from 'vitest';
import { createPricer } from '../../src/models/index.ts';
import type { PricedCall } from '../../src/models/testing.ts';

const usage = { promptTokens: 1_000_000, completionTokens: 100_000, cachedTokens: 0, reasoningTokens: 0 };
const call = (changes: Partial<PricedCall>): PricedCall => ({
  provider: 'openai',
  requestedModel: 'gpt-4o',
  servedModel: 'gpt-4o-2024-08-06',
  usage,
  usageReported: true,
  ...changes,
});

function pricer() {
  const warnings: string[] = [];
  return { price: createPricer((message) => warnings.push(message)), warnings };
}

describe('the price of a call', () => {
  it('counts input and output', () => {
    // gpt-4o: 2.50 USD a million in, 10 USD out.
    expect(pricer().price(call({}))).toBe(3.5);
  });

  it('counts cached input at its own rate, as a part of the input', () => {
    // Half of it cached, at 1.25 USD.
    expect(pricer().price(call({ usage: { ...usage, cachedTokens: 500_000 } }))).toBe(2.875);
  });

  it('counts what is read from a cache and written to it at rates of their own', () => {
    const sonnet = { provider: 'anthropic', requestedModel: 'claude-sonnet-4-5', servedModel: 'claude-sonnet-4-5' };
    const cached = {
      promptTokens: 100_000,
      cachedTokens: 60_000,
      cacheWriteTokens: 30_000,
      completionTokens: 10_000,
      reasoningTokens: 0,
    };
    // 10,000 at 3, 60,000 at 0.30, 30,000 at 3.75, 10,000 at 15 USD a million.
    expect(pricer().price(call({ ...sonnet, usage: cached }))).toBe(0.3105);
    const given = { provider: 'anthropic', model: 'claude-sonnet-4-5', input: 2, cachedInput: 0.5, output: 10 };
    expect(pricer().price(call({ ...sonnet, usage: cached, price: { ...given, cacheWrite: 4 } }))).toBe(0.27);
    expect(pricer().price(call({ ...sonnet, usage: cached, price: given }))).toBe(0.21);
    const odd = { ...cached, cacheWriteTokens: 90_000 };
    expect(pricer().price(call({ ...sonnet, usage: odd, price: { ...given, cacheWrite: 4 } }))).toBe(0.29);
  });

  it('charges a quarter more for what GPT-5.6 writes to its cache', () => {
    const model = { requestedModel: 'gpt-5.6', servedModel: 'gpt-5.6-sol' };
    const first = { promptTokens: 20_000, cachedTokens: 0, completionTokens: 1_000, reasoningTokens: 0 };
    // 20,000 at 4 and 1,000 at 20 USD a million; then 17,000 of them at 5.
    expect(pricer().price(call({ ...model, usage: first }))).toBe(0.1);
    expect(pricer().price(call({ ...model, usage: { ...first, cacheWriteTokens: 17_000 } }))).toBe(0.117);
  });

  it("is the provider's, unless the run has a price", () => {
    const reported = { provider: 'openrouter', requestedModel: 'z-ai/glm-9', servedModel: 'z-ai/glm-9', usage };
    const { price, warnings } = pricer();
    expect(price(call({ ...reported, reportedCostUsd: 0.0123 }))).toBe(0.0123);
    expect(warnings).toEqual([]);
    const given = { provider: 'openrouter', model: 'z-ai/glm-9', input: 2, output: 10 };
    expect(price(call({ ...reported, reportedCostUsd: 0.0123, price: given }))).toBe(3);
  });

  it('does not count reasoning tokens twice', () => {
    const o3 = { requestedModel: 'o3', servedModel: 'o3-2025-04-16' };
    const { price } = pricer();
    const plain = price(call(o3));
    expect(plain).toBe(2.8);
    expect(price(call({ ...o3, usage: { ...usage, reasoningTokens: 60_000 } }))).toBe(plain);
  });

  it('is computed for parts that are larger than their whole', () => {
    const odd = { ...usage, cachedTokens: 2_000_000, reasoningTokens: 200_000 };
    expect(pricer().price(call({ usage: odd }))).toBe(2.25);
  });

  it('is that of the served model, or else of the requested one', () => {
    const { price } = pricer();
    // The first gpt-4o was twice as expensive.
    expect(price(call({ servedModel: 'gpt-4o-2024-05-13' }))).toBe(6.5);
    expect(price(call({ servedModel: 'some-deployment' }))).toBe(3.5);
    expect(price(call({ requestedModel: 'openai/gpt-4o', servedModel: 'some-deployment' }))).toBe(3.5);
  });

  it('is unknown for an unknown model, with one warning', () => {
    const { price, warnings } = pricer();
    const unknown = call({ requestedModel: 'house-blend', servedModel: 'house-blend' });
    expect([price(unknown), price(unknown)]).toEqual([null, null]);
    expect(warnings).toEqual([
      'no price is known for openai model house-blend; its costs are unknown; give its price with --prices FILE',
    ]);
  });

  it('is unknown without usage, with one warning', () => {
    const { price, warnings } = pricer();
    expect(price(call({ usageReported: false }))).toBeNull();
    expect(price(call({ usageReported: false }))).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('is 0 for the scripted model', () => {
    const { price, warnings } = pricer();
    expect(price(call({ provider: 'scripted', requestedModel: 'oracle', servedModel: 'oracle' }))).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("is that of the run's price file before any list", () => {
    const { price, warnings } = pricer();
    const blend = { provider: 'custom', requestedModel: 'house-blend', servedModel: 'x' };
    const given = { provider: 'custom', model: 'house-blend', input: 2, cachedInput: 0.5, output: 10 };
    const half = { ...usage, cachedTokens: 400_000, reasoningTokens: 50_000 };
    // 600,000 at 2, 400,000 at 0.50, 100,000 at 10 USD a million; reasoning is part of the output.
    expect(price(call({ ...blend, usage: half, price: given }))).toBe(2.4);
    const { cachedInput, ...plain } = given;
    expect(cachedInput).toBe(0.5);
    expect(price(call({ ...blend, usage: half, price: plain }))).toBe(3);
    expect(price(call({ provider: 'ollama', price: { ...plain, provider: 'ollama' } }))).toBe(3);
    expect(warnings).toEqual([]);
  });

  it("is unknown if a provider reports no usage, even with the run's price file", () => {
    const given = { provider: 'openai', model: 'gpt-4o', input: 2, output: 10 };
    expect(pricer().price(call({ usageReported: false, price: given }))).toBeNull();
  });
});
