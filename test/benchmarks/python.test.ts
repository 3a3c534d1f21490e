import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatFloat,
  roundFloat2,
  hashableRepr,
  repr,
  spellingFreeRepr,
  compareText,
  lower,
  strip,
  parseJson,
  dumpJson,
  count,
  equals,
  sorted,
  isDict,
  PyFloat,
  lastTwo,
  parseInteger,
  type PyValue,
} from '../../src/benchmarks/python/index.ts';
import { pyValues, sha256 } from './helpers.ts';

const same = (a: string, b: string) => equals(parseJson(a), parseJson(b));

describe("Python's floats", () => {
  it("are spelled with Python's exponents", () => {
    const spelt = [1e15, 1e16, 0.0001, 0.00001, 1.5e-7, 1e22, -0, 200, 0.1].map(formatFloat);
    expect(spelt).toEqual([
      '1000000000000000.0',
      '1e+16',
      '0.0001',
      '1e-05',
      '1.5e-07',
      '1e+22',
      '-0.0',
      '200.0',
      '0.1',
    ]);
  });

  it('are parsed to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (x) => Object.is(Number(formatFloat(x)), x)),
    );
  });

  it('round to the nearest hundredth of their binary value, ties to even', () => {
    expect([2.675, 0.125, 0.375, -0.125, 1.005, -0.001, 1e300].map(roundFloat2)).toEqual([
      2.67, 0.12, 0.38, -0.12, 1, -0, 1e300,
    ]);
  });
});

describe("Python's texts", () => {
  it('are ordered by code point, not by UTF-16 unit', () => {
    expect(['😀', '\uffff', '\ud83d', 'a', ''].sort(compareText)).toEqual(['', 'a', '\ud83d', '\uffff', '😀']);
  });

  it('compare like their code points', () => {
    const points = (text: string) => Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const textOf = fc.string({ unit: fc.constantFrom('a', '\ue000', '\ud83d', '\ude00', '😀') });
    fc.assert(
      fc.property(textOf, textOf, (a, b) => {
        const [x, y] = [points(a), points(b)];
        const at = x.findIndex((point, i) => point !== y[i]);
        const expected = at < 0 || y[at] === undefined ? x.length - y.length : (x[at] ?? 0) - y[at];
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(expected));
      }),
    );
  });

  it('are lowered and stripped as in Python', () => {
    expect(lower('ΟΣ İ')).toBe('ος i̇');
    expect(strip('\u001c\u0085 a b \u3000')).toBe('a b');
    expect(strip('\ufeffa')).toBe('\ufeffa');
  });
});

describe("Python's reprs", () => {
  it('choose quotes and escapes as Python does', () => {
    expect(repr(`it's`)).toBe(`"it's"`);
    expect(repr(`it's "x"`)).toBe(`'it\\'s "x"'`);
    expect(repr('\\\n\u00a0\u2028é\u{e0001}\ud83d😀')).toBe("'\\\\\\n\\xa0\\u2028é\\U000e0001\\ud83d😀'");
  });

  it("render the benchmark's worked example, and its hash", () => {
    const rendered = hashableRepr(parseJson('{"b":1.0,"a":[true,null,"x\'y"],"c":{"z":"é","k":[]},"d":["one"],"e":2}'));
    expect(rendered).toBe(
      `(('a', (True, None, "x'y")), ('b', 1.0), ('c', (('k', ()), ('z', 'é'))), ('d', ('one',)), ('e', 2))`,
    );
    expect(sha256([rendered])).toBe('4468079e697507b49e38ba85804230934e398e7d4d8f61daa1e12d57147c25fc');
  });

  it('do not depend on the order of keys when made hashable', () => {
    const reversed = (value: PyValue): PyValue =>
      isDict(value) ? new Map(Array.from(value, ([key, item]) => [key, reversed(item)] as const).reverse()) : value;
    fc.assert(fc.property(pyValues, (value) => hashableRepr(reversed(value)) === hashableRepr(value)));
  });

  it('distinguish 131 from 131.0, unless asked not to', () => {
    expect(hashableRepr(parseJson('[131, 131.0]'))).toBe('(131, 131.0)');
    expect(spellingFreeRepr(parseJson('[131, 131.0, 131.5, true]'))).toBe('(131, 131, 131.5, True)');
  });
});

describe("Python's comparison", () => {
  it('equates numbers and bools by value, and nothing with a text', () => {
    expect(same('[1, true, {"a": 2.0}]', '[1.0, 1, {"a": 2}]')).toBe(true);
    expect(same('1', '"1"')).toBe(false);
    expect(same('9007199254740993', '9007199254740992.0')).toBe(false);
    expect(same('NaN', 'NaN')).toBe(false);
    expect(same('[NaN]', '[NaN]')).toBe(true);
  });

  it('counts and sorts', () => {
    expect(count(parseJson('[1, true, 1.0, "1"]'), 1n)).toBe(3);
    expect(sorted(parseJson('["b", "B", "a"]'))).toEqual(['B', 'a', 'b']);
    expect(() => sorted(parseJson('["b", 1]'))).toThrow("'<' not supported between instances of 'int' and 'str'");
  });
});

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

describe('int() of a text', () => {
  it('reads the digits of every script, the mathematical ones included', () => {
    expect(['٣', '１２', '߉', '𝟎', '𝟚', '𝟡', '𝟿', '🯰'].map(parseInteger)).toEqual([3n, 12n, 9n, 0n, 2n, 9n, 9n, 0n]);
  });

  it('rejects digits that came after Unicode 14.0', () => {
    expect(() => parseInteger('\u{11f53}')).toThrow("invalid literal for int() with base 10: '\\U00011f53'");
    expect(() => parseInteger('\u{10d45}')).toThrow("invalid literal for int() with base 10: '\\U00010d45'");
  });

  it('ignores white space, but not the separators that strip() removes', () => {
    expect([' 8\n', '\u30008', '8\u0085', '1_0'].map(parseInteger)).toEqual([8n, 8n, 8n, 10n]);
    expect(() => parseInteger('\u001c8')).toThrow("invalid literal for int() with base 10: '\\x1c8'");
    expect(() => parseInteger('7\u001f')).toThrow("invalid literal for int() with base 10: '7\\x1f'");
  });

  it('shows 200 characters of what it cannot read', () => {
    expect(() => parseInteger('x'.repeat(300))).toThrow(
      new RegExp(`^invalid literal for int\\(\\) with base 10: 'x{199}$`),
    );
  });

  it('counts characters, not UTF-16 units', () => {
    expect(lastTwo('2024-05-😀9')).toBe('😀9');
    expect(() => lastTwo(new Map())).toThrow("unhashable type: 'slice'");
    expect(() => lastTwo(null)).toThrow("'NoneType' object is not subscriptable");
  });
});

describe('lower()', () => {
  it('does not change capitals that came after Unicode 14.0, and ends words at them', () => {
    expect(lower('A\ua7cbB')).toBe('a\ua7cbb');
    expect(lower('\u{10d50}\u1c89')).toBe('\u{10d50}\u1c89');
    // Not followed by a letter that Python knows, so it is a final sigma.
    expect(lower('ΑΣ\u{10d50}Α')).toBe('ας\u{10d50}α');
  });
});
