/**
 * Compares two runs task by task. The regression verdict is over the common tasks without infrastructure errors; a
 * second reading treats these errors as failures. Pure.
 */

import type { BootstrapOptions } from '../../stats/index.ts';
import type { RegressionVerdict } from '../../evaluation/index.ts';
import {
  compareConditions,
  countTrials,
  decideDifference,
  explainDisagreement,
  findSettling,
  isBlameless,
  isScored,
  isUnfinished,
  measureDifference,
  pairTasks,
  unfinishedWords,
  type Difference,
  type Settling,
  type TrialTable,
} from '../metrics/index.ts';
import { evaluateGates, type Gate, type GateResult, type GatedEpisodes } from '../gates/index.ts';
import type { RunStatus } from '../../run-log/index.ts';
import { compareUnderConditions, type ConditionComparisons } from './conditions.ts';
import { compareCosts, type CostDifference, findFlips, type TaskFlip } from './evidence.ts';
import {
  explainOtherTasks,
  findSettingDifferences,
  toRunSide,
  findWarnings,
  type ComparedRun,
  type RunSide,
  type SettingDifference,
} from './runs.ts';
import { findSimulators, studySimulators, type SimulatorStudy } from './simulator-study.ts';
import { formatAmount, formatConfidence, formatPValue, formatShare, formatSigned } from '../document/index.ts';

export interface Comparison {
  readonly verdict: RegressionVerdict;
  readonly sentence: string;
  readonly run: RunSide;
  /** The baseline; null if there is none to compare with. */
  readonly baseline: RunSide | null;
  /** Reason why the two runs cannot be compared; null if they can. */
  readonly incomparable: string | null;
  /** Caveats on the comparison, one sentence each. */
  readonly warnings: readonly string[];
  readonly settings: readonly SettingDifference[];
  /** The reading that decides the verdict. */
  readonly errorsLeftOut: Difference;
  readonly errorsAsFailures: Difference;
  /** Pairs of episodes of the same task and trial, without errors; null if there are none. Only descriptive. */
  readonly trials: TrialTable | null;
  /** Plan of runs that would decide the difference; null if a difference is shown or negligible. */
  readonly settling: Settling | null;
  /** Difference of the costs over the tasks of both runs, without errors. */
  readonly costs: CostDifference;
  readonly worse: readonly TaskFlip[];
  readonly better: readonly TaskFlip[];
  /** Tasks that only the baseline has. */
  readonly onlyBaseline: readonly number[];
  readonly onlyRun: readonly number[];
  /** Study of simulators; null unless the runs differ only in the model of the user or of the judge. */
  readonly study: SimulatorStudy | null;
  readonly conditions: ConditionComparisons;
  /** Results of gates on the later run, and on the drop from the baseline. */
  readonly gates: readonly GateResult[];
}

export interface CompareOptions extends BootstrapOptions {
  /** Matches tasks by number even if they are different tasks. @default false */
  readonly allowDifferent?: boolean;
  /** Gates to evaluate. @default none */
  readonly gates?: readonly Gate[];
}

/** @param baseline the earlier run; null if there is none */
export function compareRuns(baseline: ComparedRun | null, run: ComparedRun, options: CompareOptions = {}): Comparison {
  const reason = baseline === null ? null : explainOtherTasks(baseline, run);
  const isRefused = reason !== null && options.allowDifferent !== true;
  const [before, after] = baseline === null || isRefused ? [NOTHING, NOTHING] : [baseline, run];
  const leftOut = pairTasks(before.rows, after.rows, isBlameless);
  const errorsLeftOut = measureDifference(leftOut.pairs, options);
  const decision = decideDifference(errorsLeftOut.delta, errorsLeftOut.permutation?.p ?? null);
  const common = new Set(leftOut.pairs.map(({ taskId }) => taskId));
  const paired = ({ rows }: ComparedRun) => rows.filter((row) => isBlameless(row) && common.has(row.taskId));
  const settings = baseline === null ? [] : findSettingDifferences([baseline, run]);
  const facts = {
    run: toRunSide(run),
    baseline: baseline && toRunSide(baseline),
    incomparable: isRefused ? reason : null,
    warnings:
      baseline === null || isRefused
        ? []
        : [
            ...findWarnings({
              runs: [baseline, run],
              otherTasks: reason,
              settings,
              tasks: common.size,
              isStudy: findSimulators(settings) !== null,
            }),
          ],
    settings,
    errorsLeftOut,
    errorsAsFailures: measureDifference(
      pairTasks(before.rows, after.rows, isScored, { missingAsFailures: true }).pairs,
      options,
    ),
    trials: countTrials(paired(before), paired(after)),
    settling: decision === 'no_difference' ? findSettling(leftOut.pairs) : null,
    costs: compareCosts(paired(before), paired(after), decision, options),
    ...findFlips(leftOut.pairs, before, after, isBlameless),
    onlyBaseline: leftOut.onlyBefore,
    onlyRun: leftOut.onlyAfter,
    study: studySimulators(settings, leftOut.pairs),
    conditions: compareUnderConditions(before, after, options),
    gates: evaluateGates(options.gates ?? [], (condition) =>
      condition === null ? { rows: run.rows, difference: errorsLeftOut } : findCondition(run, condition),
    ),
  };
  const verdict = decideVerdict(facts);
  return { verdict, sentence: describeComparison(verdict, facts), ...facts };
}

