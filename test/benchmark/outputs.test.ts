import { describe, expect, it } from 'vitest';

import { areOutputsWords, findOutputs } from '../../src/benchmark/outputs.ts';
import { action } from './helpers.ts';

const say = (content: string) => action('respond', JSON.stringify({ content }));

describe('the stricter reading of outputs', () => {
  it.each([
    ['1010', 'It is $1,010.', true],
    ['1,010', 'It is $1010.', true],
    ['1,010', 'It is $1,010.', true],
    ['1234567', 'in all 1,234,567', true],
    ['10', 'It is $1,010.', false],
    ['1010', 'rooms 10,10', false],
    ['12', '1,2 and 3', false],
    ['1', '1,2 and 3', true],
    ['blue, large', 'The BLUE, large one', true],
    ['1.5', 'it is 1.52', false],
  ])('%j is told by %j: %s', (output, content, isTold) => {
    expect(areOutputsWords([output], [say(content)])).toBe(isTold);
  });

  it('needs every output, each in any answer, and hears answers only', () => {
    expect(areOutputsWords(['10', '20'], [say('10'), say('20')])).toBe(true);
    expect(areOutputsWords(['10', '20'], [say('10')])).toBe(false);
    expect(areOutputsWords(['10'], [action('think', '{"content": "10"}')])).toBe(false);
  });
});

describe('the benchmark’s reading of outputs', () => {
  it('keeps the commas of the output, and takes them from the answer', () => {
    expect(findOutputs(['1,010'], [say('It is $1,010.')])).toEqual(new Map([['1,010', false]]));
    expect(findOutputs(['1010', '101'], [say('It is $1,010.')])).toEqual(
      new Map([
        ['1010', true],
        ['101', true],
      ]),
    );
  });
});
