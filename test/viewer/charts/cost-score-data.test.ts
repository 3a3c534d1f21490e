import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { costScore, costSentence, jitter } from '../../../src/viewer/charts/cost-score-data.ts';
import { episode } from '../payloads.ts';

describe('costScore', () => {
  it('has a point a task, at the mean of its known costs, which opens its first failure', () => {
    const { tasks, episodes, unknown } = costScore([
      episode({ costUsd: 0.1 }),
      episode({ trial: 1, costUsd: 0.3, reward: 0 }),
      episode({ trial: 2, costUsd: null, reward: 0 }),
    ]);
    expect(tasks.map(({ costUsd, episode: { trial } }) => [costUsd, trial])).toEqual([[0.2, 1]]);
    expect(tasks[0]?.passRate).toBeCloseTo(1 / 3);
    expect(episodes.map(({ costUsd, isSolved }) => [costUsd, isSolved])).toEqual([
      [0.1, true],
      [0.3, false],
    ]);
    expect(unknown).toBe(1);
  });

  it('leaves out what has no score', () => {
    expect(costScore([episode({ costUsd: 1, outcome: 'cancelled' })]).episodes).toEqual([]);
  });

  it('says why there is nothing to draw', () => {
    expect(costScore([episode()]).reason).toMatch('Costs are not known');
    expect(costScore([episode({ costUsd: 0 })]).reason).toBe('Every episode cost nothing.');
    expect(costScore([episode({ costUsd: 0 }), episode({ trial: 1, costUsd: 1 })]).reason).toBeNull();
  });
});

it('says medians, and how many costs are not known', () => {
  const data = costScore([
    episode({ costUsd: 2 }),
    episode({ trial: 1, costUsd: 4, reward: 0 }),
    episode({ trial: 2, reward: 0 }),
  ]);
  expect(costSentence(data)).toBe(
    'A solved episode costs $2.00 (median), a failed one $4.00; the cost of 1 episode (33 %) is not known.',
  );
});

it('keeps jitter within its bounds, and neighbours apart', () => {
  fc.assert(
    fc.property(fc.nat(10_000), (index) => {
      expect(Math.abs(jitter(index))).toBeLessThanOrEqual(1);
      expect(Math.abs(jitter(index) - jitter(index + 1))).toBeGreaterThan(0.5);
    }),
  );
});