/** Returns a condition of a run other than `base`. */
function findCondition({ rows, conditionRows = [], manifest }: ComparedRun, name: string): GatedEpisodes | null {
  const { conditions = [] } = manifest?.plan ?? {};
  return compareConditions([...rows, ...conditionRows], conditions).find((each) => each.name === name) ?? null;
}

const ENDED_EARLY: readonly (RunStatus | null)[] = ['failed', 'cancelled', 'incomplete'];

const NOTHING: ComparedRun = { runId: '', rows: [], manifest: null };

type Facts = Omit<Comparison, 'verdict' | 'sentence'>;

/** Decides the verdict. An unfinished run can be a regression, but gets no other verdict on its scores. */
function decideVerdict(facts: Facts): RegressionVerdict {
  const { run, baseline, incomparable, errorsLeftOut } = facts;
  const { delta, permutation, tasks } = errorsLeftOut;
  const decision = decideDifference(delta, permutation?.p ?? null);
  if (decision === 'worse') return 'regression';
  if (isUnfinished(run.unfinished) || ENDED_EARLY.includes(run.status)) return 'unfinished';
  if (baseline === null) return 'first';
  if (incomparable !== null || tasks === 0) return 'incomparable';
  return decision === 'better' ? 'improvement' : 'no_difference';
}

function describeComparison(verdict: RegressionVerdict, facts: Facts): string {
  const { run, baseline, incomparable, errorsLeftOut } = facts;
  const unfinished = unfinishedWords(run.unfinished);
  const lacking = unfinished === '' ? '' : `; unfinished: ${unfinished}`;
  const than = baseline === null ? '' : ` than ${baseline.runId}`;
  const disagreement = explainDisagreement(errorsLeftOut);
  const difference = `${describeDifference(errorsLeftOut)}${disagreement === null ? '' : `; ${disagreement}`}`;
  switch (verdict) {
    case 'regression':
      return `worse${than}: ${difference}${lacking}`;
    case 'improvement':
      return `better${than}: ${difference}`;
    case 'no_difference':
      return `no difference shown against ${baseline?.runId ?? ''}: ${difference}${describeMde(errorsLeftOut)}`;
    case 'first':
      return `the first run of its schedule: average reward ${formatShare(run.averageReward)}`;
    case 'incomparable':
      return `not comparable with ${baseline?.runId ?? ''}: ${incomparable ?? 'they have no scored episode of a common task'}`;
    case 'unfinished': {
      const why = unfinished === '' ? `the run is ${run.status ?? 'not known to have ended'}` : unfinished;
      return `unfinished: ${why}${describeCommonTasks(facts)}`;
    }
  }
}

/** Splits the headline into the words of the verdict and the rest. */
export function splitHeadline({ verdict, sentence }: Comparison): readonly [string, string] {
  const words = VERDICT_WORDS[verdict];
  return [words, sentence.startsWith(words) ? sentence.slice(words.length) : `: ${sentence}`];
}

const VERDICT_WORDS: Readonly<Record<RegressionVerdict, string>> = {
  first: 'first',
  regression: 'regression',
  improvement: 'improvement',
  no_difference: 'no difference shown',
  incomparable: 'incomparable',
  unfinished: 'unfinished',
};

function describeMde({ mde }: Difference): string {
  return mde === null ? '' : `; minimum detectable effect ${formatShare(mde)} (80 % power)`;
}

function describeCommonTasks({ baseline, incomparable, errorsLeftOut }: Facts): string {
  if (baseline === null) return '';
  if (incomparable !== null) return `; not comparable with ${baseline.runId}: ${incomparable}`;
  if (errorsLeftOut.tasks === 0) return `; no scored episode of a common task with ${baseline.runId}`;
  return `; over the tasks of both: ${describeDifference(errorsLeftOut)}`;
}

/** Describes a difference: `0.833 → 0.611 over 20 tasks, −0.222 (95 % CI −0.350 to −0.100, p = 0.012)`. */
function describeDifference({ before, after, delta, tasks, interval, permutation }: Difference): string {
  const p = permutation === null ? '' : `, ${formatPValue(permutation.p)}`;
  const means = `${formatShare(before)} → ${formatShare(after)}`;
  return `${means} over ${formatAmount(tasks, 'task')}, ${formatSigned(delta)} (${formatConfidence(interval)}${p})`;
}
