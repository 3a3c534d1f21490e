/** The figures of a run, each under the name of what it estimates. Pure. */

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
  passHatK,
  passHatKOwnTrials,
  passHatKWithout,
  spread,
  spreadOfKnown,
  stepsToSuccess,
  successTurn,
  successWithinTurns,
  type PassHat,
  type Spread,
  type TrialReward,
  type TurnSuccess,
} from './pass-hat-k.ts';
import type { EpisodeRow, RowOutcome, RunManifest } from '../../run-log/index.ts';
import { uncertaintyOf, type Uncertainty } from './uncertainty.ts';
import type { UnfinishedWork } from '../../evaluation/index.ts';

/** A reading of the rewards: which episodes count, and what they come to. */
export interface RewardReading {
  readonly episodes: number;
  readonly successes: number;
  /** Mean, in [0, 1] for tau-bench's rewards; null when no episode counts. */
  readonly averageReward: number | null;
  /** Wilson's interval of `successes / episodes`, 95 %, every episode taken as a draw of its own; null without any. */
  readonly interval: Interval | null;
  readonly passHatK: readonly PassHat[];
}

export interface Metrics {
  readonly tasks: number;
  readonly trials: number;
  /** Episodes that have ended, cancelled ones left out. The readings below are over them. */
  readonly episodes: number;
  /** Episodes in which the agent was only to decide: they have no score, and no reading counts them. */
  readonly decided: number;
  readonly cancelled: number;
  /**
   * The benchmark whose metrics the score is. Metrics other than tau-bench's leave out episodes that infrastructure
   * ended, and trials that a task lacks.
   */
  readonly countedAs: string;
  /**
   * The count of tau-bench and its leaderboard: every error is a failure, and for pass^k so is a trial that a task lacks. The
   * average reward and its interval are over the episodes that there are. For other metrics it is the next reading.
   */
  readonly errorsAsFailures: RewardReading;
  /** Episodes that infrastructure ended are left out, and trials that a task lacks; what the model did wrong counts. */
  readonly infrastructureErrorsLeftOut: RewardReading;
  /** Episodes whose user is suspect are left out, and errors are failures. */
  readonly withoutSuspects: RewardReading;
  /** Uncertainty of {@link errorsAsFailures}. */
  readonly uncertainty: Uncertainty;
  /** Numbers of trials that count per task; they differ if some were not run. */
  readonly trialsPerTask: Spread | null;
  /** Reason why episodes failed. */
  readonly faults: FaultBreakdown;
  readonly userFaults: UserFaultBreakdown;
  /** The other reading of "pass within k": over all counted episodes. */
  readonly successWithinTurns: readonly TurnSuccess[];
  /** Mean of the shares within 1 … 4 turns: the overall score of those who read pass^k by turns. null without any. */
  readonly turnScore: number | null;
  /** Environment steps and user turns of the successful episodes; null as well where those of one are not known. */
  readonly stepsToSuccess: Spread | null;
  readonly successTurn: Spread | null;
  /** These three are of the episodes of which they are known. */
  readonly steps: Spread | null;
  readonly turns: Spread | null;
  readonly durationMs: Spread | null;
  /** Mean of pass^1 … pass^4, errors as failures; of those that exist. */
  readonly overallScore: { readonly value: number; readonly ks: readonly number[] } | null;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** Failures where only the spelling of a number (`131` against `131.0`) decided. */
  readonly numberSpellingOnly: number;
  /** Episodes out of steps whose data and outputs were right. */
  readonly wouldHavePassed: number;
  /** Means of every episode that was paid for, cancelled ones included; so are the sums that follow. */
  readonly callsByRole: readonly RoleMeans[];
  /** Counts of the strategy, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Models that the providers reported, with fingerprints, sorted: several mean that the model changed. */
  readonly servedModels: readonly string[];
  readonly costs: CostSummary;
  /** Costs of archived records, not in {@link costs}. */
  readonly superseded: ArchivedCosts;
}

/** @param archived records that were replaced: nothing but their costs counts */
export function computeMetrics(rows: readonly EpisodeRow[], archived: readonly EpisodeRow[] = []): Metrics {
  const counted = rows.filter((row) => row.outcome !== 'cancelled');
  const scored = scoredRows(rows);
  const errorsAsFailures = { ...read(scored), passHatK: passHatK(scored) };
  const blameless = rows.filter(isBlameless);
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
    uncertainty: uncertaintyOf(scored),
    trialsPerTask: trialsPerTask(scored),
    faults: faultBreakdown(scored),
    userFaults: userFaultBreakdown(scored),
    successWithinTurns: withinTurns,
    turnScore: turnScore(withinTurns),
    stepsToSuccess: stepsToSuccess(scored),
    successTurn: successTurn(scored),
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
  };
}

