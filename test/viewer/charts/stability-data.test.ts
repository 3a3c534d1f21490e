import { describe, expect, it } from 'vitest';

import {
  rankedTasks,
  stabilityRanges,
  stabilitySentence,
  varianceSentence,
} from '../../../src/viewer/charts/stability-data.ts';
import { episodesOf, run } from '../payloads.ts';

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

it('says how many tasks are solved always, sometimes and never', () => {
  expect(stabilitySentence(rankedTasks(EPISODES))).toBe(
    'Of 4 tasks, solved: 2 (50 %) always, 1 (25 %) in some trials and not in others, 1 (25 %) never.',
  );
  expect(stabilitySentence(rankedTasks(episodesOf([[1], [0]])))).toMatch('Every task has one trial');
});

it('says where the variance lies only where it can be told', () => {
  const flips = { tasks: 4, flipped: 1, rate: 0.25, disagreement: 0.25 };
  const { uncertainty } = run(EPISODES).metrics;
  expect(varianceSentence({ ...uncertainty, variance: null })).toBeNull();
  const variance = { betweenTasks: 0.03, betweenTrials: 0.01, taskShare: 0.75 };
  expect(varianceSentence({ ...uncertainty, flips, variance })).toBe(
    '75 % of the variance lies between tasks, 25 % between trials of one task. Two trials of a task disagree with a chance of 25 %.',
  );
});
