import { describe, expect, it } from 'vitest';
import type { FieldDefinition, FieldType } from '../../../src/agents/fastworkflow/public.ts';
import { checkParameters, coerceField, type RawValue } from '../../../src/agents/fastworkflow/testing.ts';
import { PyFloat, type PyValue } from '../../../src/benchmarks/python/index.ts';

const field = (type: FieldType, more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name: 'value',
  description: 'a value',
  type,
  required: true,
  ...more,
});

const valueOf = (definition: FieldDefinition, raw: RawValue): PyValue | undefined => {
  const coerced = coerceField(definition, raw);
  return coerced.kind === 'value' ? coerced.value : undefined;
};

describe('a field', () => {
  it.each<[FieldType, RawValue, PyValue]>([
    ['text', ' a ', ' a '],
    ['text', ['a'], 'a'],
    ['integer', '3', 3n],
    ['integer', ' -12 ', -12n],
    ['integer', '+1_000', 1000n],
    ['integer', '90071992547409931', 90071992547409931n],
    ['number', '100', 100n],
    ['number', '100.0', new PyFloat(100)],
    ['number', '-.5', new PyFloat(-0.5)],
    ['number', '1e3', new PyFloat(1000)],
    ['boolean', 'True', true],
    ['boolean', 'yes', true],
    ['boolean', '1', true],
    ['boolean', 'FALSE', false],
    ['boolean', 'no', false],
    ['boolean', '0', false],
    ['list', ['a', 'b'], ['a', 'b']],
    ['list', '[1, 2.5]', ['1', '2.5']],
    ['list', 'None, a', ['None', 'a']],
    ['json', '{"a": [1, 1.0, null]}', new Map([['a', [1n, new PyFloat(1), null]]])],
    ['json', "[{'flight': 'X1', 'free': True}]", [new Map<string, PyValue>([['flight', 'X1'], ['free', true]])]], // prettier-ignore
    ['json', ['{"a": 1}', "{'a': 2}", 'three'], [new Map([['a', 1n]]), new Map([['a', 2n]]), 'three']],
  ])('of type %s accepts %j', (type, raw, value) => {
    expect(coerceField(field(type), raw)).toEqual({ kind: 'value', value });
  });

  it('may be an empty text only if its definition allows it', () => {
    expect(coerceField(field('text'), ' ')).toEqual({ kind: 'missing' });
    expect(coerceField({ ...field('text'), mayBeEmpty: true }, '')).toEqual({ kind: 'value', value: '' });
  });

  it.each<[FieldType, RawValue]>([
    ['text', ['a', 'b']],
    ['integer', '3.0'],
    ['integer', 'three'],
    ['integer', '1__0'],
    ['integer', '9'.repeat(5000)],
    ['number', '$5'],
    ['number', 'nan'],
    ['number', '1e999'],
    ['boolean', 'maybe'],
    ['boolean', '2'],
    ['boolean', 'constructor'],
    ['json', 'John Doe'],
    ['json', '3'],
    ['json', '{"a": '],
  ])('of type %s rejects %j', (type, raw) => {
    expect(coerceField(field(type), raw)).toMatchObject({ kind: 'invalid' });
  });

  it.each<[FieldType, RawValue | undefined]>([
    ['text', undefined],
    ['text', 'NOT_FOUND'],
    ['text', []],
    ['integer', ''],
    ['number', 'None'],
    ['boolean', 'null'],
    ['list', []],
    ['list', ''],
    ['list', ['NOT_FOUND']],
    ['list', '[]'],
    ['json', ''],
    ['json', '[]'],
    ['json', 'null'],
  ])('of type %s is missing in %j', (type, raw) => {
    expect(coerceField(field(type), raw)).toEqual({ kind: 'missing' });
  });
});

describe('rules of a field', () => {
  it("match allowed values in any case, and return them in the tool's spelling", () => {
    const cabin = { allowed: ['economy', 'Business'] };
    expect(valueOf(field('text', cabin), ' BUSINESS ')).toBe('Business');
    expect(valueOf(field('list', cabin), ['ECONOMY', 'business'])).toEqual(['economy', 'Business']);
    expect(coerceField(field('list', cabin), ['economy', 'first'])).toEqual({ kind: 'invalid', values: ['first'] });
    expect(valueOf(field('integer', { allowed: ['1', '2'] }), '2')).toBe(2n);
  });

  it('require that the whole value matches the pattern, except for surrounding white space', () => {
    const digits = { pattern: '\\d{3}|x' };
    expect(valueOf(field('text', digits), ' 123\n')).toBe('123');
    expect(valueOf(field('text', digits), '123x')).toBeUndefined();
    expect(valueOf(field('text', { pattern: ' \\d' }), ' 1')).toBe(' 1');
    expect(valueOf(field('integer', digits), '123')).toBe(123n);
    expect(valueOf(field('integer', digits), '1234')).toBeUndefined();
  });

  it('convert valid texts and items of lists to the form of the tool', () => {
    const upper = { normalise: (value: string) => value.toUpperCase() };
    expect(valueOf(field('text', upper), 'ab')).toBe('AB');
    expect(valueOf(field('list', upper), ['a', 'b'])).toEqual(['A', 'B']);
  });
});

describe('a field that is not given', () => {
  const check = (definition: FieldDefinition, raw: ReadonlyMap<string, string>) =>
    checkParameters({ name: 'c', description: '', utterances: [], fields: [definition] }, raw);

  it.each([true, false])('takes its default (required: %s)', (required) => {
    const bags = field('integer', { required, default: '0' });
    for (const raw of [new Map(), new Map([['value', 'NOT_FOUND']])] as const) {
      expect(check(bags, raw)).toEqual({ kind: 'valid', parameters: new Map([['value', 0n]]) });
    }
    expect(check(bags, new Map([['value', '2']]))).toEqual({ kind: 'valid', parameters: new Map([['value', 2n]]) });
    expect(check(bags, new Map([['value', 'two']]))).toMatchObject({ kind: 'invalid', invalid: ['value'] });
  });

  it('is left out when it is optional, and missing when it is required', () => {
    expect(check(field('text', { required: false }), new Map())).toEqual({ kind: 'valid', parameters: new Map() });
    expect(check(field('text'), new Map())).toMatchObject({ kind: 'invalid', missing: ['value'] });
  });

  it.each<[FieldType, string]>([
    ['integer', 'must be an integer.'],
    ['number', 'must be a number.'],
    ['boolean', 'must be true or false.'],
    ['json', 'must be a JSON object or array.'],
  ])('names the type %s when the value is of another', (type, rule) => {
    const checked = check(field(type), new Map([['value', 'Jo']]));
    expect(checked.kind === 'invalid' && checked.message).toContain(`- value ${rule}\n`);
  });
});
