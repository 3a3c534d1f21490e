/** Pairs of runs as chance would make them, from success rates that are known. */

import type { Random } from '../../../packages/task-generator/src/testing.ts';
import type { EpisodeRow } from '../../../src/run-log/index.ts';
import { row } from '../fixtures.ts';

export const TASKS = 115;

/**
 * A task's success rate: most tasks are nearly always or nearly never solved, as in benchmarks. Beta(mean, 1 − mean) by
 * Jöhnk's method (Metrika 8, 1964).
 */
export function rateOf(mean: number, random: Random): number {
  for (;;) {
    const x = random.next() ** (1 / mean);
    const y = random.next() ** (1 / (1 - mean));
    if (x + y > 0 && x + y <= 1) return x / (x + y);
  }
}

/** A run's episodes, each a draw of its own from its task's rate. */
export function drawRows(rates: readonly number[], trials: number, random: Random): EpisodeRow[] {
  return rates.flatMap((rate, taskId) =>
    Array.from({ length: trials }, (_, trial) => row(taskId, trial, random.chance(rate) ? 1 : 0)),
  );
}

export type Scenario = 'another seed' | 'another kind' | '0.9 against 0.6';

/** Success rates of two agents over the tasks. */
export function ratesOf(scenario: Scenario, random: Random): { readonly a: number[]; readonly b: number[] } {
  const draw = (mean: number) => Array.from({ length: TASKS }, () => rateOf(mean, random));
  switch (scenario) {
    case 'another seed': {
      const a = draw(0.6);
      return { a, b: a };
    }
    // As good over all tasks there are, by solving others.
    case 'another kind':
      return { a: draw(0.6), b: draw(0.6) };
    case '0.9 against 0.6': {
      const a = draw(0.9);
      return { a, b: a.map((rate) => (rate * 0.6) / 0.9) };
    }
  }
}
