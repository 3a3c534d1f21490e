import { afterAll, expect, it } from 'vitest';
import {
  formatFloat,
  roundFloat2,
  hashableRepr,
  repr,
  str,
  lower,
  strip,
  dumpJson,
  parseJson,
  lastTwo,
  parseInteger,
  round2,
  PyFloat,
  isDict,
  type PyDict,
  type PyValue,
} from '../../src/benchmarks/python/index.ts';
import { isPrintable } from '../../src/benchmarks/python/testing.ts';
import { field, items, sha256, text } from '../benchmarks/helpers.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { COUNTS, FORMAT_COUNTS } from './counts.ts';

describeWithReference("Python's formats", (dir) => {
  const lines = referenceLines(dir, 'golden/python-format.jsonl').map((line) => parseJson(line) as PyDict);
  const ofKind = (...kinds: string[]) => lines.filter((line) => kinds.includes(text(field(line, 'kind'))));
  const checked = new Map<string, number>();
  const count = (line: PyDict) => {
    const kind = text(field(line, 'kind'));
    checked.set(kind, (checked.get(kind) ?? 0) + 1);
  };

  afterAll(() => {
    // Every line but those whose value JSON cannot hold.
    expect(lines.length).toBe(COUNTS['python-format.jsonl'].recorded);
    expect(Object.fromEntries(checked)).toEqual(FORMAT_COUNTS);
    const total = Array.from(checked.values()).reduce((a, b) => a + b, 0);
    expect(total).toBe(COUNTS['python-format.jsonl'].equal);
  });

  it('gives every value that JSON can hold the same str, repr, JSON, hashable form and hash', () => {
    for (const line of lines) {
      const tagged = line.get('value');
      const value = tagged === undefined || !line.has('hashable_repr') ? undefined : untag(tagged);
      if (value === undefined) continue;
      count(line);
      const hashable = hashableRepr(value);
      expect(str(value)).toBe(line.get('str'));
      expect(repr(value)).toBe(line.get('repr'));
      expect(dumpJson(value)).toBe(line.get('json_dumps'));
      expect(hashable).toBe(line.get('hashable_repr'));
      // A lone surrogate at the top has no hash in Python either.
      const hashed = typeof value === 'string' ? value : hashable;
      if (line.get('consistent_hash') !== null) expect(sha256([hashed])).toBe(line.get('consistent_hash'));
    }
  });

  it('rounds to two places alike', () => {
    for (const line of ofKind('round2')) {
      const [from, to] = [untag(field(line, 'value')), untag(field(line, 'result'))];
      if (!(from instanceof PyFloat) || !(to instanceof PyFloat)) throw new Error('round2 is about floats');
      expect(formatFloat(roundFloat2(from.value))).toBe(formatFloat(to.value));
      count(line);
    }
    for (const line of ofKind('round2-int')) {
      expect(round2(untag(field(line, 'value')) ?? null)).toBe(untag(field(line, 'result')));
      count(line);
    }
  });

  it('reads and refuses JSON alike', () => {
    for (const line of ofKind('json_loads')) {
      const raised = line.get('raised');
      const read = () => parseJson(text(field(line, 'text')));
      if (raised !== undefined) expect(read).toThrow(text(field(raised, 'message')));
      else expect([dumpJson(read()), str(read())]).toEqual([line.get('json_dumps'), line.get('str')]);
      count(line);
    }
  });

  it('lowers and strips texts alike', () => {
    for (const [kind, change] of [['lower', lower] as const, ['strip', strip] as const]) {
      for (const line of ofKind(kind)) {
        expect(change(text(field(line, 'text')))).toBe(line.get('result'));
        count(line);
      }
    }
  });

  it('takes the last two characters and reads whole numbers alike', () => {
    for (const line of ofKind('last-two')) {
      expect(lastTwo(field(line, 'text'))).toBe(line.get('result'));
      count(line);
    }
    for (const line of ofKind('int').filter((one) => one.has('text'))) {
      count(line);
      const parse = () => parseInteger(field(line, 'text'));
      const raised = line.get('raised');
      if (raised !== undefined) expect(parse).toThrow(text(field(raised, 'message')));
      else expect(parse()).toBe(untag(field(line, 'result')));
    }
  });

  it('escapes the same code points, and takes the same for white space', () => {
    const table = parseJson(referenceLines(dir, 'golden/python-unicode.json').join(''));
    const ranges = items(field(table, 'nonprintable_ranges'));
    const spaces = new Set(items(field(table, 'whitespace')).map(Number));
    expect(ranges.length + spaces.size).toBe(COUNTS['python-unicode.json'].equal);
    const escaped = new Set<number>();
    for (const range of ranges) {
      const [start, end] = items(range).map(Number);
      for (let code = start ?? 0; code <= (end ?? -1); code++) escaped.add(code);
    }
    for (let code = 0; code <= 0x10ffff; code++) {
      const isSpace = strip(String.fromCodePoint(code)) === '';
      if (isPrintable(code) === escaped.has(code) || isSpace !== spaces.has(code)) {
        expect.fail(`U+${code.toString(16)} differs`);
      }
    }
  });
});

/** A recorded value; undefined where it holds what JSON cannot (tuples, sets, keys that are not texts). */
function untag(tagged: PyValue): PyValue | undefined {
  if (!isDict(tagged)) throw new Error('not a tagged value');
  const [[tag, content] = ['', null]] = tagged;
  switch (tag) {
    case 'int':
      return BigInt(text(content));
    case 'float':
      return new PyFloat(Number(text(content).replace('inf', 'Infinity').replace('nan', 'NaN')));
    case 'str':
    case 'bool':
      return content;
    case 'none':
      return null;
    case 'list': {
      const list = items(content).map(untag);
      return list.every((item) => item !== undefined) ? list : undefined;
    }
    case 'dict': {
      const dict = new Map<string, PyValue>();
      for (const entry of items(content)) {
        const [key, value] = items(entry).map(untag);
        if (typeof key !== 'string' || value === undefined) return undefined;
        dict.set(key, value);
      }
      return dict;
    }
    default:
      return undefined;
  }
}
