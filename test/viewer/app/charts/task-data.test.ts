import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  rankedTasks,
  stabilityRanges,
  stabilitySentence,
  varianceSentence,
  costScore,
  costSentence,
  jitter,
} from '../../../../src/viewer/app/testing.ts';
import { episodesOf, run, episode } from '../../payloads.ts';

const EPISODES = episodesOf([
  [0, 0],
  [1, 0],
  [1, 1],
  [1, 1],
]);

describe('rankedTasks', () => {
  it('has those that flip in the middle, and opens a failure where there is one', () => {
    const tasks = rankedTasks(EPISODES);
    expect(tasks.map(({ taskId, stability, episode }) => [taskId, stability, episode.trial])).toEqual([
      [2, 'always', 0],
      [3, 'always', 0],
      [1, 'sometimes', 1],
      [0, 'never', 0],
    ]);
  });

  it('has ranges that follow each other', () => {
    expect(stabilityRanges(rankedTasks(EPISODES))).toEqual([
      { stability: 'always', from: 0, to: 2 },
      { stability: 'sometimes', from: 2, to: 3 },
      { stability: 'never', from: 3, to: 4 },
    ]);
  });
});

it('a sentence says how many tasks are solved always, sometimes and never', () => {
  expect(stabilitySentence(rankedTasks(EPISODES))).toBe(
    'Of 4 tasks, solved: 2 (50 %) always, 1 (25 %) in some trials and not in others, 1 (25 %) never.',
  );
  expect(stabilitySentence(rankedTasks(episodesOf([[1], [0]])))).toMatch('Every task has one trial');
});

it('a sentence says where the variance lies if that is known', () => {
  const flips = { tasks: 4, flipped: 1, rate: 0.25, disagreement: 0.25 };
  const { uncertainty } = run(EPISODES).metrics;
  expect(varianceSentence({ ...uncertainty, variance: null })).toBeNull();
  const variance = { betweenTasks: 0.03, betweenTrials: 0.01, taskShare: 0.75 };
  expect(varianceSentence({ ...uncertainty, flips, variance })).toBe(
    '75 % of the variance lies between tasks, 25 % between trials of one task. Two trials of a task disagree with a chance of 25 %.',
  );
});

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

it('a sentence has the medians and the number of unknown costs', () => {
  const data = costScore([
    episode({ costUsd: 2 }),
    episode({ trial: 1, costUsd: 4, reward: 0 }),
    episode({ trial: 2, reward: 0 }),
  ]);
  expect(costSentence(data)).toBe(
    'A solved episode costs $2.00 (median), a failed one $4.00; the cost of 1 episode (33 %) is not known.',
  );
});

it('jitter stays within its bounds and keeps neighbors apart', () => {
  fc.assert(
    fc.property(fc.nat(10_000), (index) => {
      expect(Math.abs(jitter(index))).toBeLessThanOrEqual(1);
      expect(Math.abs(jitter(index) - jitter(index + 1))).toBeGreaterThan(0.5);
    }),
  );
});
