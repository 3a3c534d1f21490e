import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serialiseParameters } from '../../../src/agents/fastworkflow/public.ts';
import { AgentError } from '../../../src/agents/index.ts';
import { dumpJson, parseJson, PyFloat, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { dict, pyValues } from '../../benchmarks/helpers.ts';

const json = (parameters: unknown) => dumpJson(serialiseParameters(parameters));

describe("arguments are made of a plan's parameters", () => {
  it('without a change of Python values', () => {
    const parameters = dict('{"order_id": "#W1", "amount": 131.0, "counts": {"9": 1, "1": 12345678901234567890}}');
    expect(serialiseParameters(parameters)).toEqual(parameters);
    expect(json(parameters)).toBe(dumpJson(parameters));
  });

  it('from plain objects, nested, with whole numbers as ints and others as floats', () => {
    expect(json({ a: 1, b: 1.5, c: [true, null, { d: 'ü' }], e: -0, f: 10n ** 30n, g: new PyFloat(1) })).toBe(
      '{"a": 1, "b": 1.5, "c": [true, null, {"d": "\\u00fc"}], "e": 0, "f": 1000000000000000000000000000000, "g": 1.0}',
    );
  });

  it('from what zod parsed, plain or of a class', () => {
    const parsed = z.object({ ids: z.array(z.string()), note: z.string().optional() }).parse({ ids: ['1', '2'] });
    expect(json(parsed)).toBe('{"ids": ["1", "2"]}');
    class Return {
      readonly order_id = '#W1';
      readonly item_ids = new Set(['1', '2']);
      get described(): string {
        return 'not a field';
      }
    }
    expect(json(z.instanceof(Return).parse(new Return()))).toBe('{"order_id": "#W1", "item_ids": ["1", "2"]}');
    class Nothing {}
    expect(json(new Nothing())).toBe('{}');
  });

  it('from maps, sets and dates, and what knows itself how to be written', () => {
    const when = new Date(Date.UTC(2024, 4, 15, 15));
    expect(json(new Map<string, unknown>([['when', when]]))).toBe('{"when": "2024-05-15T15:00:00.000Z"}');
    expect(json({ tags: new Set([1, when, new Map()]) })).toBe('{"tags": [1, "2024-05-15T15:00:00.000Z", {}]}');
    expect(json({ money: { toJSON: () => ({ amount: 5 }) } })).toBe('{"money": {"amount": 5}}');
    expect(json({ toJSON: () => ({ id: 'x' }) })).toBe('{"id": "x"}');
    class Order {
      readonly id = '#W1';
      toJSON(): unknown {
        return this;
      }
    }
    expect(json({ order: new Order() })).toBe('{"order": {"id": "#W1"}}');
  });

  it('without what is undefined, which in a list is null', () => {
    const sparse = Array.from({ length: 2 });
    expect(json({ a: undefined, b: [undefined, 1], c: sparse, d: { e: undefined } })).toBe(
      '{"b": [null, 1], "c": [null, null], "d": {}}',
    );
  });

  it('with the same object in two places', () => {
    const address = { zip: '1000' };
    expect(json({ from: address, to: address })).toBe('{"from": {"zip": "1000"}, "to": {"zip": "1000"}}');
  });

  it('and every JSON value is read as by Python', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ value });
        expect(serialiseParameters(JSON.parse(text))).toEqual(parseJson(text));
      }),
    );
    for (const number of [1e21, 2 ** 70, 123456789012345680000, -5e-324, 1e300, 2 ** 53]) {
      const text = JSON.stringify({ number });
      expect(serialiseParameters({ number })).toEqual(parseJson(text));
    }
  });

  it('and come back unchanged from JSON text', () => {
    const finite = pyValues.filter((value) => !/NaN|Infinity/.test(dumpJson(value).replace(/"(?:\\.|[^"\\])*"/g, '')));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), finite), (fields) => {
        const serialised = serialiseParameters(fields);
        expect(parseJson(dumpJson(serialised))).toEqual(serialised);
        expect(serialiseParameters(serialised)).toEqual(serialised);
      }),
    );
  });
});

describe('parameters that cannot be arguments are refused by their place', () => {
  const loop: Record<string, unknown> = { name: 'loop' };
  loop['inner'] = [loop];
  let deep: unknown = 'deepest';
  for (let i = 0; i < 1000; i++) deep = [deep];

  it.each<[string, unknown, string]>([
    [
      'a function',
      { items: [{ price: () => 1 }] },
      'parameters.items[0].price cannot become an argument: it is a func',
    ],
    ['a symbol', { a: { 'b c': Symbol('x') } }, 'parameters.a["b c"] cannot become an argument: it is a symbol'],
    ['NaN', { price: NaN }, 'parameters.price cannot become an argument: it is NaN'],
    ['an infinity', { price: new PyFloat(-Infinity) }, 'parameters.price cannot become an argument: it is -Infinity'],
    ['a cycle', loop, 'parameters.inner[0] cannot become an argument: it contains itself'],
    ['an invalid date', { when: new Date(NaN) }, 'parameters.when cannot become an argument: it is an invalid date'],
    ['a promise', { user: Promise.resolve('x') }, 'parameters.user cannot become an argument: it is a promise'],
    ['a key that is no text', new Map([[1, 'x']]), 'it has a key that is a number, not a text'],
    [
      'what fails to write itself',
      { id: { toJSON: () => JSON.parse('{') as unknown } },
      'it cannot be written as JSON',
    ],
    ['too many digits', { n: 10n ** 4300n }, 'it has more than 4300 digits'],
    ['too much depth', { deep }, 'it is nested deeper than 900 levels'],
    ['a list', ['#W1'], 'parameters cannot become an argument: it must be an object'],
    ['nothing', undefined, 'it must be an object'],
  ])('%s', (_name, parameters, message) => {
    const refuse = (): PyDict => serialiseParameters(parameters);
    expect(refuse).toThrow(AgentError);
    expect(refuse).toThrow(message);
    expect(refuse).toThrow(expect.objectContaining({ kind: 'invalid_action' }) as Error);
  });
});
