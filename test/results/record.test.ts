import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PyFloat, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { ResultsError, buildEpisodeRecord, summarizeRecord, recordCodec } from '../../src/run-log/index.ts';
import { CONTEXT, GRADE, record, recordInput, usage } from './fixtures.ts';

const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('1', '0', '__proto__', 'kwargs', 'outputs'));
const pyValue = fc.letrec<{ value: PyValue; dict: PyDict }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => new PyFloat(x)),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('dict'),
  ),
  dict: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
}));

describe('an episode record', () => {
  it('reads back as it was written, arguments with the spelling of their numbers and the order of their keys', () => {
    const written = record(3, 0);
    const text = recordCodec.write(written);
    expect(recordCodec.read(text)).toEqual(written);
    expect(text).toContain('"amount": 131.0');
    expect(text).toContain('"9": 1,\n');
    expect(text.indexOf('"9": 1,')).toBeLessThan(text.indexOf('"1": 12345678901234567890'));
  });

  it('reads back for any arguments', () => {
    fc.assert(
      fc.property(pyValue.dict, (kwargs) => {
        const written = buildEpisodeRecord(recordInput(), { ...CONTEXT, actions: [{ name: 'pay', kwargs }] });
        const text = recordCodec.write(written);
        const read = recordCodec.read(text);
        expect(recordCodec.write(read)).toBe(text);
        expect([...(read.actions[0]?.kwargs.keys() ?? [])]).toEqual([...kwargs.keys()]);
      }),
      { numRuns: 200 },
    );
  });

  it('is the same text whenever it is made from the same input', () => {
    expect(recordCodec.write(record(3, 0))).toBe(recordCodec.write(record(3, 0)));
  });

  it('keeps outputs in the order of the task, though a plain object would sort them', () => {
    const { info } = record(3, 0).rewardInfo ?? { info: null };
    expect(info !== null && 'outputs' in info ? [...info.outputs.keys()] : null).toEqual(['10', '9']);
  });

  it('has the task’s ground truth without respond in the reward info, as the reference', () => {
    expect(record(3, 0).rewardInfo?.actions.map((action) => action.name)).toEqual(['pay']);
    expect(record(3, 0).task.actions.map((action) => action.name)).toEqual(['pay', 'respond']);
  });

  it('adds up costs, and knows no total when one price is unknown', () => {
    expect(record(0, 0).totalCostUsd).toBeCloseTo(0.024);
    expect(record(0, 0, { usage: [usage('agent', 0.02), usage('user', null)] }).totalCostUsd).toBeNull();
  });

  it('keeps the would-be grade of an episode that ran out of steps beside its reward of zero', () => {
    const read = recordCodec.read(
      recordCodec.write(record(3, 0, { outcome: { kind: 'max_steps' }, reward: 0, grade: null, wouldBeGrade: GRADE })),
    );
    expect(read.rewardInfo).toBeNull();
    expect(read.wouldBeGrade).toMatchObject({ reward: 1, diagnostics: { dataMatches: true } });
  });

  it('refuses a prompt reference that nobody expanded', () => {
    const messages = [{ role: 'system' as const, content: [{ ref: 'policy' as const }] }];
    expect(() => buildEpisodeRecord(recordInput(), { ...CONTEXT, messages })).toThrow('policy has not been expanded');
  });

  it('is refused at any place where it is cut, except behind its last brace', () => {
    const text = recordCodec.write(record(3, 0)).trimEnd();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (length) => {
        expect(() => recordCodec.read(text.slice(0, length))).toThrow(ResultsError);
      }),
    );
  });

  it('names the field that is wrong', () => {
    const text = recordCodec.write(record(3, 0)).replace('"trial": 0', '"trial": "zero"');
    expect(() => recordCodec.read(text)).toThrow(/^trial: /);
  });

  it('sums itself up as its workflow did', () => {
    expect(summarizeRecord(record(3, 1))).toEqual({
      episode: { taskId: 3, trial: 1 },
      reward: 1,
      outcome: 'user_stop',
      error: null,
      steps: 2,
      turns: 1,
      calls: 4,
      extraAttempts: 0,
      promptTokens: 2000,
      completionTokens: 100,
      agentCostUsd: 0.02,
      userCostUsd: 0.004,
      durationMs: 12_500,
    });
  });
});
