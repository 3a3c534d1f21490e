/**
 * Compares two runs, task by task. The verdict is over what both have: episodes that infrastructure ended are left out
 * of it, because they say nothing about the agent; the reading that counts them as failures stands beside it. Pure.
 */

import type { UnfinishedWork, Verdict } from '../../wire/nightly.ts';
import { computeMetrics, isBlameless, isScored } from '../metrics.ts';
import type { EpisodeRow } from '../rows.ts';
import type { RunManifest, RunStatus } from '../run-manifest.schema.ts';
import { runDifferences } from '../run-manifest.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { differenceOf, type Difference } from './difference.ts';
import { flips, pairTasks, type TaskPair } from './pairs.ts';
import { sentenceOf } from './sentence.ts';
import { isUnfinished, unfinishedWork } from './unfinished.ts';

/** A run as it is on disk. */
export interface ComparedRun {
  readonly runId: string;
  readonly rows: readonly EpisodeRow[];
  /** null for a results file of which nothing else is known. */
  readonly manifest: RunManifest | null;
  /** How the run stands; null where that is not known. @default the manifest's */
  readonly status?: RunStatus | null;
  /** Episodes that it was to have; null where that is not known. @default the manifest's */
  readonly planned?: number | null;
}

/** One of the two runs, as a comparison tells of it. */
export interface RunSide {
  readonly runId: string;
  readonly status: RunStatus | null;
  readonly episodes: number;
  /** Errors counted as failures, as `report` has it; null without any episode. */
  readonly averageReward: number | null;
  readonly passHat1: number | null;
  /** USD; null when a price is unknown. */
  readonly costUsd: number | null;
  readonly unfinished: UnfinishedWork;
}

export interface Comparison {
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly sentence: string;
  readonly run: RunSide;
  /** null when there is nothing to compare with. */
  readonly baseline: RunSide | null;
  /** Why the two cannot be compared; null when they can. */
  readonly incomparable: string | null;
  /** What differs in their configurations, as `seed: 10, now 11`. */
  readonly configuration: readonly string[];
  /** The verdict's. */
  readonly errorsLeftOut: Difference;
  readonly errorsAsFailures: Difference;
  readonly worse: readonly TaskPair[];
  readonly better: readonly TaskPair[];
  /** Tasks without an episode in the other run. */
  readonly onlyBaseline: readonly number[];
  readonly onlyRun: readonly number[];
}

/** @param baseline the earlier run; null when there is none */
export function compareRuns(
  baseline: ComparedRun | null,
  run: ComparedRun,
  options: BootstrapOptions = {},
): Comparison {
  const reason = baseline === null ? null : incomparable(baseline, run);
  const before = baseline === null || reason !== null ? [] : baseline.rows;
  const after = baseline === null || reason !== null ? [] : run.rows;
  const leftOut = pairTasks(before, after, isBlameless);
  const comparison = {
    run: sideOf(run),
    baseline: baseline === null ? null : sideOf(baseline),
    incomparable: reason,
    configuration: baseline?.manifest && run.manifest ? runDifferences(baseline.manifest, run.manifest) : [],
    errorsLeftOut: differenceOf(leftOut.pairs, options),
    errorsAsFailures: differenceOf(pairTasks(before, after, isScored).pairs, options),
    ...flips(leftOut.pairs),
    onlyBaseline: leftOut.onlyBefore,
    onlyRun: leftOut.onlyAfter,
  };
  const verdict = verdictOf(comparison);
  return { verdict, sentence: sentenceOf(verdict, comparison), ...comparison };
}

/**
 * A regression is one even of an unfinished run: what is missing does not explain it. Short of that, unfinished work
 * keeps a run from being called as good as the one before.
 */
function verdictOf(comparison: Omit<Comparison, 'verdict' | 'sentence'>): Verdict {
  const { run, baseline, incomparable: reason, errorsLeftOut } = comparison;
  const { interval, tasks } = errorsLeftOut;
  if (interval !== null && interval.high < 0) return 'regression';
  if (isUnfinished(run.unfinished) || run.status === 'failed' || run.status === 'cancelled') return 'unfinished';
  if (baseline === null) return 'first';
  if (reason !== null || tasks === 0) return 'incomparable';
  return interval !== null && interval.low > 0 ? 'improvement' : 'no_difference';
}

/** Tasks of one number are the same task only in the same pack and split. */
function incomparable({ manifest: before }: ComparedRun, { manifest: after }: ComparedRun): string | null {
  if (before === null || after === null) return null;
  const [a, b] = [before.config, after.config];
  if (a.env !== b.env) return `the env was ${a.env} and is ${b.env}`;
  if (a.pack.digest !== b.pack.digest) {
    const name = ({ pack }: typeof a) => `${pack.name} ${pack.digest.slice(0, 12)}`;
    return `the pack was ${name(a)} and is ${name(b)}`;
  }
  return a.split === b.split ? null : `the task split was ${a.split} and is ${b.split}`;
}

function sideOf(run: ComparedRun): RunSide {
  const { runId, rows, manifest } = run;
  const { errorsAsFailures, costs, episodes } = computeMetrics(rows);
  const { status = manifest?.status ?? null, planned = plannedOf(manifest) } = run;
  return {
    runId,
    status,
    episodes,
    averageReward: errorsAsFailures.averageReward,
    passHat1: errorsAsFailures.passHatK[0]?.value ?? null,
    costUsd: costs.totalUsd,
    unfinished: unfinishedWork(rows, planned),
  };
}

function plannedOf(manifest: RunManifest | null): number | null {
  return manifest === null ? null : manifest.plan.taskIds.length * manifest.plan.numTrials;
}
