/** JSON laid out for people says the same as before. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { layOut } from '../../../src/viewer/app/testing.ts';

const laidOut = (text: string) =>
  layOut(text)
    ?.map((token) => token.text)
    .join('');

test('the value is the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      const text = laidOut(JSON.stringify(value)) ?? '';
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('numbers keep their spelling', () => {
  expect(laidOut('{"amount": 131.0, "n": 12345678901234567890, "e": 1e-7}')).toBe(
    '{"amount": 131.0, "n": 12345678901234567890, "e": 1e-7}',
  );
});

test('what does not fit on a line is indented, and what fits inside it is not', () => {
  const ids = '["1151293680", "4983901480"]';
  expect(laidOut(`{"order_id": "#W2378156", "item_ids": ${ids}, "new_item_ids": ${ids}, "empty": {}}`)).toBe(
    `{\n  "order_id": "#W2378156",\n  "item_ids": ${ids},\n  "new_item_ids": ${ids},\n  "empty": {}\n}`,
  );
});

test('characters beyond ASCII are written out, quotes stay escaped', () => {
  expect(laidOut('["M\\u00fcller", "say \\"hi\\""]')).toBe('["Müller", "say \\"hi\\""]');
});

test.each(['Error: order not found', '12', '"text"', '{"cut": ', '', '[1, 2'])('%s is no JSON to lay out', (text) => {
  expect(layOut(text)).toBeNull();
});
