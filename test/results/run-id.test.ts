import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MAX_RUN_ID_BYTES, checkRunId, makeRunId, type RunIdParts } from '../../src/results/log/paths.ts';

const PARTS: RunIdParts = {
  strategy: 'tool-calling',
  model: 'openai/gpt-4o',
  temperature: 0,
  startIndex: 0,
  endIndex: -1,
  userModel: 'gpt-4o',
  userStrategy: 'llm',
};
const AT = new Date(2025, 6, 4, 9, 5, 3);

describe('a run id', () => {
  it('has the form of the reference’s file names, in local time', () => {
    expect(makeRunId(PARTS, AT)).toBe('tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0704090503');
  });

  it('has no character that a file name or a workflow id could trip over', () => {
    const id = makeRunId({ ...PARTS, model: 'oracle:0.8', userModel: 'meta/llama 3' }, AT);
    expect(id).toBe('tool-calling-oracle-0.8-0.0_range_0--1_user-meta-llama-3-llm_0704090503');
  });

  it('is one that a person could give, whatever the models are called', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        (model, userModel) => {
          const id = makeRunId({ ...PARTS, model, userModel, temperature: null }, AT);
          expect(checkRunId(id)).toBe(id);
          expect(Buffer.byteLength(id)).toBeLessThanOrEqual(MAX_RUN_ID_BYTES);
          expect(id.endsWith('_0704090503')).toBe(true);
        },
      ),
    );
  });

  it('stays different for long names that differ only at their end', () => {
    const long = 'm'.repeat(300);
    expect(makeRunId({ ...PARTS, userModel: `${long}a` }, AT)).not.toBe(
      makeRunId({ ...PARTS, userModel: `${long}b` }, AT),
    );
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
