import { expect, it, describe } from 'vitest';
import fc from 'fast-check';
import {
  runNames,
  costedRuns,
  paretoSentence,
  differencesSentence,
  otherTasks,
  taskDifferences,
} from '../../../../src/viewer/app/testing.ts';
import { run, episode, episodesOf } from '../../payloads.ts';
import type { PayloadRun } from '../../../../src/viewer/data/testing.ts';

it('numbers runs of one name', () => {
  expect(runNames([run([], { runId: 'a' }), run([], { runId: 'b' }), run([], { runId: 'a' })])).toEqual([
    ...['a', 'b', 'a (2)'],
  ]);
});

/** A run of this pass^1 at this cost an episode. */
function costing(score: number, perEpisodeUsd: number | null): PayloadRun {
  const empty = run([]);
  const { metrics } = empty;
  const errorsAsFailures = { ...metrics.errorsAsFailures, passHatK: [{ k: 1, value: score, trials: 1, tasks: 1 }] };
  return { ...empty, metrics: { ...metrics, errorsAsFailures, costs: { ...metrics.costs, perEpisodeUsd } } };
}

const names = (runs: readonly unknown[]) => runs.map((_, index) => `run-${String(index)}`);

it('a comparison marks the runs that no other run beats in both figures', () => {
  const runs = [costing(0.5, 1), costing(0.8, 2), costing(0.7, 3), costing(0.5, 1), costing(0.4, 1)];
  const data = costedRuns(runs, names(runs));
  expect(data.filter(({ isBest }) => isBest).map(({ name }) => name)).toEqual(['run-0', 'run-1', 'run-3']);
});

it('finds a best run in any that are known', () => {
  const point = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 9, noNaN: true }));
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 6 }), (points) => {
      const runs = points.map(([score, cost]) => costing(score, cost));
      const best = costedRuns(runs, names(runs)).filter(({ isBest }) => isBest);
      expect(best.map(({ score }) => score)).toContain(Math.max(...points.map(([score]) => score)));
      expect(best.map(({ costUsd }) => costUsd)).toContain(Math.min(...points.map(([, cost]) => cost)));
    }),
  );
});

it('a comparison names the runs whose costs are unknown', () => {
  const runs = [costing(0.5, 1), costing(0.8, 2), costing(0.9, null)];
  expect(paretoSentence(costedRuns(runs, names(runs)), runs.length)).toBe(
    'No other run is both cheaper and better than: run-0 (0.500 at $1.00 an episode), ' +
      'run-1 (0.800 at $2.00 an episode). The costs of 1 of 3 are not known.',
  );
});

it('calls none the best where all were free', () => {
  const runs = [costing(0.5, 0), costing(0.8, 0)];
  expect(paretoSentence(costedRuns(runs, names(runs)), runs.length)).toBe(
    'Every run whose cost is known cost nothing.',
  );
});

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
