/** The figures of a run. Each is named after what it estimates. Pure. */

import { wilsonInterval, type Interval } from '../../stats/index.ts';
import {
  countBy,
  userFaultBreakdown,
  faultBreakdown,
  isSuspectRow,
  meansByRole,
  sumCounts,
  summarizeCosts,
  summarizeArchived,
  type CostSummary,
  type UserFaultBreakdown,
  type FaultBreakdown,
  type RoleMeans,
  type ArchivedCosts,
} from './breakdowns.ts';
import {
  averageReward,
  countPerTask,
  TAU_BENCH,
  leavesErrorsOut,
  isSuccess,
  computePassHats,
  passHatKOwnTrials,
  passHatKWithout,
  spread,
  spreadOfAll,
  spreadOfKnown,
  successWithinTurns,
  type PassHat,
  type Spread,
  type TrialReward,
  type TurnSuccess,
} from './pass-hat-k.ts';
import type { EpisodeRow, RowOutcome, RunManifest } from '../../run-log/index.ts';
import { countEpisodes } from '../../benchmarks/index.ts';
import { measureUncertainty, type Uncertainty } from './uncertainty.ts';
import { episodeName, type UnfinishedWork } from '../../evaluation/index.ts';

/** Scores over a part of the run's episodes. */
export interface RewardReading {
  readonly episodes: number;
  readonly successes: number;
  /** Mean reward, in [0, 1] for tau-bench; null without an episode. */
  readonly averageReward: number | null;
  /**
   * Wilson's 95 % interval of `successes / episodes`, with every episode as an independent draw; null without an
   * episode.
   */
  readonly interval: Interval | null;
  readonly passHatK: readonly PassHat[];
}

export interface Metrics {
  readonly tasks: number;
  readonly trials: number;
  /** Number of ended episodes, without canceled ones. */
  readonly episodes: number;
  /** Number of episodes in which the agent only decided; they have no score. */
  readonly decided: number;
  readonly cancelled: number;
  /**
   * The benchmark whose metrics apply. All metrics but tau-bench's leave out infrastructure errors and missing trials.
   */
  readonly countedAs: string;
  /**
   * Scores of tau-bench and its leaderboard: every error is a failure, and for pass^k also every missing trial. With
   * another benchmark's metrics they equal `infrastructureErrorsLeftOut`.
   */
  readonly errorsAsFailures: RewardReading;
  /** Scores without infrastructure errors and missing trials; model errors are failures. */
  readonly infrastructureErrorsLeftOut: RewardReading;
  /** Scores without episodes of suspect users; errors are failures. */
  readonly withoutSuspects: RewardReading;
  /** Uncertainty of {@link errorsAsFailures}. */
  readonly uncertainty: Uncertainty;
  /** Scored trials per task. */
  readonly trialsPerTask: Spread | null;
  readonly faults: FaultBreakdown;
  readonly userFaults: UserFaultBreakdown;
  /** Success within k turns, over all scored episodes. */
  readonly successWithinTurns: readonly TurnSuccess[];
  /** Mean of the success within 1, 2, 3 and 4 turns, which some reports call pass^k; null without an episode. */
  readonly turnScore: number | null;
  /** Environment steps of the successful episodes; null without one, or if an episode's steps are unknown. */
  readonly stepsToSuccess: Spread | null;
  /** User turns of the successful episodes; null without one, or if an episode's turns are unknown. */
  readonly successTurn: Spread | null;
  /** Spread of the steps over the episodes with a known number; the same holds for `turns` and `durationMs`. */
  readonly steps: Spread | null;
  readonly turns: Spread | null;
  readonly durationMs: Spread | null;
  /** Mean of the existing figures from pass^1 to pass^4; errors are failures. */
  readonly overallScore: { readonly value: number; readonly ks: readonly number[] } | null;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** Number of episodes that failed only because of the spelling of a number (`131` instead of `131.0`). */
  readonly numberSpellingOnly: number;
  /** Number of episodes that ran out of steps with the right data and outputs. */
  readonly wouldHavePassed: number;
  /** Means over all paid episodes, canceled ones included. */
  readonly callsByRole: readonly RoleMeans[];
  /** The strategy's counters, summed over all paid episodes. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * Models that the providers reported, with fingerprints, sorted. Several names for one model mean that it changed.
   */
  readonly servedModels: readonly string[];
  readonly costs: CostSummary;
  /** Episodes that were repeated because of a suspect user; absent: none. */
  readonly repeated?: RepeatedEpisodes;
  /** Costs of archived records, not in {@link costs}. */
  readonly superseded: ArchivedCosts;
}

