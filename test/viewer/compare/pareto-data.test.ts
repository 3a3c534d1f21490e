import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { PayloadRun } from '../../../src/results/page/payload.ts';
import { costedRuns, paretoSentence } from '../../../src/viewer/compare/pareto-data.ts';
import { run } from '../payloads.ts';

/** A run of this pass^1 at this cost an episode. */
function costing(score: number, perEpisodeUsd: number | null): PayloadRun {
  const empty = run([]);
  const { metrics } = empty;
  const errorsAsFailures = { ...metrics.errorsAsFailures, passHatK: [{ k: 1, value: score, trials: 1, tasks: 1 }] };
  return { ...empty, metrics: { ...metrics, errorsAsFailures, costs: { ...metrics.costs, perEpisodeUsd } } };
}

const names = (runs: readonly unknown[]) => runs.map((_, index) => `run-${String(index)}`);

it('knows the runs that no other beats in both', () => {
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

it('says whose costs are not known', () => {
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