export function trialsPerTask(rows: readonly TrialReward[]): Spread | null {
  return spread([...countPerTask(rows).values()].map((count) => count.trials));
}

/** @returns true if some tasks have more trials than others, so that the readings differ */
export function isRagged({ countedAs, trialsPerTask, trials }: Trials): boolean {
  return !leavesErrorsOut({ countedAs }) && trialsPerTask !== null && trialsPerTask.min < trials;
}

type Trials = Pick<Metrics, 'trialsPerTask' | 'trials'> & Partial<Pick<Metrics, 'countedAs'>>;

/** Episodes left out by {@link Metrics.infrastructureErrorsLeftOut} that count as failures in the run's score. */
export function leftOutWords({ countedAs, trialsPerTask, trials, ...metrics }: Metrics): string {
  const { errorsAsFailures: all, infrastructureErrorsLeftOut: blameless } = metrics;
  const parts = [
    ...(isRagged({ countedAs, trialsPerTask, trials }) ? ['missing trials'] : []),
    ...(blameless.episodes !== all.episodes ? ['infrastructure errors'] : []),
  ];
  return `${parts.join(' and ')} left out`;
}

/** The parts of an episode that say whether it counts. */
type Counted = Pick<EpisodeRow, 'outcome' | 'countedAs'>;

/** True if an episode counts for the score: where every error is a failure, or by metrics that leave them out. */
export function isScored(row: Counted): boolean {
  const { outcome } = row;
  if (leavesErrorsOut(row) && outcome === 'infrastructure_error') return false;
  return outcome !== 'cancelled' && outcome !== 'decision_only';
}

/**
 * The episodes that have a score where every error is a failure. None where infrastructure ended them all: a run whose
 * every call was refused says nothing about its agent, so its figures are unknown and not 0.
 */
export function scoredRows<Row extends Counted>(rows: readonly Row[]): Row[] {
  return rows.some(isBlameless) ? rows.filter(isScored) : [];
}

/** True if it counts where errors of the infrastructure are left out. */
export function isBlameless(row: Counted): boolean {
  return isScored(row) && row.outcome !== 'infrastructure_error' && row.outcome !== 'error';
}

/** Mean of pass^1 … pass^4; null without any. */
export function overallScore(passHats: readonly PassHat[]): Metrics['overallScore'] {
  const used = passHats.filter((passHat) => passHat.k <= 4);
  if (used.length === 0) return null;
  const value = used.reduce((sum, passHat) => sum + passHat.value, 0) / used.length;
  return { value, ks: used.map((passHat) => passHat.k) };
}

/** Mean over k = 1 … 4, as {@link overallScore} is over trials. */
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

/** @param planned episodes that the run was to have; null where that is not known */
export function unfinishedWork(rows: readonly EpisodeRow[], planned: number | null): UnfinishedWork {
  const count = (outcome: EpisodeRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    infrastructureErrors: count('infrastructure_error'),
    cancelled: count('cancelled'),
    missing: planned === null ? 0 : Math.max(0, planned - rows.length),
  };
}

/** Episodes that the run was to have; null for a results file of which nothing else is known. */
export function plannedEpisodes(manifest: Pick<RunManifest, 'plan'> | null): number | null {
  return manifest === null ? null : manifest.plan.taskIds.length * manifest.plan.numTrials;
}

export function isUnfinished({ infrastructureErrors, cancelled, missing }: UnfinishedWork): boolean {
  return infrastructureErrors + cancelled + missing > 0;
}

/** `3 infrastructure errors, 5 not run`; empty when all was done. */
export function unfinishedWords({ infrastructureErrors, cancelled, missing }: UnfinishedWork): string {
  const errors = infrastructureErrors === 1 ? 'infrastructure error' : 'infrastructure errors';
  return [
    infrastructureErrors > 0 ? `${String(infrastructureErrors)} ${errors}` : '',
    cancelled > 0 ? `${String(cancelled)} cancelled` : '',
    missing > 0 ? `${String(missing)} not run` : '',
  ]
    .filter((words) => words !== '')
    .join(', ');
}
