import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElements, jsonMembers, writeJsonMembers } from '../../src/io/index.ts';
import { cpuMs } from '../helpers/linear.ts';

describe('JSON text', () => {
  it('is taken apart without changing how it is written', () => {
    const text = ' { "a" : 131.0 , "b":[1e5, {"x": "]}\\\\\\",{"} ],"\\u0063":"{\\"" } ';
    expect(jsonMembers(text)).toEqual([
      { name: 'a', value: '131.0' },
      { name: 'b', value: '[1e5, {"x": "]}\\\\\\",{"} ]' },
      { name: 'c', value: '"{\\""' },
    ]);
    expect(jsonElements('[ 1.0, "a,b", [2], {} ]')).toEqual(['1.0', '"a,b"', '[2]', '{}']);
    expect([jsonMembers('{ }'), jsonElements('[]')]).toEqual([[], []]);
  });

  it('has the last of several members of one name', () => {
    expect(jsonMembers('{"a":1,"b":2,"\\u0061":3}')).toEqual([
      { name: 'b', value: '2' },
      { name: 'a', value: '3' },
    ]);
  });

  it('says the same when it is put together again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
        const text = JSON.stringify({ value, list: [value, value] }, null, indent);
        expect(JSON.parse(writeJsonMembers(jsonMembers(text)))).toEqual(JSON.parse(text));
        const list = JSON.stringify([value, [value]], null, indent);
        expect(jsonElements(list).map((each) => JSON.parse(each) as unknown)).toEqual(JSON.parse(list));
      }),
    );
  });

  it('is read in linear time', async () => {
    const text = JSON.stringify({ a: '\\"'.repeat(500_000), b: Array.from({ length: 100_000 }, () => '}') });
    expect(await cpuMs(() => expect(jsonMembers(text)).toHaveLength(2))).toBeLessThan(2_000);
  });
});
