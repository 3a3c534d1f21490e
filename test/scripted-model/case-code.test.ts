import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCaseCode, formatCaseCode } from '../../src/scripted-model/case-code.ts';
import { packKeyOf } from '../../src/packs/types.ts';

describe('the case code', () => {
  it('looks as people read it', () => {
    const packKey = packKeyOf({ domain: 'retail', ref: { digest: '3fa91c0000' } });
    expect(formatCaseCode({ packKey, split: 'test', taskId: 17, seed: 123 })).toBe('[case retail-3fa91c/test/17 s123]');
  });

  it('is found again in any text', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
    fc.assert(
      fc.property(
        fc.record({ packKey: word, split: word, taskId: fc.nat(), seed: fc.maxSafeInteger() }),
        fc.string(),
        fc.string(),
        (code, before, after) => {
          fc.pre(findCaseCode(before) === undefined);
          expect(findCaseCode(`${before} ${formatCaseCode(code)} ${after}`)).toEqual(code);
        },
      ),
    );
  });

  it('is the first of several', () => {
    const text = 'a [case a-1/test/1 s1] b [case a-1/test/2 s2]';
    expect(findCaseCode(text)).toEqual({ packKey: 'a-1', split: 'test', taskId: 1, seed: 1 });
  });
});
