/**
 * Compares each pair of more than two runs, with Holm's correction of the p-values: among equal agents at most 5 of 100
 * comparisons call any pair different. Pure.
 */

import { boundedMeanInterval, holm, type Interval } from '../../stats/index.ts';
import {
  averageReward,
  decideDifference,
  isBlameless,
  measureDifference,
  pairTasks,
  passHatKOwnTrials,
  summarizeCosts,
  unfinishedWords,
  type Decision,
  type Difference,
  type PassHat,
} from '../metrics/index.ts';
import {
  NONE,
  formatAmount,
  formatConfidence,
  formatP,
  formatPValue,
  formatShare,
  formatSigned,
  formatUsd,
  heading,
  notes,
  paragraph,
  section,
  table,
  type Block,
  type Column,
  type Document,
} from '../document/index.ts';
import type { CompareOptions } from './compare.ts';
import {
  explainOtherTasks,
  findSettingDifferences,
  toRunSide,
  findWarnings,
  type ComparedRun,
  type RunSide,
  type SettingDifference,
} from './runs.ts';
import {
  agentsStudySection,
  studyAgents,
  studySimulators,
  type AgentsStudy,
  type SimulatorStudy,
  type StudiedAgent,
} from './simulator-study.ts';
import { WARNING, settingSections } from './document.ts';
import { METHOD, snakeKeys } from '../../run-log/index.ts';

/** A compared run. Its figures are over the common tasks, without infrastructure errors. */
interface RankedRun extends RunSide {
  /** Position of the run in the given order, from 0. */
  readonly place: number;
  /** Mean over the tasks of each task's mean reward; null without a task. */
  readonly score: number | null;
  /** Bootstrap interval over tasks; null for fewer than two. */
  readonly interval: Interval | null;
  readonly passHatK: readonly PassHat[];
  /** Mean cost per episode in USD; null if a price is unknown. */
  readonly perEpisodeUsd: number | null;
  readonly perSuccessUsd: number | null;
  /**
   * Range of places that the run may truly have. The best one follows the runs shown to be better, the worst one
   * precedes only the runs shown to be worse.
   */
  readonly rank: { readonly best: number; readonly worst: number };
  /** Letters of the run's groups. Runs without a common letter are shown to differ. */
  readonly letters: string;
}

/** Comparison of two of the runs over their common tasks. */
interface PairDecision {
  readonly before: string;
  readonly after: string;
  readonly difference: Difference;
  /** The permutation test's p with Holm's correction; null without a common task. */
  readonly adjustedP: number | null;
  /** Decision by the adjusted p; `worse` means that `after` is worse. */
  readonly decision: Decision;
}

export interface ManyComparison {
  /** The runs, the best score first. */
  readonly runs: readonly RankedRun[];
  /** All pairs of runs, in the given order. */
  readonly pairs: readonly PairDecision[];
  /** Groups of runs without a shown difference, which may overlap; the best score first. */
  readonly groups: readonly (readonly string[])[];
  /** Number of common tasks. */
  readonly tasks: number;
  /** Reason why the runs cannot be compared; null if they can. */
  readonly incomparable: string | null;
  readonly warnings: readonly string[];
  /** Settings that differ, with values in the given order of the runs. */
  readonly settings: readonly SettingDifference[];
  /** Study of simulators; null unless two of the runs differ only in the model of the user or of the judge. */
  readonly study: AgentsStudy | null;
}

