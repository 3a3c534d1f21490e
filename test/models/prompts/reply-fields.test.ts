import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReplyFieldDefinition } from '../../../src/agents/index.ts';
import { readReplyFields } from '../../../src/models/prompts/index.ts';

const FIELDS: readonly ReplyFieldDefinition[] = [
  { name: 'order_id', type: 'text' },
  { name: 'zip', type: 'text' },
  { name: 'item_ids', type: 'list' },
];

const read = (text: string | null) => readReplyFields(text, FIELDS);
const nothing = { order_id: null, zip: null, item_ids: null };

describe('the fields of a reply', () => {
  it('are read from a JSON object, and what was not asked for is left out', () => {
    const reply = '{"reasoning": "see {above}", "order_id": "#W1", "zip": null, "item_ids": ["1", "2"]}';
    expect(read(reply)).toEqual({ order_id: '#W1', zip: null, item_ids: ['1', '2'] });
  });

  it('are null if the reply lacks them', () => {
    expect(read('{"order_id": "#W1"}')).toEqual({ ...nothing, order_id: '#W1' });
  });

  it.each([
    ['a code fence', '```json\n{"order_id": "#W1"}\n```'],
    ['words around the object', 'Here it is: {"order_id": "#W1"} I hope it helps!'],
    ['an aside in braces before it', 'For {order_id} I found:\n{"order_id": "#W1"}'],
    ["Python's spelling", "{'order_id': '#W1', 'zip': None,}"],
    ['line breaks in a text', '{"reasoning": "one\ntwo", "order_id": "#W1"}'],
  ])('are read in spite of %s', (_what, reply) => {
    expect(read(reply)).toEqual({ ...nothing, order_id: '#W1' });
  });

  it.each([
    ['0012', '0012'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.50', '1.50'],
    ['1e3', '1e3'],
    ['-0', '-0'],
    ['2024-05-01', '2024-05-01'],
    ['true', 'true'],
    ['"0012"', '0012'],
  ])('keep the spelling of %s', (written, text) => {
    expect(read(`{"zip": ${written}, "item_ids": [${written}, 7]}`)).toEqual({
      ...nothing,
      zip: text,
      item_ids: [text, '7'],
    });
  });

  it('keep digits in texts', () => {
    expect(read('{"zip": "at 0012, or [0013]", "item_ids": ["{0014: 1.50}"]}')).toEqual({
      ...nothing,
      zip: 'at 0012, or [0013]',
      item_ids: ['{0014: 1.50}'],
    });
  });

  it('have a nested value as its JSON', () => {
    expect(read('{"order_id": {"id": "#W1", "price": 131.0, "no": [1, null]}}')).toEqual({
      ...nothing,
      order_id: '{"id": "#W1", "price": 131.0, "no": [1, null]}',
    });
    expect(read('{"item_ids": [{"id": 1}, null, ["a"]]}')).toEqual({ ...nothing, item_ids: ['{"id": 1}', '["a"]'] });
  });

  it('have a list that came as one text as one item', () => {
    expect(read('{"item_ids": "1, 2"}')).toEqual({ ...nothing, item_ids: ['1, 2'] });
    expect(read('{"item_ids": 5}')).toEqual({ ...nothing, item_ids: ['5'] });
  });

  it.each([
    ['silence', null],
    ['an empty text', ''],
    ['words', 'I could not find anything.'],
    ['half an object', '{"order_id": "#W1"'],
    ['a list', '["#W1"]'],
    ['a text', '"order_id"'],
    ['an object without any of the fields', '{"error": "no statement"}'],
    ['an empty object', '{}'],
    ['braces without end', '{'.repeat(5_000)],
  ])('are all null for %s', (_what, reply) => {
    expect(read(reply)).toBeNull();
  });

  it('are none if none are requested', () => {
    expect(readReplyFields('{"reasoning": "nothing to do"}', [])).toEqual({});
  });

  it('are unchanged for any texts', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'"\'\\{}[]:,0 1\n`'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    });
    const reply = fc.dictionary(name, fc.oneof(text, fc.array(text)), { minKeys: 1, noNullPrototype: true });
    fc.assert(
      fc.property(reply, fc.constantFrom('', 'Sure!\n', '```json\n'), (values, before) => {
        const fields = Object.entries(values).map(([key, value]): ReplyFieldDefinition => {
          return { name: key, type: Array.isArray(value) ? 'list' : 'text' };
        });
        expect(readReplyFields(`${before}${JSON.stringify(values)}`, fields)).toEqual(values);
      }),
    );
  });

  it('keep every number as it was written', () => {
    const number = fc.stringMatching(/^-?\d{1,25}(\.\d{1,8})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(number, fc.array(number), (one, many) => {
        expect(read(`{"zip": ${one}, "item_ids": [${many.join(', ')}]}`)).toEqual({
          ...nothing,
          zip: one,
          item_ids: many,
        });
      }),
    );
  });

  it('are read in linear time, whatever is left open in the reply', () => {
    const { user } = process.cpuUsage();
    for (const open of ['"\\"', "'\\'", '\\"', '{"a":', '"', '1 ', '[', '{"city": "x"']) {
      read(`{${open.repeat(Math.ceil(32_768 / open.length))}}`);
    }
    // Seconds; with quotes that are searched for again and again it would be minutes.
    expect(process.cpuUsage().user - user).toBeLessThan(60_000_000);
  });

  it('keep the rest of a text with a quote that nothing closes', () => {
    expect(read(`It's {"zip": 0012}`)).toEqual({ ...nothing, zip: '0012' });
  });

  it('are read without an error from any reply', () => {
    const junk = fc.string({ unit: fc.constantFrom(...'{}[]"\':,\\ 01-.eNtf', 'order_id', '\n', 'é') });
    fc.assert(fc.property(junk, (text) => void read(text)));
  });
});
