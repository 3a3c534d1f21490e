/** A regraded file as one JSON document. What the reference reports is written as it does: `1.0`, its keys, its order. */

import { PyFloat } from '../../benchmark/python/index.ts';
import { jsonPath, type GradeOutput, type RewardInfo } from '../../benchmark/index.ts';
import { LOG_NOTE, withFloats, type RecordingForm } from '../log/index.ts';
import { explainDifference, missingOutputs, reasons } from './explain.ts';
import { isGraded, isSameReward, type RegradedRecord } from './regrade.ts';
import type { RegradeSummary } from './summary.ts';

export interface RegradedFile {
  readonly file: string;
  readonly env: string;
  readonly split: string;
  readonly pack: { readonly name: string; readonly digest: string };
  readonly form: RecordingForm;
  readonly summary: RegradeSummary;
  readonly records: readonly RegradedRecord[];
}

const REWARDS: ReadonlySet<string> = new Set(['reward', 'r_actions', 'r_outputs']);

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
  const { ending, rewardInfo, wouldBe, firstMismatch } = record;
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
    recorded_reward_info: withFloats(record.recordedRewardInfo ?? null, REWARDS),
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
