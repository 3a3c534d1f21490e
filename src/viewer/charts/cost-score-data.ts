/** Costs of tasks and episodes, and their results. Pure. */

import { isScored, isSuccess, spread } from '../../results/metrics/index.ts';
import { formatUsd } from '../../results/document/index.ts';
import type { PayloadEpisode } from '../../results/page/index.ts';
import { tasksOf } from './tasks.ts';
import { counted } from '../words.ts';
import { percent } from './words.ts';

export interface CostedTask {
  readonly taskId: number;
  /** View that a click opens. */
  readonly episode: PayloadEpisode;
  /** USD, mean over its episodes. */
  readonly costUsd: number;
  /** In [0, 1]. */
  readonly passRate: number;
  readonly trials: number;
}

export interface CostedEpisode {
  readonly episode: PayloadEpisode;
  /** USD. */
  readonly costUsd: number;
  readonly isSolved: boolean;
}

export interface CostScore {
  readonly tasks: readonly CostedTask[];
  readonly episodes: readonly CostedEpisode[];
  /** Scored episodes whose cost is not known. */
  readonly unknown: number;
  /** Reason why there is nothing to draw; null if there is something. */
  readonly reason: string | null;
}

export function costScore(all: readonly PayloadEpisode[]): CostScore {
  const scored = all.filter(isScored);
  const episodes = scored.flatMap((episode) => {
    const { costUsd, reward } = episode;
    return costUsd === null ? [] : [{ episode, costUsd, isSolved: isSuccess(reward) }];
  });
  const tasks = tasksOf(all).flatMap(({ taskId, toRead, meanCostUsd, passRate, episodes: trials }) =>
    meanCostUsd === null ? [] : [{ taskId, episode: toRead, costUsd: meanCostUsd, passRate, trials: trials.length }],
  );
  return { tasks, episodes, unknown: scored.length - episodes.length, reason: reasonNotTo(episodes) };
}

function reasonNotTo(episodes: readonly CostedEpisode[]): string | null {
  if (episodes.length === 0) return 'Costs are not known: the source does not say them, or the models have no price.';
  return episodes.every(({ costUsd }) => costUsd === 0) ? 'Every episode cost nothing.' : null;
}

/** In one sentence. */
export function costSentence({ episodes, unknown, reason }: CostScore): string {
  if (reason !== null) return reason;
  const median = (isSolved: boolean) =>
    spread(episodes.filter((episode) => episode.isSolved === isSolved).map(({ costUsd }) => costUsd))?.median ?? null;
  const [solved, failed] = [median(true), median(false)];
  const sides = [
    ...(solved === null ? [] : [`a solved episode costs ${formatUsd(solved)} (median)`]),
    ...(failed === null ? [] : [`a failed one ${formatUsd(failed)}`]),
  ];
  const lacking =
    unknown === 0
      ? ''
      : `; the cost of ${counted(unknown, 'episode')} (${percent(unknown / (unknown + episodes.length))}) is not known`;
  const text = `${sides.join(', ')}${lacking}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A place in (−1, 1) that keeps points of one height apart, the same whenever the page is opened: the fractional parts
 * of multiples of the golden ratio spread evenly however many there are.
 */
export function jitter(index: number): number {
  return ((index * 0.618033988749895) % 1) * 2 - 1;
}
