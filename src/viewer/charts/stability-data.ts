/** Tasks by their results from trial to trial: always solved, never, or sometimes. Pure. */

import type { PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { tasksOf } from './tasks.ts';
import { counted } from '../words.ts';
import { percent } from './words.ts';

export type Stability = 'always' | 'sometimes' | 'never';

export interface RankedTask {
  readonly taskId: number;
  /** From 0. */
  readonly rank: number;
  readonly successes: number;
  readonly trials: number;
  /** In [0, 1]. */
  readonly passRate: number;
  readonly stability: Stability;
  /** View that a click opens. */
  readonly episode: PayloadEpisode;
}

/** By pass rate, the highest first, so that the tasks that flip are in the middle; ties by task. */
export function rankedTasks(episodes: readonly PayloadEpisode[]): RankedTask[] {
  return tasksOf(episodes)
    .sort((a, b) => b.passRate - a.passRate || a.taskId - b.taskId)
    .map((task, rank) => ({
      taskId: task.taskId,
      rank,
      successes: task.successes,
      trials: task.episodes.length,
      passRate: task.passRate,
      stability: stabilityOf(task.passRate),
      episode: task.toRead,
    }));
}

function stabilityOf(passRate: number): Stability {
  if (passRate === 1) return 'always';
  return passRate === 0 ? 'never' : 'sometimes';
}

/** Neighbouring tasks of one kind, to be named over the chart; `from` and `to` are ranks, `to` not included. */
export interface StabilityRange {
  readonly stability: Stability;
  readonly from: number;
  readonly to: number;
}

export function stabilityRanges(tasks: readonly RankedTask[]): StabilityRange[] {
  return (['always', 'sometimes', 'never'] as const).flatMap((stability) => {
    const ranks = tasks.filter((task) => task.stability === stability).map(({ rank }) => rank);
    const [from, to] = [ranks.at(0), ranks.at(-1)];
    return from === undefined || to === undefined ? [] : [{ stability, from, to: to + 1 }];
  });
}

/** In one sentence. */
export function stabilitySentence(tasks: readonly RankedTask[]): string {
  if (tasks.length === 0) return 'No episode has a score yet.';
  if (tasks.every(({ trials }) => trials < 2)) return 'Every task has one trial, which cannot tell luck from skill.';
  const words = stabilityRanges(tasks).map(({ stability, from, to }) => {
    const part = `${String(to - from)} (${percent((to - from) / tasks.length)})`;
    return `${part} ${stability === 'sometimes' ? 'in some trials and not in others' : stability}`;
  });
  return `Of ${counted(tasks.length, 'task')}, solved: ${words.join(', ')}.`;
}

/** Sources of the variance; null if unknown. */
export function varianceSentence({ variance, flips }: PayloadRun['metrics']['uncertainty']): string | null {
  if (variance === null || variance.taskShare === null) return null;
  const share = percent(variance.taskShare);
  const flip =
    flips.disagreement === null
      ? ''
      : ` Two trials of a task disagree with a chance of ${percent(flips.disagreement)}.`;
  return `${share} of the variance lies between tasks, ${percent(1 - variance.taskShare)} between trials of one task.${flip}`;
}
