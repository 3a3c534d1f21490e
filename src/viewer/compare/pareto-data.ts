/** Costs of runs against their scores, and those that no other beats in both. Pure. */

import { formatShare, formatUsd } from '../../results/document/index.ts';
import type { PayloadRun } from '../../results/page/index.ts';
import type { Interval } from '../../stats/index.ts';

export interface CostedRun {
  /** Its place among the runs. */
  readonly index: number;
  readonly name: string;
  /** USD an episode. */
  readonly costUsd: number;
  /** pass^1, in [0, 1]. */
  readonly score: number;
  readonly interval: Interval | null;
  /** No other run is at least as good and at least as cheap, and better in one of the two. */
  readonly isBest: boolean;
}

/** Runs whose cost or score is not known are left out. */
export function costedRuns(runs: readonly PayloadRun[], names: readonly string[]): CostedRun[] {
  const known = runs.flatMap(({ metrics }, index) => {
    const score = metrics.errorsAsFailures.passHatK[0]?.value;
    const costUsd = metrics.costs.perEpisodeUsd;
    const interval = metrics.uncertainty.passHatK.find(({ k }) => k === 1)?.interval ?? null;
    return score === undefined || costUsd === null
      ? []
      : [{ index, name: names[index] ?? '', costUsd, score, interval }];
  });
  return known.map((run) => ({ ...run, isBest: !known.some((other) => beats(other, run)) }));
}

type Point = Pick<CostedRun, 'costUsd' | 'score'>;

function beats(other: Point, run: Point): boolean {
  const isAsGood = other.score >= run.score && other.costUsd <= run.costUsd;
  return isAsGood && (other.score > run.score || other.costUsd < run.costUsd);
}

/** True if nothing can be drawn: no run cost anything. */
export function areFree(runs: readonly CostedRun[]): boolean {
  return runs.every(({ costUsd }) => costUsd === 0);
}

/** In one sentence. */
export function paretoSentence(runs: readonly CostedRun[], all: number): string {
  if (runs.length < 2) return 'The costs of fewer than two runs are known.';
  if (areFree(runs)) return 'Every run whose cost is known cost nothing.';
  const best = runs.filter(({ isBest }) => isBest).sort((a, b) => a.costUsd - b.costUsd);
  const words = best.map(
    ({ name, score, costUsd }) => `${name} (${formatShare(score)} at ${formatUsd(costUsd)} an episode)`,
  );
  const missing =
    all === runs.length ? '' : ` The costs of ${String(all - runs.length)} of ${String(all)} are not known.`;
  const which = best.length === 1 ? 'Both cheapest and best' : 'No other run is both cheaper and better than';
  return `${which}: ${words.join(', ')}.${missing}`;
}