export interface RepeatedEpisodes {
  readonly episodes: number;
  /** Number of attempts after the first ones. */
  readonly attempts: number;
  /** Number of episodes whose user is still suspect. */
  readonly stillSuspect: number;
  /** Scores with the first attempt of each repeated episode instead of its last; errors are failures. */
  readonly firstAttempts: RewardReading;
}

/** @param archived rerun episodes' earlier records, which give costs and the first attempts of repeated episodes */
export function computeMetrics(rows: readonly EpisodeRow[], archived: readonly EpisodeRow[] = []): Metrics {
  const counted = rows.filter((row) => row.outcome !== 'cancelled');
  const scored = scoredRows(rows);
  const errorsAsFailures = { ...read(scored), passHatK: computePassHats(scored) };
  const blameless = rows.filter(isBlameless);
  const solved = scored.filter((row) => isSuccess(row.reward));
  const withinTurns = successWithinTurns(scored);
  const unsuspected = scored.filter((row) => !isSuspectRow(row));
  return {
    tasks: new Set(counted.map((row) => row.taskId)).size,
    trials: new Set(counted.map((row) => row.trial)).size,
    episodes: counted.length,
    decided: counted.filter((row) => row.outcome === 'decision_only').length,
    cancelled: rows.length - counted.length,
    countedAs: rows[0]?.countedAs ?? TAU_BENCH,
    errorsAsFailures,
    infrastructureErrorsLeftOut: leavesErrorsOut(rows[0])
      ? errorsAsFailures
      : { ...read(blameless), passHatK: passHatKOwnTrials(blameless) },
    withoutSuspects: { ...read(unsuspected), passHatK: passHatKWithout(scored, isSuspectRow) },
    uncertainty: measureUncertainty(scored),
    trialsPerTask: trialsPerTask(scored),
    faults: faultBreakdown(scored),
    userFaults: userFaultBreakdown(scored),
    successWithinTurns: withinTurns,
    turnScore: turnScore(withinTurns),
    stepsToSuccess: spreadOfAll(solved.map((row) => row.steps)),
    successTurn: spreadOfAll(solved.map((row) => row.turns)),
    steps: spreadOfKnown(counted.map((row) => row.steps)),
    turns: spreadOfKnown(counted.map((row) => row.turns)),
    durationMs: spreadOfKnown(counted.map((row) => row.durationMs)),
    overallScore: overallScore(errorsAsFailures.passHatK),
    outcomes: countBy(rows.map(({ outcome }) => outcome)),
    numberSpellingOnly: counted.filter((row) => row.numberSpellingOnly && !isSuccess(row.reward)).length,
    wouldHavePassed: counted.filter((row) => row.wouldHavePassed).length,
    callsByRole: meansByRole(rows),
    counts: sumCounts(rows),
    servedModels: [...new Set(rows.flatMap(({ servedModels = [] }) => servedModels))].sort(),
    costs: summarizeCosts(rows),
    superseded: summarizeArchived(archived),
    repeated: summarizeRepeated(scored, archived),
  };
}

function summarizeRepeated(
  scored: readonly EpisodeRow[],
  archived: readonly EpisodeRow[],
): RepeatedEpisodes | undefined {
  const repeated = scored.filter(({ repeat = 0 }) => repeat > 0);
  if (repeated.length === 0) return undefined;
  // The last of several records counts, because a rerun begins anew.
  const first = new Map(archived.filter(({ repeat = 0 }) => repeat === 0).map((row) => [episodeName(row), row]));
  const rows = scored.map((row) => ((row.repeat ?? 0) > 0 ? (first.get(episodeName(row)) ?? row) : row));
  return {
    episodes: repeated.length,
    attempts: repeated.reduce((sum, { repeat = 0 }) => sum + repeat, 0),
    stillSuspect: repeated.filter(isSuspectRow).length,
    firstAttempts: { ...read(rows), passHatK: computePassHats(rows) },
  };
}

export function trialsPerTask(rows: readonly TrialReward[]): Spread | null {
  return spread([...countPerTask(rows).values()].map((count) => count.trials));
}

