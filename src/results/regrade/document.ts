/**
 * A regraded file in figures, in words and as one JSON document. What the reference reports is written as it does:
 * `1.0`, its keys, its order.
 */

import { PyFloat, formatFloat } from '../../benchmark/python/index.ts';
import { jsonPath, type GradeOutput, type RecordDiff, type RewardInfo } from '../../benchmark/index.ts';
import { LOG_NOTE, toLossless, type RecordingForm } from '../log/index.ts';
import { rewardInfoSchema } from '../tau-bench/index.ts';
import { STEP_LIMIT, isGraded, isSameReward, type RegradedRecord, type TaskField } from './regrade.ts';
import { listWords } from '../../packs/index.ts';
import { isSuccess } from '../metrics/index.ts';

export interface RegradedFile {
  readonly file: string;
  readonly env: string;
  readonly split: string;
  readonly pack: { readonly name: string; readonly digest: string };
  readonly form: RecordingForm;
  readonly summary: RegradeSummary;
  readonly records: readonly RegradedRecord[];
}

/** For `dumpJson`: values of the data keep the spelling of their numbers. */
export function regradeDocument({ file, env, split, pack, form, summary, records }: RegradedFile): object {
  return {
    file,
    env,
    split,
    pack: { name: pack.name, digest: pack.digest },
    trajectories: form,
    notes: form === 'log' ? [LOG_NOTE] : [],
    summary: {
      records: summary.records,
      rewards_equal: summary.rewardsEqual,
      rewards_differ: summary.rewardsDiffer,
      reported_successes: summary.reportedSuccesses,
      regraded_successes: summary.regradedSuccesses,
      recorded_average: floatOrNull(summary.recordedAverage),
      replayed_average: floatOrNull(summary.replayedAverage),
      endings: summary.endings,
      right_data_without_reward: summary.rightDataWithoutReward,
      number_spelling_only: summary.numberSpellingOnly,
      observation_mismatches: summary.observationMismatches,
      refused_writes: summary.refusedWrites,
      task_changed_since: summary.taskChanges,
    },
    records: records.map(recordDocument),
  };
}

function recordDocument(record: RegradedRecord): object {
  const { ending, rewardInfo, recordedRewardInfo, wouldBe, firstMismatch } = record;
  return {
    index: record.index,
    task_id: record.taskId,
    trial: record.trial,
    recorded_reward: new PyFloat(record.recordedReward),
    replayed_reward: new PyFloat(record.replayedReward),
    rewards_equal: isSameReward(record),
    reasons: reasons(record),
    difference: explainDifference(record),
    done: isGraded(ending),
    ending: ending.kind,
    error: 'message' in ending ? ending.message : null,
    n_actions: record.executedActions,
    n_actions_recorded: record.recordedActions,
    n_tool_errors: record.toolErrors,
    data_hash: record.dataHash,
    reward_info: rewardInfo === null ? null : rewardDocument(rewardInfo),
    recorded_reward_info: recordedRewardInfo === null ? null : toLossless(recordedRewardInfo, rewardInfoSchema),
    would_be: wouldBe === null ? null : gradeDocument(wouldBe),
    observation_mismatches: record.mismatches,
    first_mismatch: firstMismatch,
    refused_writes: record.refusedWrites,
    task_changed_since: record.taskChanges,
    outputs_missing: missingOutputs(record),
    number_spelling_only: rewardInfo?.numberSpellingOnly ?? false,
    data_differences: record.dataDiffs.map(({ table, id, fields }) => ({
      table,
      id,
      fields: fields.map(({ path, a, b }) => ({ path: jsonPath(path), agent: a, ground_truth: b })),
    })),
  };
}

function gradeDocument(graded: GradeOutput): object {
  return graded.kind === 'graded' ? rewardDocument(graded.info) : { raised: graded.message };
}

/** The reference's `reward_info`, but for the task's actions. */
function rewardDocument({ reward, detail }: RewardInfo): object {
  const info =
    detail.kind === 'actions'
      ? { r_actions: oneOrZero(detail.rActions), gt_data_hash: detail.gtDataHash }
      : { r_outputs: oneOrZero(detail.rOutputs), outputs: new Map(detail.outputs) };
  return { reward: new PyFloat(reward), info };
}

function oneOrZero(isOne: boolean): PyFloat {
  return new PyFloat(isOne ? 1 : 0);
}

function floatOrNull(value: number | null): PyFloat | null {
  return value === null ? null : new PyFloat(value);
}

/** Records and fields that are named; the rest are counted. */
const MAX_NAMED = 2;

/** Reasons why the reward is not one, the most important first; empty if it is. */
export function reasons(record: RegradedRecord): string[] {
  const { ending, rewardInfo, executedActions, dataDiffs } = record;
  switch (ending.kind) {
    case 'recorded_error':
      return [`ended in error: ${ending.message}`];
    case 'unreadable':
      return [`message ${String(executedActions + 1)} of the agent is no action: ${ending.message}`];
    case 'raised':
      return [`raised ${ending.message}`];
    case 'not_done':
      return [
        executedActions >= STEP_LIMIT ? `out of steps (${String(executedActions)})` : 'not done',
        ...wouldBe(record),
      ];
    case 'user_stop':
    case 'transferred':
    case 'unknown':
      break;
    default:
      ending satisfies never;
  }
  const found: string[] = [];
  if (rewardInfo?.numberSpellingOnly === true) found.push('only the spelling of numbers differs');
  if (dataDiffs.length > 0) found.push(describeDiffs(dataDiffs));
  const missing = missingOutputs(record);
  if (missing.length > 0) found.push(`not told: ${missing.map((output) => JSON.stringify(output)).join(', ')}`);
  return found;
}

