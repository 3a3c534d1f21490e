/** Compares runs: costs against scores, and two runs task by task. Pure. */

import type { PayloadRun, PayloadEpisode } from '../../data/payload.ts';
import { formatShare, formatUsd, formatAmount } from '../../../results/document/index.ts';
import { formatTaskTitle, groupBy } from '../words.ts';
import type { Interval } from '../../../stats/index.ts';
import { isBlameless, pairTasks, type TaskPair } from '../../../results/metrics/index.ts';

/** Returns unique names of the runs: a repeated name is numbered. */
export function runNames(runs: readonly PayloadRun[]): string[] {
  const seen = new Map<string, number>();
  return runs.map(({ subject: { runId } }) => {
    const times = (seen.get(runId) ?? 0) + 1;
    seen.set(runId, times);
    return times === 1 ? runId : `${runId} (${times})`;
  });
}

export interface CostedRun {
  readonly index: number;
  readonly name: string;
  /** Mean cost per episode, in USD. */
  readonly costUsd: number;
  /** Score of the run: pass^1, in [0, 1]. */
  readonly score: number;
  readonly interval: Interval | null;
  /** True if no other run is at least as good and as cheap, and better in one of the two. */
  readonly isBest: boolean;
}

/** Returns the runs whose cost and score are known. */
export function costedRuns(runs: readonly PayloadRun[], names: readonly string[]): CostedRun[] {
  const known = runs.flatMap(({ metrics }, index) => {
    const score = metrics.errorsAsFailures.passHatK[0]?.value;
    const costUsd = metrics.costs.perEpisodeUsd;
    const interval = metrics.uncertainty.passHatK.find(({ k }) => k === 1)?.interval ?? null;
    return score === undefined || costUsd === null
      ? []
      : [{ index, name: names[index] ?? '', costUsd, score, interval }];
  });
  return known.map((run) => ({ ...run, isBest: !known.some((other) => dominates(other, run)) }));
}

type Point = Pick<CostedRun, 'costUsd' | 'score'>;

function dominates(other: Point, run: Point): boolean {
  const isAsGood = other.score >= run.score && other.costUsd <= run.costUsd;
  return isAsGood && (other.score > run.score || other.costUsd < run.costUsd);
}

/** True if no run cost anything. */
export function areFree(runs: readonly CostedRun[]): boolean {
  return runs.every(({ costUsd }) => costUsd === 0);
}

export function paretoSentence(runs: readonly CostedRun[], all: number): string {
  if (runs.length < 2) return 'The costs of fewer than two runs are known.';
  if (areFree(runs)) return 'Every run whose cost is known cost nothing.';
  const best = runs.filter(({ isBest }) => isBest).sort((a, b) => a.costUsd - b.costUsd);
  const words = best.map(
    ({ name, score, costUsd }) => `${name} (${formatShare(score)} at ${formatUsd(costUsd)} an episode)`,
  );
  const missing = all === runs.length ? '' : ` The costs of ${String(all - runs.length)} of ${all} are not known.`;
  const which = best.length === 1 ? 'Both cheapest and best' : 'No other run is both cheaper and better than';
  return `${which}: ${words.join(', ')}.${missing}`;
}

export interface TaskDifference extends TaskPair {
  /** Change of the pass rate, `after − before`, in [−1, 1]. */
  readonly change: number;
  /** Position in the order of changes, from 0: the largest gain first. */
  readonly rank: number;
  /** Name of the task: `17`, or `17 (cancel)` if it has a name. */
  readonly name: string;
  /** Counted trials in order. */
  readonly episodesBefore: readonly PayloadEpisode[];
  readonly episodesAfter: readonly PayloadEpisode[];
}

interface TaskDifferences {
  readonly tasks: readonly TaskDifference[];
  readonly gained: readonly TaskDifference[];
  readonly lost: readonly TaskDifference[];
  /** Number of tasks without an episode in the other run. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

/** Pairs the tasks of two runs as `compare` does, without infrastructure errors. */
export function taskDifferences(before: PayloadRun, after: PayloadRun): TaskDifferences {
  const { pairs, onlyBefore, onlyAfter } = pairTasks(before.episodes, after.episodes, isBlameless);
  const [earlier, later] = [byTask(before.episodes), byTask(after.episodes)];
  const tasks = pairs
    .map((pair) => ({ ...pair, change: pair.after - pair.before }))
    .sort((a, b) => b.change - a.change || a.taskId - b.taskId)
    .map((pair, rank) => {
      const episodesBefore = earlier.get(pair.taskId) ?? [];
      const episodesAfter = later.get(pair.taskId) ?? [];
      return { ...pair, rank, name: formatTaskTitle(episodesAfter[0] ?? pair), episodesBefore, episodesAfter };
    });
  return {
    tasks,
    gained: tasks.filter(({ change }) => change > 0),
    lost: tasks.filter(({ change }) => change < 0).sort((a, b) => a.change - b.change || a.taskId - b.taskId),
    onlyBefore: onlyBefore.length,
    onlyAfter: onlyAfter.length,
  };
}

function byTask(episodes: readonly PayloadEpisode[]): Map<number, PayloadEpisode[]> {
  const tasks = groupBy(
    episodes.filter((episode) => isBlameless(episode) && episode.condition === undefined),
    ({ taskId }) => taskId,
  );
  for (const trials of tasks.values()) trials.sort((a, b) => a.trial - b.trial);
  return tasks;
}

/** Returns the reason why equal task numbers mean different tasks; null if they do not, or if that is unknown. */
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

export function differencesSentence({ tasks, gained, lost, onlyBefore, onlyAfter }: TaskDifferences): string {
  if (tasks.length === 0) return 'The two have no scored episode of a common task.';
  const mean = (which: 'before' | 'after') => tasks.reduce((sum, task) => sum + task[which], 0) / tasks.length;
  const only = onlyBefore + onlyAfter;
  return (
    `Over ${formatAmount(tasks.length, 'task')} of both runs, infrastructure errors left out: ${gained.length} better, ${lost.length} worse, ` +
    `${String(tasks.length - gained.length - lost.length)} the same; average reward ${formatShare(mean('before'))} → ` +
    `${formatShare(mean('after'))}${only === 0 ? '' : `; ${formatAmount(only, 'task')} of one run only left out`}.`
  );
}
