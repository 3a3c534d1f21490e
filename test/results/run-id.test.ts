import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MAX_RUN_ID_BYTES, checkRunId, makeRunId } from '../../src/run-log/index.ts';

const AT = new Date(2025, 6, 4, 9, 5, 3);

describe('a run id', () => {
  it('has the words and the local time', () => {
    expect(makeRunId(['tool-calling', 'gpt-4o'], AT)).toBe('tool-calling-gpt-4o_0704090503');
  });

  it('has no character that a file name or a workflow id could trip over', () => {
    expect(makeRunId(['act', 'oracle:0.8', 'user-llama 3'], AT)).toBe('act-oracle-0.8-user-llama-3_0704090503');
  });

  it('is one that a person could give, whatever the models are called', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        (model, userModel) => {
          const id = makeRunId(['tool-calling', model, userModel], AT);
          expect(checkRunId(id)).toBe(id);
          expect(Buffer.byteLength(id)).toBeLessThanOrEqual(MAX_RUN_ID_BYTES);
          expect(id.endsWith('_0704090503')).toBe(true);
        },
      ),
    );
  });

  it('stays different for long names that differ only at their end', () => {
    const long = 'm'.repeat(300);
    expect(makeRunId([`${long}a`], AT)).not.toBe(makeRunId([`${long}b`], AT));
  });

  it.each([
    ['', 'is empty'],
    ['a/b', 'may have only letters'],
    ['../up', 'may have only letters'],
    ['-flag', 'must start with a letter or digit'],
    ['ü', 'may have only letters'],
    ['x'.repeat(181), 'is longer than 180'],
    ['nightly.json', 'ends in .json'],
    ['nightly.', 'ends in a dot'],
  ])('%j is refused in one sentence', (id, reason) => {
    expect(() => checkRunId(id)).toThrow(reason);
  });
});
