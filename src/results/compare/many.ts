/**
 * Compares more than two runs: each pair as two runs are compared, the p-values corrected for their number (Holm), so
 * that of all pairs of equal agents one is called different in at most 5 of 100 comparisons. Pure.
 */

import { bootstrapInterval, holm, wilson, type Interval } from '../../stats/index.ts';
import {
  averageReward,
  isBlameless,
  pairTasks,
  passHatKOwnTrials,
  summarizeCosts,
  type PassHat,
} from '../metrics/index.ts';
import type { CompareOptions } from './compare.ts';
import { decide, type Decision } from './decision.ts';
import { differenceOf, type Difference } from './difference.ts';
import { indistinguishable } from './groups.ts';
import { sideOf, type ComparedRun, type RunSide } from './run.ts';
import { otherTasks } from './same-tasks.ts';
import { settingDifferences, type SettingDifference } from './settings.ts';
import { warningsOf } from './warnings.ts';

/** A run among several; figures are over the tasks that all runs have, infrastructure errors left out. */
export interface RankedRun extends RunSide {
  /** Place in the order in which the runs were given, from 0. */
  readonly place: number;
  /** Mean over these tasks of the mean over a task's trials; null without any. */
  readonly score: number | null;
  /** Bootstrap over tasks; null for fewer than two. */
  readonly interval: Interval | null;
  readonly passHatK: readonly PassHat[];
  /** USD; null when a price is unknown. */
  readonly perEpisodeUsd: number | null;
  readonly perSuccessUsd: number | null;
  /** Letters of the groups it is in: runs without a common letter are told apart. */
  readonly letters: string;
}

/** Two of the runs, over the tasks that these two have. */
export interface PairDecision {
  readonly before: string;
  readonly after: string;
  readonly difference: Difference;
  /** The permutation test's p, Holm's correction for all pairs applied; null without a task in common. */
  readonly adjustedP: number | null;
  /** By the adjusted p; `worse` means that `after` is. */
  readonly decision: Decision;
}

export interface ManyComparison {
  /** The best score first. */
  readonly runs: readonly RankedRun[];
  /** Each run with each that was given after it, in the order given. */
  readonly pairs: readonly PairDecision[];
  /** Ids of runs that cannot be told apart, the best score first; a run may be in several groups. */
  readonly groups: readonly (readonly string[])[];
  /** Tasks that all runs have. */
  readonly tasks: number;
  /** Why the runs cannot be compared; null when they can. */
  readonly incomparable: string | null;
  readonly warnings: readonly string[];
  /** Values in the order in which the runs were given. */
  readonly settings: readonly SettingDifference[];
}

/** @param runs in the order given; their ids differ */
export function compareMany(runs: readonly ComparedRun[], options: CompareOptions = {}): ManyComparison {
  const reason = otherTasksOfAny(runs);
  const isRefused = reason !== null && options.allowDifferent !== true;
  const compared = isRefused ? runs.map((run) => ({ ...run, rows: [] })) : runs;
  const tasks = commonTasks(compared);
  const settings = settingDifferences(runs);
  const pairs = pairDecisions(compared, options);
  const ranked = runs
    .map((run, place) => rankedRun(run, place, tasks, options))
    .sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || a.place - b.place);
  const placeOf = new Map(ranked.map(({ runId }, rank) => [runId, rank]));
  const groups = indistinguishable(
    ranked.length,
    pairs
      .filter(({ decision }) => decision !== 'no_difference')
      .map(({ before, after }) => [placeOf.get(before) ?? 0, placeOf.get(after) ?? 0]),
  );
  return {
    runs: ranked.map((run, rank) => ({ ...run, letters: lettersOf(rank, groups) })),
    pairs,
    groups: groups.map((group) => group.map((rank) => ranked[rank]?.runId ?? '')),
    tasks: tasks.size,
    incomparable: isRefused ? reason : null,
    warnings: isRefused ? [] : warningsOf({ runs, otherTasks: reason, settings, tasks: tasks.size }),
    settings,
  };
}

function otherTasksOfAny(runs: readonly ComparedRun[]): string | null {
  for (const [index, run] of runs.entries()) {
    for (const other of runs.slice(index + 1)) {
      const reason = otherTasks(run, other);
      if (reason !== null) return `${reason} (${run.runId}, ${other.runId})`;
    }
  }
  return null;
}

function pairDecisions(runs: readonly ComparedRun[], options: CompareOptions): PairDecision[] {
  const pairs = runs.flatMap((before, index) =>
    runs.slice(index + 1).map((after) => ({
      before: before.runId,
      after: after.runId,
      difference: differenceOf(pairTasks(before.rows, after.rows, isBlameless).pairs, options),
    })),
  );
  // A pair without a common task was not tested, so there is nothing to correct for.
  const tested = pairs.filter(({ difference }) => difference.permutation !== null);
  const adjusted = holm(tested.map(({ difference }) => difference.permutation?.p ?? 1));
  return pairs.map((pair) => {
    const adjustedP = adjusted[tested.indexOf(pair)] ?? null;
    return { ...pair, adjustedP, decision: decide(pair.difference.delta, adjustedP) };
  });
}

function commonTasks(runs: readonly ComparedRun[]): ReadonlySet<number> {
  const [first, ...others] = runs.map(({ rows }) => new Set(rows.filter(isBlameless).map(({ taskId }) => taskId)));
  return new Set([...(first ?? [])].filter((taskId) => others.every((tasks) => tasks.has(taskId))));
}

function rankedRun(
  run: ComparedRun,
  place: number,
  tasks: ReadonlySet<number>,
  options: CompareOptions,
): Omit<RankedRun, 'letters'> {
  const rows = run.rows.filter((row) => isBlameless(row) && tasks.has(row.taskId));
  const means = [...tasks]
    .sort((a, b) => a - b)
    .map((taskId) => averageReward(rows.filter((row) => row.taskId === taskId)) ?? 0);
  const { perEpisodeUsd, perSuccessUsd } = summarizeCosts(rows);
  return {
    ...sideOf(run),
    place,
    score: means.length === 0 ? null : means.reduce((sum, value) => sum + value, 0) / means.length,
    interval: intervalOf(means, options),
    passHatK: passHatKOwnTrials(rows),
    perEpisodeUsd,
    perSuccessUsd,
  };
}

/** Where every task came to the same, Wilson's with each task as one draw: a bootstrap's would have no width. */
function intervalOf(means: readonly number[], options: CompareOptions): Interval | null {
  const [first] = means;
  if (first === undefined || means.some((value) => value !== first)) return bootstrapInterval(means, options);
  return means.length < 2 ? null : wilson(first * means.length, means.length, options.level);
}

/** `a`, `ab`; after 26 groups `aa` would be read as two letters, so that they are numbered. */
function lettersOf(rank: number, groups: readonly (readonly number[])[]): string {
  const places = groups.flatMap((group, place) => (group.includes(rank) ? [place] : []));
  if (groups.length > 26) return places.map((place) => String(place + 1)).join(' ');
  return places.map((place) => String.fromCharCode('a'.charCodeAt(0) + place)).join('');
}
