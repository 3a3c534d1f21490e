import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePart, readJsonParts, type Choice } from '../../../src/results/formats/testing.ts';

async function readAll(text: string, choose: (path: string) => Choice, size = 7): Promise<[string, unknown][]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const parts: [string, unknown][] = [];
  for await (const part of readJsonParts(chunks(), 'file.json', choose)) {
    if (part.text !== null) parts.push([part.path, parsePart(part.text, 'file.json')]);
  }
  return parts;
}

const takeAll = () => 'take' as const;

describe('the parts of a JSON document', () => {
  it('are its values, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), fc.boolean(), async (value, size, isWide) => {
        const text = JSON.stringify(value, null, isWide ? 2 : 0);
        expect(await readAll(text, takeAll, size)).toEqual([['', JSON.parse(text)]]);
      }),
    );
  });

  it('are the items and members that are chosen, and no others', async () => {
    const text = JSON.stringify({
      a: { x: [1, 'two'], y: 3 },
      list: [{ id: 1, rest: ['}'] }, { id: 2 }],
      empty: [],
      z: {},
    });
    const choose = (path: string): Choice => {
      if (['', 'a', 'a.x', 'list', 'list[]', 'empty', 'z'].includes(path)) return 'open';
      return ['a.x[]', 'list[].id'].includes(path) ? 'take' : 'skip';
    };
    for (const size of [1, 5, 1000]) {
      expect(await readAll(text, choose, size)).toEqual([
        ['a.x[]', 1],
        ['a.x[]', 'two'],
        ['list[].id', 1],
        ['list[].id', 2],
      ]);
    }
  });

  it('are the documents of a file with one per line', async () => {
    expect(await readAll('\uFEFF{"a":1}\n{"a":2}\n\n', takeAll)).toEqual([
      ['', { a: 1 }],
      ['', { a: 2 }],
    ]);
  });

  it('read what Python writes for numbers that JSON lacks as null', () => {
    expect(parsePart('{"a": NaN, "b": "NaN \\" Infinity", "c": -Infinity}', 'file')).toEqual({
      a: null,
      b: 'NaN " Infinity',
      c: null,
    });
  });

  it.each([
    ['', 'cut short or is not JSON'],
    ['{"a": [1, 2', 'cut short or is not JSON'],
    ['{"a" 1}', 'not JSON at byte 5'],
    ['{"a": 1,, "b": 2}', 'not JSON at byte 8'],
    ['[1 2]', 'not JSON at byte 3'],
    ['{"a": }', 'not JSON at byte 6'],
    ['[tru]', 'cut short or is not JSON'],
    [`[${'['.repeat(3000)}`, 'nested more than 2000 levels deep'],
  ])('are refused in one sentence for %j', async (text, reason) => {
    const choose = (path: string): Choice => (path === '' ? 'open' : 'take');
    await expect(readAll(text, choose)).rejects.toThrow(reason);
    await expect(readAll(text, choose)).rejects.toThrow(/^the results file file\.json cannot be read: .*\.$/);
  });

  it('are limited in size', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    async function* endless() {
      yield Buffer.from('{"a": "');
      for (;;) yield await Promise.resolve(chunk);
    }
    const parts = readJsonParts(endless(), 'file.json', (path) => (path === '' ? 'open' : 'take'));
    await expect(parts.next()).rejects.toThrow('a is larger than 64 MiB');
  });
});
