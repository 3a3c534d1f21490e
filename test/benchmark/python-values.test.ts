import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFloat, roundFloat2 } from '../../src/benchmark/python/float.ts';
import { parseJson } from '../../src/benchmark/python/json.ts';
import { count, equals, sorted } from '../../src/benchmark/python/objects.ts';
import { hashableRepr, repr, spellingFreeRepr } from '../../src/benchmark/python/repr.ts';
import { compareText, lower, strip } from '../../src/benchmark/python/text.ts';
import { isDict, type PyValue } from '../../src/benchmark/python/value.ts';
import { pyValues, sha256 } from './helpers.ts';

const same = (a: string, b: string) => equals(parseJson(a), parseJson(b));

describe('floats', () => {
  it("are spelt with Python's exponents", () => {
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

  it('read back as the same number', () => {
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

describe('texts', () => {
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

describe('reprs', () => {
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

  it('tell 131 from 131.0, unless asked not to', () => {
    expect(hashableRepr(parseJson('[131, 131.0]'))).toBe('(131, 131.0)');
    expect(spellingFreeRepr(parseJson('[131, 131.0, 131.5, true]'))).toBe('(131, 131, 131.5, True)');
  });
});

describe('comparison', () => {
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
