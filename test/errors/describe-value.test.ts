import { describe, expect, it } from 'vitest';

import { describeValue } from '../../src/errors/index.ts';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

describe('what was thrown, for a person', () => {
  it.each<[string, unknown, string]>([
    ['an error', new TypeError('x is not a function'), 'TypeError: x is not a function'],
    ['an object with a message', { message: 'no such order', code: 4 }, 'no such order'],
    ['another object', { code: 4, order: '#W1' }, '{"code":4,"order":"#W1"}'],
    ['a list', [1, 'two'], '[1,"two"]'],
    ['a text', 'no such order', 'no such order'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', () => 1, 'a function'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['a cycle', cycle, 'an object that has no JSON form'],
    ['a BigInt in an object', { n: 1n }, 'an object that has no JSON form'],
    [
      'an object whose message throws',
      {
        get message(): string {
          throw new Error('not now');
        },
      },
      'an object that has no JSON form',
    ],
  ])('is described, also where it is %s', (_, thrown, expected) => {
    expect(describeValue(thrown)).toBe(expected);
  });

  it('is cut where it is long', () => {
    expect(describeValue({ text: 'x'.repeat(10_000) }).length).toBeLessThan(310);
  });
});
