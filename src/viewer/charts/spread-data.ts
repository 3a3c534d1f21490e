/** Lengths of solved and failed episodes, as counts in bins that both share. Pure. */

import type { PayloadEpisode } from '../../results/page/index.ts';
import { isScored, isSuccess, spread } from '../../results/metrics/index.ts';
import { percent } from './words.ts';

export interface Bin {
  /** `[low, high)`, in the measure's unit. */
  readonly low: number;
  readonly high: number;
  /** Episodes. */
  readonly solved: number;
  readonly failed: number;
}

export interface Spreads {
  /** Ascending, without gaps; none without an episode. */
  readonly bins: readonly Bin[];
  readonly medianSolved: number | null;
  readonly medianFailed: number | null;
}

/** Measure of an episode; null leaves it out. */
export type Measure = (episode: PayloadEpisode) => number | null;

const MOST_BINS = 30;

/** @param smallest width of a bin, such as 1 for counts */
export function spreads(all: readonly PayloadEpisode[], measure: Measure, smallest: number): Spreads {
  const measured = all.filter(isScored).flatMap((episode) => {
    const value = measure(episode);
    return value === null ? [] : [{ value, isSolved: isSuccess(episode.reward) }];
  });
  const median = (isSolved: boolean) =>
    spread(measured.filter((one) => one.isSolved === isSolved).map(({ value }) => value))?.median ?? null;
  return { bins: bins(measured, smallest), medianSolved: median(true), medianFailed: median(false) };
}

function bins(measured: readonly { value: number; isSolved: boolean }[], smallest: number): Bin[] {
  if (measured.length === 0) return [];
  const values = measured.map(({ value }) => value);
  const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  // One less than the bins there may be: the ends are rounded outwards.
  const width = roundStep((max - min) / (MOST_BINS - 1), smallest);
  const first = Math.floor(min / width);
  const counts = Array.from({ length: Math.floor(max / width) - first + 1 }, () => ({ solved: 0, failed: 0 }));
  for (const { value, isSolved } of measured) {
    const count = counts[Math.floor(value / width) - first];
    if (count !== undefined) count[isSolved ? 'solved' : 'failed'] += 1;
  }
  return counts.map((count, index) => ({ low: (first + index) * width, high: (first + index + 1) * width, ...count }));
}

/** The smallest of 1, 2, 5, 10, 20 … times `smallest` that is not less than `least`. */
export function roundStep(least: number, smallest: number): number {
  for (let scale = smallest; ; scale *= 10) {
    for (const step of [scale, 2 * scale, 5 * scale]) if (step >= least) return step;
  }
}

/** In one sentence; `write` puts a value into words with its unit. */
export function spreadSentence(
  { bins, medianSolved, medianFailed }: Spreads,
  write: (value: number) => string,
): string {
  const total = bins.reduce((sum, { solved, failed }) => sum + solved + failed, 0);
  if (total === 0) return 'Not known.';
  const solved = bins.reduce((sum, bin) => sum + bin.solved, 0);
  const half = [
    ...(medianSolved === null ? [] : [`half of the solved episodes take at most ${write(medianSolved)}`]),
    ...(medianFailed === null ? [] : [`half of the failed ones at most ${write(medianFailed)}`]),
  ].join(', ');
  const text = `${half}; ${percent(solved / total)} of ${String(total)} were solved.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