/** Reason why the replayed reward is another than the recorded one; null where it is the same. */
export function explainDifference(record: RegradedRecord): string | null {
  if (isSameReward(record)) return null;
  const { recordedRewardInfo, refusedWrites } = record;
  const why = record.replayedReward === 1 ? ['the data are right, and all was told'] : reasons(record);
  const [first] = refusedWrites;
  if (first !== undefined && record.replayedReward === 0) {
    const more = refusedWrites.length === 1 ? '' : ` and ${String(refusedWrites.length - 1)} more`;
    why.push(`logged as done, refused by the benchmark's tool: ${first.action} (${first.replayed})${more}`);
  }
  const { r_actions: actions, r_outputs: outputs } = recordedRewardInfo?.info ?? {};
  const recorded = [
    ...(typeof actions === 'number' ? [`r_actions ${formatFloat(actions)}`] : []),
    ...(typeof outputs === 'number' ? [`r_outputs ${formatFloat(outputs)}`] : []),
  ];
  if (recorded.length > 0) why.push(`the file says ${recorded.join(', ')}`);
  return why.join('; ');
}

/** Outputs of the task that the user was not told. */
function missingOutputs({ rewardInfo }: RegradedRecord): string[] {
  if (rewardInfo?.detail.kind !== 'outputs') return [];
  return rewardInfo.detail.outputs.filter(([, isTold]) => !isTold).map(([output]) => output);
}

function wouldBe({ wouldBe: graded, dataDiffs }: RegradedRecord): string[] {
  if (graded?.kind !== 'graded') return [];
  if (graded.info.reward === 1) return ['the data are right, and all was told'];
  return dataDiffs.length > 0 ? [describeDiffs(dataDiffs)] : [];
}

function describeDiffs(diffs: readonly RecordDiff[]): string {
  const named = diffs.slice(0, MAX_NAMED).map(({ table, id, fields }) => {
    const paths = fields.slice(0, MAX_NAMED).map(({ path }) => (path.length === 0 ? 'the whole' : jsonPath(path)));
    const more = fields.length - paths.length;
    return `${table} ${id} (${paths.join(', ')}${more > 0 ? ` +${String(more)}` : ''})`;
  });
  const more = diffs.length - named.length;
  return `data: ${listWords([...named, ...(more > 0 ? [`${String(more)} more`] : [])])}`;
}

export interface RegradeSummary {
  readonly records: number;
  readonly rewardsEqual: number;
  readonly rewardsDiffer: number;
  /** Rewards of one, as recorded and as replayed. */
  readonly reportedSuccesses: number;
  readonly regradedSuccesses: number;
  /** Mean rewards in [0, 1]; null without records. */
  readonly recordedAverage: number | null;
  readonly replayedAverage: number | null;
  /** Records by how their episodes ended. */
  readonly endings: Readonly<Record<string, number>>;
  /** Records whose data are right though their reward is 0. */
  readonly rightDataWithoutReward: number;
  /** Records in which only the spelling of numbers (`131`, `131.0`) makes the data differ. */
  readonly numberSpellingOnly: number;
  /** Observations that are not as they were recorded, and the records that have any. */
  readonly observationMismatches: { readonly records: number; readonly observations: number };
  /** Changes that a log says were made and the benchmark's tools refuse, and the records that have any. */
  readonly refusedWrites: { readonly records: number; readonly calls: number };
  /** Records of tasks that the pack has otherwise, by field. */
  readonly taskChanges: Readonly<Partial<Record<TaskField, number>>>;
}

export function summarize(records: readonly RegradedRecord[]): RegradeSummary {
  const endings: Record<string, number> = {};
  const taskChanges: Partial<Record<TaskField, number>> = {};
  for (const { ending, taskChanges: fields } of records) {
    endings[ending.kind] = (endings[ending.kind] ?? 0) + 1;
    for (const field of fields) taskChanges[field] = (taskChanges[field] ?? 0) + 1;
  }
  const count = (is: (record: RegradedRecord) => boolean) => records.filter(is).length;
  const equal = count(isSameReward);
  return {
    records: records.length,
    rewardsEqual: equal,
    rewardsDiffer: records.length - equal,
    reportedSuccesses: count(({ recordedReward }) => isSuccess(recordedReward)),
    regradedSuccesses: count(({ replayedReward }) => isSuccess(replayedReward)),
    recordedAverage: mean(records.map(({ recordedReward }) => recordedReward)),
    replayedAverage: mean(records.map(({ replayedReward }) => replayedReward)),
    endings,
    rightDataWithoutReward: count(({ replayedReward, dataDiffs, ending }) => {
      return replayedReward === 0 && dataDiffs.length === 0 && ending.kind !== 'recorded_error';
    }),
    numberSpellingOnly: count(({ rewardInfo }) => rewardInfo?.numberSpellingOnly === true),
    observationMismatches: {
      records: count(({ mismatches }) => mismatches.length > 0),
      observations: records.reduce((sum, { mismatches }) => sum + mismatches.length, 0),
    },
    refusedWrites: {
      records: count(({ refusedWrites }) => refusedWrites.length > 0),
      calls: records.reduce((sum, { refusedWrites }) => sum + refusedWrites.length, 0),
    },
    taskChanges,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
