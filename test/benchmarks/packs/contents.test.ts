import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/benchmarks/python/index.ts';
import { toPlainJson } from '../../../src/benchmarks/testing.ts';

const read = (text: string) => toPlainJson({ text, value: parseJson(text) });

describe('a file as JavaScript reads it', () => {
  it('is the same where only Python can read it, except for what only Python knows', () => {
    const check = (given: unknown) => {
      const text = JSON.stringify(given);
      // With NaN in the list it is made from Python's value.
      expect(read(`[${text}, NaN]`)).toEqual([read(text), NaN]);
      expect(read(text)).toEqual(JSON.parse(text));
    };
    fc.assert(fc.property(fc.jsonValue(), check));
  });

  it.each(['1e400', '12345678901234567890', '{"__proto__": {"a": 1}}', '{"a": 1, "a": 2}', '"\\ud800"'])(
    'reads %s as JavaScript does',
    (text) => {
      expect(read(`[${text}, Infinity]`)).toEqual([JSON.parse(text), Infinity]);
    },
  );
});
