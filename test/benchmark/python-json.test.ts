import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dumpJson, parseJson } from '../../src/benchmark/python/json.ts';
import { hashableRepr } from '../../src/benchmark/python/repr.ts';
import { PyFloat } from '../../src/benchmark/python/value.ts';
import { pyValues } from './helpers.ts';

const reprint = (text: string) => dumpJson(parseJson(text));

describe('parseJson and dumpJson', () => {
  it('keep ints and floats apart, however large', () => {
    expect(reprint('[1,1.0,-0,-0.0,1e2,12345678901234567890,1e16,1.50]')).toBe(
      '[1, 1.0, 0, -0.0, 100.0, 12345678901234567890, 1e+16, 1.5]',
    );
  });

  it('accept what Python accepts beyond JSON', () => {
    expect(reprint('[NaN, Infinity, -Infinity, 1e400]')).toBe('[NaN, Infinity, -Infinity, Infinity]');
    expect(reprint('"\\ud83d"')).toBe('"\\ud83d"');
  });

  it('keep keys in order, also those that look like integers', () => {
    expect(reprint('{"10":1,"9":2,"__proto__":3}')).toBe('{"10": 1, "9": 2, "__proto__": 3}');
  });

  it("give a repeated key its last value at the first one's place", () => {
    expect(reprint('{"a":1,"b":2,"a":3}')).toBe('{"a": 3, "b": 2}');
  });

  it("fail with Python's texts, counting code points", () => {
    expect(() => parseJson('["😀", x]')).toThrow('Expecting value: line 1 column 7 (char 6)');
    expect(() => parseJson('{\n "a" 1}')).toThrow("Expecting ':' delimiter: line 2 column 6 (char 7)");
    expect(() => parseJson('9'.repeat(4301))).toThrow('Exceeds the limit (4300 digits)');
    expect(() => parseJson('['.repeat(100_000))).toThrow('maximum recursion depth exceeded');
  });

  it('write plain objects and numbers beside Python values', () => {
    const record = { taskId: 3, reward: 0.5, left: undefined, args: new Map([['x', new PyFloat(2)]]), list: [] };
    expect(dumpJson(record)).toBe('{"taskId": 3, "reward": 0.5, "args": {"x": 2.0}, "list": []}');
    expect(dumpJson(record, { indent: 2 })).toBe(
      '{\n  "taskId": 3,\n  "reward": 0.5,\n  "args": {\n    "x": 2.0\n  },\n  "list": []\n}',
    );
    expect(() => dumpJson({ at: new Date(0) })).toThrow('an instance of Date cannot be written as JSON');
    expect(() => dumpJson([undefined])).toThrow(TypeError);
  });

  it('bring every value back, indented or not', () => {
    fc.assert(
      fc.property(pyValues, fc.constantFrom(undefined, 0, 2), (value, indent) => {
        const text = dumpJson(value, indent === undefined ? {} : { indent });
        expect(hashableRepr(parseJson(text))).toBe(hashableRepr(value));
        expect(reprint(text)).toBe(dumpJson(value));
      }),
    );
  });
});
