/** A short run of what `main.ts` does at length: random calls and texts, here and in the Python reference. */

import { afterAll, expect, it } from 'vitest';
import { compareOnAllData, compareSequences, DOMAINS } from './compare.ts';
import { compareExpressions, compareTexts, READINGS } from './compare-texts.ts';
import { describeWithPython } from './describe-with-python.ts';

const SEED = 20_240_515;

describeWithPython('The Python reference', (reference) => {
  afterAll(() => {
    reference.end();
  });

  it.each(Array.from(DOMAINS.keys()))('takes 400 random sequences of %s calls to the same data', async (domain) => {
    const { sequences } = await compareSequences(reference, domain, { seed: SEED, count: 400 });
    expect(sequences).toBe(400);
  });

  it.each(Array.from(DOMAINS.keys()))('hashes all of %s alike after random sequences', async (domain) => {
    expect((await compareOnAllData(reference, domain, { seed: SEED, count: 3 })).sequences).toBe(3);
  });

  it('calculates 5000 random expressions alike', async () => {
    expect(await compareExpressions(reference, { seed: SEED, count: 5000 })).toBe(5000);
  });

  it.each(Array.from(READINGS.keys()))('makes the same of 2000 random texts with %s', async (name) => {
    expect(await compareTexts(reference, name, { seed: SEED, count: 2000 })).toBe(2000);
  });
});
