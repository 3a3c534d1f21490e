/** The tasks of a run as the charts need them. Pure. */

import type { PayloadEpisode } from '../../results/page/index.ts';
import { isScored, isSuccess } from '../../results/metrics/index.ts';

export interface TaskTrials {
  readonly taskId: number;
  /** Those with a score, in the order of trials; at least one. */
  readonly episodes: readonly PayloadEpisode[];
  /** The one to look at first: the first that failed, or the first of all. */
  readonly toRead: PayloadEpisode;
  readonly successes: number;
  /** Successes over scored episodes, in [0, 1]. */
  readonly passRate: number;
  /** USD, mean over the episodes whose cost is known; null without any. */
  readonly meanCostUsd: number | null;
}

/** Tasks ascending; a task without a scored episode is not there. */
export function tasksOf(episodes: readonly PayloadEpisode[]): TaskTrials[] {
  const byTask = new Map<number, Trials>();
  for (const episode of episodes.filter(isScored)) {
    const task = byTask.get(episode.taskId);
    if (task === undefined) byTask.set(episode.taskId, [episode]);
    else task.push(episode);
  }
  return [...byTask.values()].map(taskOf).sort((a, b) => a.taskId - b.taskId);
}

type Trials = [PayloadEpisode, ...PayloadEpisode[]];

function taskOf(unsorted: Trials): TaskTrials {
  const episodes = unsorted.sort((a, b) => a.trial - b.trial);
  const successes = episodes.filter(({ reward }) => isSuccess(reward)).length;
  const costs = episodes.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return {
    taskId: episodes[0].taskId,
    episodes,
    toRead: episodes.find(({ reward }) => !isSuccess(reward)) ?? episodes[0],
    successes,
    passRate: successes / episodes.length,
    meanCostUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
  };
}
