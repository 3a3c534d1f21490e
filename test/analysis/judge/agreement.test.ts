import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { measureAgreement, type TwoOpinions } from '../../../src/analysis/judge/answer.ts';
import { FAULT_TYPES } from '../../../src/analysis/types.ts';

const agent = (
  faultType: TwoOpinions['faultType'],
  deterministic: TwoOpinions['deterministic'] = faultType,
): TwoOpinions => ({ author: 'agent', faultType, deterministic });

describe('the agreement of two opinions', () => {
  it('counts authors and fault types apart', () => {
    const user: TwoOpinions = { author: 'user', faultType: null, deterministic: 'other' };
    const opinions = [
      agent('other'),
      agent('called_wrong_tool'),
      agent('called_wrong_tool', 'goal_partially_completed'),
      agent('called_wrong_tool', 'goal_partially_completed'),
      agent('other', null),
      user,
      { ...user, deterministic: null },
      // The judge's second answer cannot be read.
      agent(null, 'other'),
    ];
    expect(measureAgreement(opinions)).toEqual({
      compared: 8,
      sameAuthor: 6,
      typesCompared: 4,
      sameType: 2,
      pairs: [
        { judge: 'called_wrong_tool', deterministic: 'goal_partially_completed', count: 2 },
        { judge: 'other', deterministic: 'other', count: 1 },
        { judge: 'called_wrong_tool', deterministic: 'called_wrong_tool', count: 1 },
        { judge: 'other', deterministic: null, count: 1 },
        { judge: null, deterministic: 'other', count: 1 },
        { judge: null, deterministic: null, count: 1 },
      ],
    });
  });

  it('of none is none', () => {
    expect(measureAgreement([])).toEqual({ compared: 0, sameAuthor: 0, typesCompared: 0, sameType: 0, pairs: [] });
  });

  it('is whole where both always say the same, and its pairs add up', () => {
    const type = fc.option(fc.constantFrom(...FAULT_TYPES), { nil: null });
    const opinion = fc.tuple(type, type).map(([faultType, deterministic]): TwoOpinions => ({
      author: faultType === null ? 'environment' : 'agent',
      faultType,
      deterministic,
    }));
    fc.assert(
      fc.property(fc.array(opinion), (opinions) => {
        const { compared, sameAuthor, sameType, typesCompared, pairs } = measureAgreement(opinions);
        expect(pairs.reduce((sum, { count }) => sum + count, 0)).toBe(compared);
        expect(sameType).toBeLessThanOrEqual(typesCompared);
        expect(typesCompared).toBeLessThanOrEqual(sameAuthor);
        const same = measureAgreement(opinions.map((one) => ({ ...one, deterministic: one.faultType })));
        expect([same.sameAuthor, same.sameType]).toEqual([compared, same.typesCompared]);
      }),
    );
  });
});
