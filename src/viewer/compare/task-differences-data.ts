/** Two of the runs, task by task: what was gained and what was lost. Pure. */

import { isBlameless, pairTasks, type TaskPair } from '../../results/metrics/index.ts';
import { formatShare } from '../../results/document/index.ts';
import type { PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { counted } from '../words.ts';

export interface TaskDifference extends TaskPair {
  /** `after − before`, in [−1, 1]. */
  readonly change: number;
  /** Place in the order of changes, from 0: the largest gain first. */
  readonly rank: number;
  /** By trial; those that count. */
  readonly episodesBefore: readonly PayloadEpisode[];
  readonly episodesAfter: readonly PayloadEpisode[];
}

export interface TaskDifferences {
  /** The largest gain first. */
  readonly tasks: readonly TaskDifference[];
  /** The largest change first. */
  readonly gained: readonly TaskDifference[];
  readonly lost: readonly TaskDifference[];
  /** Tasks that one of the runs has no episode of. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

/** Episodes that infrastructure ended are left out, as in what `compare` decides by. */
export function taskDifferences(before: PayloadRun, after: PayloadRun): TaskDifferences {
  const { pairs, onlyBefore, onlyAfter } = pairTasks(before.episodes, after.episodes, isBlameless);
  const [earlier, later] = [byTask(before.episodes), byTask(after.episodes)];
  const tasks = pairs
    .map((pair) => ({ ...pair, change: pair.after - pair.before }))
    .sort((a, b) => b.change - a.change || a.taskId - b.taskId)
    .map((pair, rank) => ({
      ...pair,
      rank,
      episodesBefore: earlier.get(pair.taskId) ?? [],
      episodesAfter: later.get(pair.taskId) ?? [],
    }));
  return {
    tasks,
    gained: tasks.filter(({ change }) => change > 0),
    lost: tasks.filter(({ change }) => change < 0).sort((a, b) => a.change - b.change || a.taskId - b.taskId),
    onlyBefore: onlyBefore.length,
    onlyAfter: onlyAfter.length,
  };
}

function byTask(episodes: readonly PayloadEpisode[]): Map<number, PayloadEpisode[]> {
  const tasks = new Map<number, PayloadEpisode[]>();
  for (const episode of episodes.filter(isBlameless)) {
    const trials = tasks.get(episode.taskId);
    if (trials === undefined) tasks.set(episode.taskId, [episode]);
    else trials.push(episode);
  }
  for (const trials of tasks.values()) trials.sort((a, b) => a.trial - b.trial);
  return tasks;
}

/** Reason why tasks of one number differ between the two; null if they are the same, or if nothing is known. */
export function otherTasks({ subject: a }: PayloadRun, { subject: b }: PayloadRun): string | null {
  for (const [name, one, other] of [
    ['env', a.env, b.env],
    ['task split', a.split, b.split],
    ['pack', a.pack, b.pack],
  ] as const) {
    if (one !== null && other !== null && one !== other)
      return `Not the same tasks: the ${name} is ${one} and ${other}.`;
  }
  return null;
}

/** In one sentence. */
export function differencesSentence({ tasks, gained, lost, onlyBefore, onlyAfter }: TaskDifferences): string {
  if (tasks.length === 0) return 'The two have no task in common.';
  const mean = (which: 'before' | 'after') => tasks.reduce((sum, task) => sum + task[which], 0) / tasks.length;
  const only = onlyBefore + onlyAfter;
  return (
    `Over ${counted(tasks.length, 'task')} of both runs, infrastructure errors left out: ${String(gained.length)} better, ${String(lost.length)} worse, ` +
    `${String(tasks.length - gained.length - lost.length)} the same; average reward ${formatShare(mean('before'))} → ` +
    `${formatShare(mean('after'))}${only === 0 ? '' : `; ${counted(only, 'task')} of one run only left out`}.`
  );
}