/** True if missing trials change the score. */
export function isRagged({ countedAs, trialsPerTask, trials }: Trials): boolean {
  return !leavesErrorsOut({ countedAs }) && trialsPerTask !== null && trialsPerTask.min < trials;
}

type Trials = Pick<Metrics, 'trialsPerTask' | 'trials'> & Partial<Pick<Metrics, 'countedAs'>>;

/**
 * Describes the episodes that are failures in the run's score, but left out of
 * {@link Metrics.infrastructureErrorsLeftOut}.
 */
export function leftOutWords({ countedAs, trialsPerTask, trials, ...metrics }: Metrics): string {
  const { errorsAsFailures: all, infrastructureErrorsLeftOut: blameless } = metrics;
  const parts = [
    isRagged({ countedAs, trialsPerTask, trials }) && 'missing trials',
    blameless.episodes !== all.episodes && 'infrastructure errors',
  ];
  return `${parts.filter(Boolean).join(' and ')} left out`;
}

type CountedRow = Pick<EpisodeRow, 'outcome' | 'countedAs'>;

/** True if the benchmark's metrics include the episode. */
export function isScored(row: CountedRow): boolean {
  const { outcome } = row;
  if (leavesErrorsOut(row) && outcome === 'infrastructure_error') return false;
  return outcome !== 'cancelled' && outcome !== 'decision_only';
}

/** Returns the scored episodes; none if infrastructure ended all, because such a run shows nothing about its agent. */
export function scoredRows<Row extends CountedRow>(rows: readonly Row[]): Row[] {
  return rows.some(isBlameless) ? rows.filter(isScored) : [];
}

/** True if the episode is included when infrastructure errors are left out. */
export function isBlameless(row: CountedRow): boolean {
  return isScored(row) && row.outcome !== 'infrastructure_error' && row.outcome !== 'error';
}

/** Returns the mean of the existing figures from pass^1 to pass^4; null if there are none. */
export function overallScore(passHats: readonly PassHat[]): Metrics['overallScore'] {
  const used = passHats.filter((passHat) => passHat.k <= 4);
  if (used.length === 0) return null;
  const value = used.reduce((sum, passHat) => sum + passHat.value, 0) / used.length;
  return { value, ks: used.map((passHat) => passHat.k) };
}

/** Returns the mean over k = 1 to 4 turns, as {@link overallScore} does over trials. */
function turnScore(turns: readonly TurnSuccess[]): number | null {
  const used = turns.filter(({ k }) => k >= 1 && k <= 4);
  return used.length === 0 ? null : used.reduce((sum, { within }) => sum + within, 0) / used.length;
}

function read(rows: readonly EpisodeRow[]): Omit<RewardReading, 'passHatK'> {
  const successes = rows.filter((row) => isSuccess(row.reward)).length;
  return {
    episodes: rows.length,
    successes,
    averageReward: averageReward(rows),
    interval: rows.length === 0 ? null : wilsonInterval(successes, rows.length),
  };
}

/** @param planned number of planned episodes; null: unknown */
export function unfinishedWork(rows: readonly EpisodeRow[], planned: number | null): UnfinishedWork {
  const count = (outcome: EpisodeRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    infrastructureErrors: count('infrastructure_error'),
    cancelled: count('cancelled'),
    missing: planned === null ? 0 : Math.max(0, planned - rows.length),
  };
}

/** Returns the number of planned episodes; null for a results file without a run log. */
export function plannedEpisodes(manifest: Pick<RunManifest, 'plan'> | null): number | null {
  return manifest === null ? null : countEpisodes(manifest.plan);
}

export function isUnfinished({ infrastructureErrors, cancelled, missing }: UnfinishedWork): boolean {
  return infrastructureErrors + cancelled + missing > 0;
}

/** Describes unfinished work: `3 infrastructure errors, 5 not run`; empty if there is none. */
export function unfinishedWords({ infrastructureErrors, cancelled, missing }: UnfinishedWork): string {
  const errors = infrastructureErrors === 1 ? 'infrastructure error' : 'infrastructure errors';
  const parts = [
    infrastructureErrors > 0 && `${String(infrastructureErrors)} ${errors}`,
    cancelled > 0 && `${String(cancelled)} cancelled`,
    missing > 0 && `${String(missing)} not run`,
  ];
  return parts.filter(Boolean).join(', ');
}
