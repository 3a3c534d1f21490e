/** Figures of a run under its conditions, and their paired differences to `base`. Pure. */

import { mean } from 'simple-statistics';
import { bootstrapInterval, holm, type BootstrapOptions, type Interval } from '../../stats/index.ts';
import type { EpisodeRow } from '../../run-log/index.ts';
import { groupByTask } from './breakdowns.ts';
import { decideDifference, measureDifference, type Decision, type Difference } from './difference.ts';
import { computeMetrics, isBlameless, type Metrics } from './metrics.ts';
import { pairTasks, type TaskPair } from './uncertainty.ts';

/** Difference of a mean per episode, over tasks; null if it is unknown for an episode. */
export interface MeanDifference {
  readonly delta: number | null;
  /** Paired bootstrap interval over tasks; null for fewer than two. */
  readonly interval: Interval | null;
}

export interface ConditionFigures {
  /** Name of the condition in its episodes' names: `tool-errors`. */
  readonly name: string;
  readonly rows: readonly EpisodeRow[];
  readonly metrics: Metrics;
  /** Difference over the tasks and trials that ended under both conditions, without infrastructure errors. */
  readonly difference: Difference;
  /** p of the difference, corrected for the number of the run's conditions; null if nothing was tested. */
  readonly p: number | null;
  readonly decision: Decision;
  /** Difference of the mean cost, in USD. */
  readonly cost: MeanDifference;
  readonly steps: MeanDifference;
  /** Tasks that were solved less often than under `base`, the largest drops first. */
  readonly worseTasks: readonly TaskPair[];
}

/** @param names names of conditions, in the order of the run's plan */
export function compareConditions(rows: readonly EpisodeRow[], names: readonly string[]): ConditionFigures[] {
  const base = selectCondition(rows, undefined);
  const compared = names.map((name) => compareWithBase(name, base, selectCondition(rows, name)));
  const tested = compared.flatMap(({ difference }) => difference.permutation?.p ?? []);
  const corrected = holm(tested);
  return compared.map((each) => {
    const p = each.difference.permutation === null ? null : (corrected.shift() ?? null);
    return { ...each, p, decision: decideDifference(each.difference.delta, p) };
  });
}

/** @param condition undefined: `base` */
export function selectCondition(rows: readonly EpisodeRow[], condition: string | undefined): EpisodeRow[] {
  return rows.filter((row) => row.condition === condition);
}

function compareWithBase(
  name: string,
  base: readonly EpisodeRow[],
  rows: readonly EpisodeRow[],
): Omit<ConditionFigures, 'p' | 'decision'> {
  const [before, after] = [keepCommon(base, rows), keepCommon(rows, base)];
  const { pairs } = pairTasks(before, after, isBlameless);
  const drop = (pair: TaskPair) => pair.before - pair.after;
  return {
    name,
    rows,
    metrics: computeMetrics(rows),
    difference: measureDifference(pairs),
    cost: measureMean(before, after, ({ costUsd }) => costUsd),
    steps: measureMean(before, after, ({ steps }) => steps),
    worseTasks: pairs.filter((pair) => drop(pair) > 0).sort((a, b) => drop(b) - drop(a)),
  };
}

/** Keeps episodes whose task and trial also ended under the other condition. */
function keepCommon(rows: readonly EpisodeRow[], others: readonly EpisodeRow[]): EpisodeRow[] {
  const toKey = ({ taskId, trial }: EpisodeRow) => `${String(taskId)}/${String(trial)}`;
  const ended = new Set(others.filter(isBlameless).map(toKey));
  return rows.filter((row) => isBlameless(row) && ended.has(toKey(row)));
}

/** Measures the mean difference of a figure over the common tasks; unknown if any episode lacks the figure. */
export function measureMean(
  before: readonly EpisodeRow[],
  after: readonly EpisodeRow[],
  figure: (row: EpisodeRow) => number | null,
  options: BootstrapOptions = {},
): MeanDifference {
  if ([...before, ...after].some((row) => figure(row) === null)) return { delta: null, interval: null };
  const later = groupByTask(after);
  const meanOf = (rows: readonly EpisodeRow[]) => mean(rows.map((row) => figure(row) ?? NaN));
  const tasks = [...groupByTask(before)].sort(([a], [b]) => a - b);
  const differences = tasks.flatMap(([taskId, rows]) => {
    const others = later.get(taskId);
    return others === undefined ? [] : [meanOf(others) - meanOf(rows)];
  });
  if (differences.length === 0) return { delta: null, interval: null };
  return { delta: mean(differences), interval: bootstrapInterval(differences, options) };
}
