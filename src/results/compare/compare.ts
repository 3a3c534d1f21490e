/**
 * Compares two runs, task by task. The verdict is over what both have: episodes that infrastructure ended are left out
 * of it, because they say nothing about the agent; the reading that counts them as failures stands beside it. Pure.
 */

import type { BootstrapOptions } from '../../stats/index.ts';
import type { RegressionVerdict } from '../../wire/index.ts';
import { isBlameless, isScored, isUnfinished, pairTasks } from '../metrics/index.ts';
import type { RunStatus } from '../log/index.ts';
import { costDifference, type CostDifference } from './cost-difference.ts';
import { decide } from './decision.ts';
import { differenceOf, type Difference } from './difference.ts';
import { flipsOf, type TaskFlip } from './flips.ts';
import { settlingOf, type Settling } from './more-trials.ts';
import { sideOf, type ComparedRun, type RunSide } from './run.ts';
import { otherTasks } from './same-tasks.ts';
import { sentenceOf } from './sentence.ts';
import { settingDifferences, type SettingDifference } from './settings.ts';
import { trialTable, type TrialTable } from './trials.ts';
import { warningsOf } from './warnings.ts';

export interface Comparison {
  readonly verdict: RegressionVerdict;
  /** One sentence for a person. */
  readonly sentence: string;
  readonly run: RunSide;
  /** null when there is nothing to compare with. */
  readonly baseline: RunSide | null;
  /** Why the two cannot be compared; null when they can. */
  readonly incomparable: string | null;
  /** What a reader has to know first, one sentence each. */
  readonly warnings: readonly string[];
  /** What differs in their settings; the earlier run's value comes first. */
  readonly settings: readonly SettingDifference[];
  /** The verdict's. */
  readonly errorsLeftOut: Difference;
  readonly errorsAsFailures: Difference;
  /** Episodes of one task and trial, errors left out; null where there is none in both runs. It decides nothing. */
  readonly trials: TrialTable | null;
  /** null where a difference is shown, and where there is nothing to settle. */
  readonly settling: Settling | null;
  /** Over the tasks that both have, errors left out. */
  readonly costs: CostDifference;
  readonly worse: readonly TaskFlip[];
  readonly better: readonly TaskFlip[];
  /** Tasks without an episode in the other run. */
  readonly onlyBaseline: readonly number[];
  readonly onlyRun: readonly number[];
}

export interface CompareOptions extends BootstrapOptions {
  /** Compare by the tasks' numbers even where they are other tasks. @default false */
  readonly allowDifferent?: boolean;
}

/** @param baseline the earlier run; null when there is none */
export function compareRuns(baseline: ComparedRun | null, run: ComparedRun, options: CompareOptions = {}): Comparison {
  const reason = baseline === null ? null : otherTasks(baseline, run);
  const isRefused = reason !== null && options.allowDifferent !== true;
  const [before, after] = baseline === null || isRefused ? [NOTHING, NOTHING] : [baseline, run];
  const leftOut = pairTasks(before.rows, after.rows, isBlameless);
  const errorsLeftOut = differenceOf(leftOut.pairs, options);
  const decision = decide(errorsLeftOut.delta, errorsLeftOut.permutation?.p ?? null);
  const common = new Set(leftOut.pairs.map(({ taskId }) => taskId));
  const paired = ({ rows }: ComparedRun) => rows.filter((row) => isBlameless(row) && common.has(row.taskId));
  const settings = baseline === null ? [] : settingDifferences([baseline, run]);
  const facts = {
    run: sideOf(run),
    baseline: baseline === null ? null : sideOf(baseline),
    incomparable: isRefused ? reason : null,
    warnings:
      baseline === null || isRefused
        ? []
        : warningsOf({ runs: [baseline, run], otherTasks: reason, settings, tasks: common.size }),
    settings,
    errorsLeftOut,
    errorsAsFailures: differenceOf(
      pairTasks(before.rows, after.rows, isScored, { missingAsFailures: true }).pairs,
      options,
    ),
    trials: trialTable(paired(before), paired(after)),
    settling: decision === 'no_difference' ? settlingOf(leftOut.pairs) : null,
    costs: costDifference(paired(before), paired(after), decision, options),
    ...flipsOf(leftOut.pairs, before, after, isBlameless),
    onlyBaseline: leftOut.onlyBefore,
    onlyRun: leftOut.onlyAfter,
  };
  const verdict = verdictOf(facts);
  return { verdict, sentence: sentenceOf(verdict, facts), ...facts };
}

const ENDED_EARLY: readonly (RunStatus | null)[] = ['failed', 'cancelled', 'incomplete'];

const NOTHING: ComparedRun = { runId: '', rows: [], manifest: null };

/**
 * A regression is one even of an unfinished run: what is missing does not explain it. Short of that, unfinished work
 * keeps a run from being called as good as the one before.
 */
function verdictOf(facts: Omit<Comparison, 'verdict' | 'sentence'>): RegressionVerdict {
  const { run, baseline, incomparable, errorsLeftOut } = facts;
  const { delta, permutation, tasks } = errorsLeftOut;
  const decision = decide(delta, permutation?.p ?? null);
  if (decision === 'worse') return 'regression';
  if (isUnfinished(run.unfinished) || ENDED_EARLY.includes(run.status)) return 'unfinished';
  if (baseline === null) return 'first';
  if (incomparable !== null || tasks === 0) return 'incomparable';
  return decision === 'better' ? 'improvement' : 'no_difference';
}