/** @param runs runs with different ids */
export function compareMany(runs: readonly ComparedRun[], options: CompareOptions = {}): ManyComparison {
  const reason = explainAnyOtherTasks(runs);
  const isRefused = reason !== null && options.allowDifferent !== true;
  const compared = isRefused ? runs.map((run) => ({ ...run, rows: [] })) : runs;
  const tasks = commonTasks(compared);
  const settings = findSettingDifferences(runs);
  const measured = measurePairs(compared, options);
  const pairs = decidePairs(measured);
  const ranked = runs
    .map((run, place) => toRankedRun(run, place, tasks))
    .sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || a.place - b.place);
  const places = new Map(ranked.map(({ runId }, rank) => [runId, rank]));
  const groups = groupIndistinguishable(
    ranked.length,
    pairs
      .filter(({ decision }) => decision !== 'no_difference')
      .map(({ before, after }) => [places.get(before) ?? 0, places.get(after) ?? 0]),
  );
  return {
    runs: ranked.map((run, place) => ({
      ...run,
      rank: findRank(run.runId, pairs, ranked.length),
      letters: formatLetters(place, groups),
    })),
    pairs,
    groups: groups.map((group) => group.map((rank) => ranked[rank]?.runId ?? '')),
    tasks: tasks.size,
    incomparable: isRefused ? reason : null,
    warnings: isRefused
      ? []
      : [...findWarnings({ runs, otherTasks: reason, settings, tasks: tasks.size, isStudy: false })],
    settings,
    study: studyAgents(measured.flatMap(({ study, ...pair }) => (study === null ? [] : [{ ...pair, study }]))),
  };
}

function explainAnyOtherTasks(runs: readonly ComparedRun[]): string | null {
  for (const [index, run] of runs.entries()) {
    for (const other of runs.slice(index + 1)) {
      const reason = explainOtherTasks(run, other);
      if (reason !== null) return `${reason} (${run.runId}, ${other.runId})`;
    }
  }
  return null;
}

interface MeasuredPair extends Omit<StudiedAgent, 'study'> {
  readonly study: SimulatorStudy | null;
}

function measurePairs(runs: readonly ComparedRun[], options: CompareOptions): MeasuredPair[] {
  return runs.flatMap((before, index) =>
    runs.slice(index + 1).map((after) => {
      const { pairs } = pairTasks(before.rows, after.rows, isBlameless);
      const difference = measureDifference(pairs, options);
      const study = studySimulators(findSettingDifferences([before, after]), pairs);
      return { before: before.runId, after: after.runId, difference, study, pairs };
    }),
  );
}

function decidePairs(pairs: readonly MeasuredPair[]): PairDecision[] {
  // The correction counts only tested pairs; a pair without a common task is not tested.
  const tested = pairs.filter(({ difference }) => difference.permutation !== null);
  const adjusted = holm(tested.map(({ difference }) => difference.permutation?.p ?? 1));
  return pairs.map((pair) => {
    const { before, after, difference } = pair;
    const adjustedP = adjusted[tested.indexOf(pair)] ?? null;
    return { before, after, difference, adjustedP, decision: decideDifference(difference.delta, adjustedP) };
  });
}

function commonTasks(runs: readonly ComparedRun[]): ReadonlySet<number> {
  const [first, ...others] = runs.map(({ rows }) => new Set(rows.filter(isBlameless).map(({ taskId }) => taskId)));
  return new Set([...(first ?? [])].filter((taskId) => others.every((tasks) => tasks.has(taskId))));
}

function toRankedRun(run: ComparedRun, place: number, tasks: ReadonlySet<number>): Omit<RankedRun, 'letters' | 'rank'> {
  const rows = run.rows.filter((row) => isBlameless(row) && tasks.has(row.taskId));
  const means = [...tasks]
    .sort((a, b) => a - b)
    .map((taskId) => averageReward(rows.filter((row) => row.taskId === taskId)) ?? 0);
  const { perEpisodeUsd, perSuccessUsd } = summarizeCosts(rows);
  return {
    ...toRunSide(run),
    place,
    score: means.length === 0 ? null : means.reduce((sum, value) => sum + value, 0) / means.length,
    interval: boundedMeanInterval(means),
    passHatK: passHatKOwnTrials(rows),
    perEpisodeUsd,
    perSuccessUsd,
  };
}

/**
 * Finds the range of places that a run may have. With Holm's correction, all ranges are right in 95 of 100 comparisons.
 */
