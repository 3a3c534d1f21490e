import { expect, it } from 'vitest';
import { formatMostFrequent, pickWorstTasks } from '../../src/results/document/index.ts';

it('the most frequent of what was counted are named, the rest counted', () => {
  const counts = { extra_write: 4, missing_write: 7, other: 1, another: 1, wrong_tool: 4 };
  expect(formatMostFrequent(counts)).toBe('missing_write ×7, extra_write ×4, wrong_tool ×4, 2 more kinds');
  expect(formatMostFrequent({ other: 1 })).toBe('other ×1');
  expect(formatMostFrequent({})).toBe('');
});

it('the worst tasks come first, ties by number, and no more than asked for', () => {
  const tasks = [0.5, 0, 0.75, 0.5].map((passRate, taskId) => ({ taskId, passRate }));
  expect(pickWorstTasks(tasks, 3).map(({ taskId }) => taskId)).toEqual([1, 0, 3]);
});
