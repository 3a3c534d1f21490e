import { describe, expect, test } from 'vitest';
import { adversarialTexts, findSuperLinear, repeated } from './linear.ts';

const letters = [repeated('letters', 'A')];

describe('the check of linear readers', () => {
  test.each(['split', 'match', 'parse'])('passes a linear reader (%s)', async (kind) => {
    const readers: Record<string, (text: string) => unknown> = {
      split: (text) => text.split(/\s/),
      match: (text) => text.match(/\w+/g),
      parse: (text) => JSON.stringify(text),
    };
    expect(await findSuperLinear(readers[kind] ?? (() => expect.fail(kind)))).toBeUndefined();
  });

  test('finds a quadratic reader', async () => {
    const quadratic = (text: string) => /(?:a|A)*B/.exec(text);
    expect(await findSuperLinear(quadratic, { texts: letters })).toMatch(/^letters: \d+ ms for \d+ characters/);
  });

  test('finds an exponential reader', async () => {
    expect(await findSuperLinear((text) => /^(?:A|AA)+$/.exec(`${text}!`), { texts: letters })).toMatch(/^letters: /);
  });

  test('fails with a reader that throws what it does not announce', async () => {
    const refuse = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    await expect(findSuperLinear(refuse, { texts: letters, refusals: [SyntaxError] })).rejects.toThrow(/^letters, 16/);
    expect(await findSuperLinear(refuse, { texts: letters, refusals: [RangeError] })).toBeUndefined();
  });

  test('makes texts of exactly the length that is asked for', () => {
    for (const { make } of adversarialTexts) expect(make(1000)).toHaveLength(1000);
  });
});