function findRank(runId: string, pairs: readonly PairDecision[], runs: number): RankedRun['rank'] {
  const isBeside = (better: string, worse: string) =>
    pairs.some(
      ({ before, after, decision }) =>
        (decision === 'better' && after === better && before === worse) ||
        (decision === 'worse' && before === better && after === worse),
    );
  const ids = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  const better = [...ids].filter((id) => isBeside(id, runId)).length;
  const worse = [...ids].filter((id) => isBeside(runId, id)).length;
  return { best: 1 + better, worst: runs - worse };
}

/** Describes the smallest differences that the pairs show with 80 % power; null if no pair shows any. */
function describeNoise(pairs: readonly PairDecision[]): string[] {
  const floors = pairs.flatMap(({ difference }) => difference.mde ?? []);
  if (floors.length === 0) return [];
  const [least, most] = [Math.min(...floors), Math.max(...floors)].map(formatShare);
  const range = least === most ? `${String(least)}` : `${String(least)} to ${String(most)}, by pair`;
  return [
    `Noise floor: these tasks and trials show a true difference from ${range}, in 80 of 100 comparisons, before the correction.`,
  ];
}

/** Formats a group's letters: `a`, `ab`; numbers for more than 26 groups. */
function formatLetters(rank: number, groups: readonly (readonly number[])[]): string {
  const places = groups.flatMap((group, place) => (group.includes(rank) ? [place] : []));
  if (groups.length > 26) return places.map((place) => String(place + 1)).join(' ');
  return places.map((place) => String.fromCharCode('a'.charCodeAt(0) + place)).join('');
}

/**
 * Finds the largest groups of runs without a shown difference, which may overlap. Piepho's insert-and-absorb algorithm
 * (An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, JCGS 13, 2004) begins with one group,
 * splits the groups that have both runs of a different pair, and drops groups within others.
 *
 * @param count number of runs, which are numbered from 0
 * @returns groups by their first run, runs ascending; each run is in at least one
 */
export function groupIndistinguishable(count: number, different: readonly (readonly [number, number])[]): number[][] {
  let groups: number[][] = [Array.from({ length: count }, (_, index) => index)];
  for (const [a, b] of different) {
    const split = groups.flatMap((group) =>
      group.includes(a) && group.includes(b)
        ? [group.filter((member) => member !== a), group.filter((member) => member !== b)]
        : [group],
    );
    groups = split.filter(
      (group, place) => !split.some((other, at) => at !== place && absorbs(other, at, group, place)),
    );
  }
  return groups.filter((group) => group.length > 0).sort(byMembers);
}

