import { describe, expect, it } from 'vitest';

import { differencesSentence, otherTasks, taskDifferences } from '../../../src/viewer/compare/task-differences-data.ts';
import { episode, episodesOf, run } from '../payloads.ts';

const before = run(
  episodesOf([
    [0, 0],
    [1, 1],
    [1, 0],
    [1, 1],
  ]),
);
const after = run([
  ...episodesOf([
    [1, 1],
    [1, 1],
    [0, 0],
  ]),
  episode({ taskId: 2, trial: 2, outcome: 'infrastructure_error', reward: 0 }),
]);

describe('taskDifferences', () => {
  const data = taskDifferences(before, after);

  it('sorts tasks from the largest gain to the largest loss', () => {
    expect(data.tasks.map(({ taskId, change, rank }) => [taskId, change, rank])).toEqual([
      [0, 1, 0],
      [1, 0, 1],
      [2, -0.5, 2],
    ]);
    expect(data.gained.map(({ taskId }) => taskId)).toEqual([0]);
    expect(data.lost.map(({ taskId }) => taskId)).toEqual([2]);
  });

  it('links the episodes that count, and none that infrastructure ended', () => {
    expect(data.lost[0]?.episodesAfter.map(({ trial }) => trial)).toEqual([0, 1]);
  });

  it('says what was left out', () => {
    expect(differencesSentence(data)).toBe(
      'Over 3 tasks of both runs, infrastructure errors left out: 1 better, 1 worse, 1 the same; ' +
        'average reward 0.500 → 0.667; 1 task of one run only left out.',
    );
  });
});

it('pairs no tasks of other packs', () => {
  const [a, b] = ['shop (1)', 'shop (2)'].map((pack) => run([], { pack }));
  if (a === undefined || b === undefined) throw new Error('two runs');
  expect(otherTasks(a, b)).toBe('Not the same tasks: the pack is shop (1) and shop (2).');
  expect(otherTasks(a, a)).toBeNull();
  expect(otherTasks(a, run([]))).toBeNull();
});
