/** The parts of the benchmark of crashes that are the same for all tools: the plan of the failures, and the provider. */

import { afterEach, describe, expect, it } from 'vitest';
import { resolvePack } from '../../src/benchmarks/packs/index.ts';
import { planFailures, readCrashes } from '../../perf/crashes/index.ts';
import { startProvider, type Provider } from '../../perf/crashes/provider.ts';

describe('the plan', () => {
  it('is the same for a seed, with the key in the middle, in the order of its moments', () => {
    const plan = planFailures(1, 10);
    expect(plan).toEqual(planFailures(1, 10));
    expect(plan).not.toEqual(planFailures(2, 10));
    expect(plan.map(({ at }) => at)).toEqual(plan.map(({ at }) => at).sort((a, b) => a - b));
    expect(plan.filter(({ kind }) => kind.startsWith('kill'))).toHaveLength(10);
    expect(plan.find(({ kind }) => kind === 'revoked key')?.at).toBe(0.5);
  });
});

describe('the flags', () => {
  it('name the tools and a seed', () => {
    expect(readCrashes('tau2,run.py', '7')).toEqual({ seed: 7, tools: ['tau2', 'run.py'] });
    expect(() => readCrashes('hal', '7')).toThrow('--crashes knows no hal');
    expect(() => readCrashes(undefined, 'x')).toThrow('--seed x');
  });
});

describe('the provider', () => {
  let provider: Provider;
  afterEach(() => provider.close());

  async function ask(content: string | null, key = provider.key): Promise<number> {
    const response = await fetch(`${provider.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'oracle', messages: [{ role: 'user', content }] }),
    });
    await response.text();
    return response.status;
  }

  it('counts answers by the content of their requests, and refuses what it does not accept', async () => {
    provider = await startProvider(await resolvePack('retail', undefined), 0);
    const { key } = provider;
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([200, 200, 200]);
    expect([...provider.billed.values()]).toEqual([2, 1]);
    provider.isOut = true;
    expect(await ask('a')).toBe(503);
    provider.isOut = false;
    provider.revokeKey();
    expect([await ask('a', key), await ask('a')]).toEqual([401, 200]);
    expect(provider.refused).toBe(1);
    expect([...provider.billed.values()]).toEqual([3, 1]);
  });
});