/** True if a group is within another one, or equal to an earlier one. */
function absorbs(other: readonly number[], at: number, group: readonly number[], place: number): boolean {
  if (!group.every((member) => other.includes(member))) return false;
  return other.length > group.length || at < place;
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((member, place) => member !== b[place]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

export function manyToJson(comparison: ManyComparison): object {
  const method = `${METHOD}; p-values of all pairs corrected by Holm’s method`;
  return snakeKeys({ formatVersion: 1, method, ...comparison, study: comparison.study ?? undefined }) as object;
}

export function manyDocument(comparison: ManyComparison): Document {
  const [first = '', ...others] = summarizeMany(comparison);
  const given = [...comparison.runs].sort((a, b) => a.place - b.place).map(({ runId }) => runId);
  return [
    heading(first),
    notes(comparison.warnings, WARNING),
    runTable(comparison),
    agentsStudySection(comparison.study),
    section('Pairs', table(PAIR_COLUMNS, comparison.incomparable === null ? pairRows(comparison) : [])),
    paragraph(...others, ...(comparison.incomparable === null ? describeNoise(comparison.pairs) : [])),
    ...settingSections(comparison.settings, (setting) => describeSetting(setting, given)),
  ];
}

/** Describes the result in sentences; the first is a summary. */
export function summarizeMany({ runs, pairs, groups, tasks, incomparable }: ManyComparison): string[] {
  if (incomparable !== null) return [`The runs cannot be compared: ${incomparable}.`];
  const shown = pairs.filter(({ decision }) => decision !== 'no_difference');
  const over = `${formatAmount(runs.length, 'run')} over ${formatAmount(tasks, 'task')} in common`;
  if (shown.length === 0) return [`${over}: no two runs differ.`];
  return [
    `${over}: ${String(shown.length)} of ${formatAmount(pairs.length, 'pair')} differ.`,
    ...shown.map(describePair),
    ...groups.filter((group) => group.length > 1).map((group) => `No difference shown among: ${group.join(', ')}.`),
  ];
}

function describePair({ before, after, difference, adjustedP, decision }: PairDecision): string {
  const { delta, interval } = difference;
  const p = adjustedP === null ? '' : `, corrected ${formatPValue(adjustedP)}`;
  return `${after} is ${decision} than ${before}: ${formatSigned(delta)} (${formatConfidence(interval)}${p}).`;
}

function runTable({ runs }: ManyComparison): Block {
  const last = Math.max(0, ...runs.map(({ passHatK }) => passHatK.length));
  // The score equals pass^1.
  const ks = [2, 3, 4].filter((k) => k <= last);
  const numbers = ['Episodes', 'Score', '95 % CI', 'Group', 'Rank', ...ks.map((k) => `pass^${String(k)}`)];
  const columns: Column[] = [
    { head: 'Run' },
    ...[...numbers, 'Cost/episode', 'Cost/success'].map((head): Column => ({ head, align: 'right' })),
    { head: 'Unfinished' },
  ];
  const rows = runs.map((run) => [
    run.runId,
    String(run.episodes),
    formatShare(run.score),
    run.interval === null ? NONE : `${formatShare(run.interval.low)} to ${formatShare(run.interval.high)}`,
    run.letters,
    run.rank.best === run.rank.worst ? String(run.rank.best) : `${String(run.rank.best)}–${String(run.rank.worst)}`,
    ...ks.map((k) => formatShare(run.passHatK.find((entry) => entry.k === k)?.value ?? null)),
    formatUsd(run.perEpisodeUsd),
    formatUsd(run.perSuccessUsd),
    unfinishedWords(run.unfinished) || NONE,
  ]);
  return table(columns, rows);
}

const PAIR_COLUMNS: readonly Column[] = [
  { head: 'Pair' },
  { head: 'Tasks', align: 'right' },
  { head: 'Difference', align: 'right' },
  { head: 'p', align: 'right' },
  { head: 'p, corrected', align: 'right' },
  { head: 'Decision' },
];

const DECISION_WORDS: Readonly<Record<Decision, string>> = {
  worse: 'worse',
  better: 'better',
  no_difference: 'no difference shown',
};

/** Formats the pairs, the clearest difference first. */
function pairRows({ pairs }: ManyComparison): string[][] {
  return [...pairs]
    .sort((a, b) => (a.difference.permutation?.p ?? 1) - (b.difference.permutation?.p ?? 1))
    .map(({ before, after, difference, adjustedP, decision }) => [
      `${before} → ${after}`,
      String(difference.tasks),
      `${formatSigned(difference.delta)} (${formatConfidence(difference.interval)})`,
      difference.permutation === null ? NONE : formatP(difference.permutation.p),
      adjustedP === null ? NONE : formatP(adjustedP),
      DECISION_WORDS[decision],
    ]);
}

/** Describes a setting: `user_model.model: gpt-4o (a, b); gpt-4o-mini (c)`. */
function describeSetting({ name, values }: SettingDifference, runIds: readonly string[]): string {
  const byValue = new Map<string, string[]>();
  values.forEach((value, place) => {
    byValue.set(value, [...(byValue.get(value) ?? []), runIds[place] ?? '']);
  });
  return `${name}: ${Array.from(byValue, ([value, ids]) => `${value} (${ids.join(', ')})`).join('; ')}`;
}
