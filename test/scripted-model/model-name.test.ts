import { describe, expect, it } from 'vitest';
import { MODELS, readModelName } from '../../src/scripted-model/model-name.ts';

describe('the name of a scripted model', () => {
  it.each([
    ['oracle', 1, 'exact', 0],
    ['oracle:0.8', 0.8, 'exact', 0],
    ['oracle:.5', 0.5, 'exact', 0],
    ['oracle+natural', 1, 'natural', 0],
    ['oracle:0.8+natural', 0.8, 'natural', 0],
    ['scripted/oracle:1+natural', 1, 'natural', 0],
    ['oracle+careless', 1, 'exact', 0.2],
    ['oracle+careless:1', 1, 'exact', 1],
    ['oracle:0.8+natural+careless:.3', 0.8, 'natural', 0.3],
    ['gpt-4o', 1, 'exact', 0],
    ['oracles-of-delphi', 1, 'exact', 0],
  ])('%s asks for the rate %d, %s wording, and a share of %d careless customers', (name, rate, wording, careless) => {
    expect(readModelName(name)).toEqual({ rate, wording, careless });
  });

  it.each([
    'oracle:',
    'oracle:2',
    'oracle:-1',
    'oracle:x+natural',
    'oracle+loud',
    'oracle+natural:0.8',
    'oracle+',
    'oracle+careless:',
    'oracle+careless:2',
    'oracle+careless+natural',
  ])('%s is refused with what to use instead', (name) => {
    expect(() => readModelName(name)).toThrow(/use oracle, or oracle:RATE.*\+natural.*\+careless/);
  });

  it('is listed in forms that can be read', () => {
    for (const model of MODELS) expect(() => readModelName(model)).not.toThrow();
  });
});
