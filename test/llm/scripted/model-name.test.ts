import { describe, expect, it } from 'vitest';
import { MODELS, readModelName } from '../../../src/llm/scripted/model-name.ts';

describe('the name of a scripted model', () => {
  it.each([
    ['oracle', 1, 'exact'],
    ['oracle:0.8', 0.8, 'exact'],
    ['oracle:.5', 0.5, 'exact'],
    ['oracle+natural', 1, 'natural'],
    ['oracle:0.8+natural', 0.8, 'natural'],
    ['scripted/oracle:1+natural', 1, 'natural'],
    ['gpt-4o', 1, 'exact'],
    ['oracles-of-delphi', 1, 'exact'],
  ])('%s asks for the rate %d and %s wording', (name, rate, wording) => {
    expect(readModelName(name)).toEqual({ rate, wording });
  });

  it.each(['oracle:', 'oracle:2', 'oracle:-1', 'oracle:x+natural', 'oracle+loud', 'oracle+natural:0.8', 'oracle+'])(
    '%s is refused with what to use instead',
    (name) => {
      expect(() => readModelName(name)).toThrow(/use oracle, or oracle:RATE.*\+natural/);
    },
  );

  it('is listed in forms that can be read', () => {
    for (const model of MODELS) expect(() => readModelName(model)).not.toThrow();
  });
});
