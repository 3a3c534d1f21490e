/** Counts wrong verdicts over pairs of runs that chance makes: few of them for each change, many once a day. */

import { describe, expect, it } from 'vitest';

import { Random } from '../../../packages/task-generator/src/testing.ts';
import type { ComparedRun } from '../../../src/results/compare/index.ts';
import { compareRuns, compareMany } from '../../../src/results/compare/testing.ts';
import { exactMcNemar } from '../../../src/stats/index.ts';
import { drawRows, rateOf, ratesOf, type Scenario } from './simulated.ts';

/** The interval and the detectable effect decide nothing, so that few resamples do. */
const quick = { resamples: 20 };

const run = (runId: string, rows: ComparedRun['rows']): ComparedRun => ({ runId, rows, manifest: null });

interface Rates {
  readonly worse: number;
  readonly better: number;
  /** Pairs that McNemar's test on all (task, trial) pairs would have called different. */
  readonly byEpisodes: number;
}

function compareAll(scenario: Scenario, trials: number, pairs: number): Rates {
  const random = new Random(`${scenario}, ${String(trials)} trials`);
  const counts = { worse: 0, better: 0, byEpisodes: 0 };
  for (let pair = 0; pair < pairs; pair++) {
    const rates = ratesOf(scenario, random);
    const a = run('a', drawRows(rates.a, trials, random));
    const b = run('b', drawRows(rates.b, trials, random));
    const { verdict, trials: table } = compareRuns(a, b, quick);
    if (verdict === 'regression') counts.worse += 1;
    if (verdict === 'improvement') counts.better += 1;
    if (table !== null && exactMcNemar(table.onlyBefore, table.onlyAfter).p < 0.05) counts.byEpisodes += 1;
  }
  return counts;
}

/**
 * Registers the tests. A test that takes the two runs' episodes for independent samples would be wrong both ways: runs of
 * one agent share their tasks' difficulty, so that it calls hardly any different that are (and so misses real differences
 * too), and agents of different kinds agree within a task, so that with four trials it calls 20 of 100 different that are
 * equal.
 *
 * @param pairs of runs
 * @param mostFalse more than this many of them, each with a chance of 5 %, are called different in 1 of 100 cases
 */
export function testErrorRates(pairs: number, mostFalse: number): void {
  describe.each([1, 4])(`of ${String(pairs)} pairs of runs of 115 tasks, with %d trials,`, (trials) => {
    it('those that differ only by seed are called different in at most 5 of 100 cases', () => {
      const { worse, better } = compareAll('another seed', trials, pairs);
      expect(worse + better).toBeLessThanOrEqual(mostFalse);
      expect(worse + better).toBeGreaterThan(0);
    });

    it('so are those of agents that are as good by solving other tasks, where McNemar’s test on episodes fails', () => {
      const { worse, better, byEpisodes } = compareAll('another kind', trials, pairs);
      expect(worse + better).toBeLessThanOrEqual(mostFalse);
      if (trials === 1) expect(byEpisodes).toBe(worse + better);
      else expect(byEpisodes).toBeGreaterThan(mostFalse);
    });

    it('those of 0.9 against 0.6 are called worse in more than 95 of 100', () => {
      const { worse, better } = compareAll('0.9 against 0.6', trials, pairs);
      expect(worse).toBeGreaterThan(0.95 * pairs);
      expect(better).toBe(0);
    });
  });

  describe(`of ${String(pairs)} comparisons of four equal runs`, () => {
    it('at most 5 of 100 tell any two apart, though each makes six tests', () => {
      const random = new Random('four at once');
      const counts = { corrected: 0, plain: 0 };
      for (let i = 0; i < pairs; i++) {
        const rates = Array.from({ length: 40 }, () => rateOf(0.6, random));
        const runs = ['a', 'b', 'c', 'd'].map((id) => run(id, drawRows(rates, 2, random)));
        const compared = compareMany(runs, quick);
        if (compared.pairs.some(({ decision }) => decision !== 'no_difference')) counts.corrected += 1;
        if (compared.pairs.some(({ difference }) => (difference.permutation?.p ?? 1) < 0.05)) counts.plain += 1;
      }
      expect(counts.corrected).toBeLessThanOrEqual(mostFalse);
      expect(counts.plain).toBeGreaterThan(mostFalse);
    });
  });
}
