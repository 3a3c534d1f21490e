/** Figures, sentences and the JSON document of a regraded file. Numbers and keys have the reference's spelling. */

import * as z from 'zod';
import { formatFloat } from '../../benchmarks/python/index.ts';
import {
  DEFAULTS,
  getBenchmark,
  findUnmet,
  isSpellingOnly,
  jsonPath,
  toReferenceInfo,
  type Grade,
  type RecordDiff,
} from '../../benchmarks/index.ts';
import { LOG_NOTE, isGradedEnding, type RecordingForm, rewardInfoSchema } from '../../benchmarks/results.ts';
import { floatSchema, toLossless } from '../../benchmarks/python/values.schema.ts';
import { isSameReward, type RegradedRecord } from './regrade.ts';
import { listWords } from '../../benchmarks/packs/index.ts';
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

const count = z.number();

const summarySchema = z.object({
  records: count,
  rewardsEqual: count,
  rewardsDiffer: count,
  /** Number of records with a reward of one, as recorded and as replayed. */
  reportedSuccesses: count,
  regradedSuccesses: count,
  /** Mean rewards in [0, 1]; null if there are no records. */
  recordedAverage: floatSchema.nullable(),
  replayedAverage: floatSchema.nullable(),
  /** Number of records by the end of their episodes. */
  endings: z.record(z.string(), count),
  /** Number of records with the right data but a reward of 0. */
  rightDataWithoutReward: count,
  /** Number of records whose data differ only by the spelling of numbers (`131`, `131.0`). */
  numberSpellingOnly: count,
  /** Number of observations that differ from the recorded ones, and of records with such observations. */
  observationMismatches: z.object({ records: count, observations: count }),
  /** Number of logged changes that the benchmark's tools refuse, and of records with such changes. */
  refusedWrites: z.object({ records: count, calls: count }),
  /** Number of records whose task differs from the pack's, by field. */
  taskChangedSince: z.record(z.string(), count),
});

export type RegradeSummary = z.infer<typeof summarySchema>;

/** Fields that need a schema for the spelling of their names or values. */
const documentSchema = z.object({
  summary: summarySchema,
  records: z.array(
    z.object({
      recordedReward: floatSchema,
      replayedReward: floatSchema,
      rewardInfo: rewardInfoSchema,
      recordedRewardInfo: rewardInfoSchema,
      wouldBe: rewardInfoSchema,
      dataDifferences: z.array(z.object({ fields: z.array(z.object({ groundTruth: z.unknown() })) })),
    }),
  ),
});

/** Returns the document for `dumpJson`; data values keep the spelling of their numbers. */
export function regradeDocument({ file, env, split, pack, form, summary, records }: RegradedFile): object {
  const notes = form === 'log' ? [LOG_NOTE] : [];
  const document = {
    file,
    env,
    split,
    pack,
    trajectories: form,
    notes,
    summary,
    records: records.map((record) => describeRecord(record, env)),
  };
  return toLossless(document, documentSchema);
}

function describeRecord(record: RegradedRecord, env: string) {
  const { ending, grade, wouldBe, mismatches } = record;
  const toInfo = (of: Grade) => toReferenceInfo(getBenchmark(env).grading.toInfo(of));
  return {
    index: record.index,
    taskId: record.taskId,
    trial: record.trial,
    recordedReward: record.recordedReward,
    replayedReward: record.replayedReward,
    rewardsEqual: isSameReward(record),
    reasons: listReasons(record),
    difference: explainDifference(record),
    done: isGradedEnding(ending),
    ending: ending.kind,
    error: 'message' in ending ? ending.message : null,
    nActions: record.executedActions,
    nActionsRecorded: record.recordedActions,
    nToolErrors: record.toolErrors,
    dataHash: record.dataHash,
    rewardInfo: grade && toInfo(grade),
    recordedRewardInfo: record.recordedRewardInfo,
    wouldBe: wouldBe?.kind === 'raised' ? { raised: wouldBe.message } : wouldBe && toInfo(wouldBe.grade),
    observationMismatches: mismatches.map(({ position }) => position),
    firstMismatch: mismatches[0] ?? null,
    refusedWrites: record.refusedWrites,
    taskChangedSince: record.taskChanges,
    outputsMissing: missingOutputs(record),
    numberSpellingOnly: isSpellingOnly(record.grade),
    dataDifferences: record.dataDiffs.map(({ table, id, fields }) => ({
      table,
      id,
      fields: fields.map(({ path, a, b }) => ({ path: jsonPath(path), agent: a, groundTruth: b })),
    })),
  };
}

/** Most records and fields to name, before the number of further ones. */
const MAX_NAMED = 2;

const DATA_RIGHT = 'the data are right, and no output is missing';

/** Returns the reasons why the reward is not one, the most important first. */
export function listReasons(record: RegradedRecord): string[] {
  const { ending, executedActions, dataDiffs } = record;
  switch (ending.kind) {
    case 'recorded_error':
      return [`ended in error: ${ending.message}`];
    case 'unreadable':
      return [`message ${String(executedActions + 1)} of the agent is not an action: ${ending.message}`];
    case 'raised':
      return [`raised ${ending.message}`];
    case 'not_done':
      return [
        executedActions >= DEFAULTS.maxSteps ? `out of steps (${String(executedActions)})` : 'not done',
        ...describeOtherEnding(record),
      ];
    case 'user_stop':
    case 'transferred':
    case 'unknown':
      break;
    default:
      ending satisfies never;
  }
  const found: string[] = [];
  if (isSpellingOnly(record.grade)) found.push('only the spelling of numbers differs');
  if (dataDiffs.length > 0) found.push(describeDiffs(dataDiffs));
  const missing = missingOutputs(record);
  found.push(...record.unmetParts);
  if (missing.length > 0) found.push(`outputs missing: ${missing.map((output) => JSON.stringify(output)).join(', ')}`);
  return found;
}

/** Returns the reason why the replayed reward differs from the recorded one; null if it is the same. */
export function explainDifference(record: RegradedRecord): string | null {
  if (isSameReward(record)) return null;
  const { recordedRewardInfo, refusedWrites } = record;
  const why = record.replayedReward === 1 ? [DATA_RIGHT] : listReasons(record);
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

function missingOutputs({ grade }: RegradedRecord): string[] {
  return grade === null ? [] : findUnmet(grade, 'outputs');
}

function describeOtherEnding({ wouldBe: graded, dataDiffs }: RegradedRecord): string[] {
  if (graded?.kind !== 'graded') return [];
  if (graded.grade.reward === 1) return [DATA_RIGHT];
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

export function summarize(records: readonly RegradedRecord[]): RegradeSummary {
  const endings: Record<string, number> = {};
  const taskChangedSince: Record<string, number> = {};
  for (const { ending, taskChanges: fields } of records) {
    endings[ending.kind] = (endings[ending.kind] ?? 0) + 1;
    for (const field of fields) taskChangedSince[field] = (taskChangedSince[field] ?? 0) + 1;
  }
  const countIf = (is: (record: RegradedRecord) => boolean) => records.filter(is).length;
  const equal = countIf(isSameReward);
  return {
    records: records.length,
    rewardsEqual: equal,
    rewardsDiffer: records.length - equal,
    reportedSuccesses: countIf(({ recordedReward }) => isSuccess(recordedReward)),
    regradedSuccesses: countIf(({ replayedReward }) => isSuccess(replayedReward)),
    recordedAverage: mean(records.map(({ recordedReward }) => recordedReward)),
    replayedAverage: mean(records.map(({ replayedReward }) => replayedReward)),
    endings,
    rightDataWithoutReward: countIf(({ replayedReward, dataDiffs, grade, ending }) => {
      // A service grades its own data, and has no differences to show.
      const isRight = dataDiffs.length === 0 && (grade === null || findUnmet(grade, 'data').length === 0);
      return replayedReward === 0 && isRight && ending.kind !== 'recorded_error';
    }),
    numberSpellingOnly: countIf(({ grade }) => isSpellingOnly(grade)),
    observationMismatches: {
      records: countIf(({ mismatches }) => mismatches.length > 0),
      observations: records.reduce((sum, { mismatches }) => sum + mismatches.length, 0),
    },
    refusedWrites: {
      records: countIf(({ refusedWrites }) => refusedWrites.length > 0),
      calls: records.reduce((sum, { refusedWrites }) => sum + refusedWrites.length, 0),
    },
    taskChangedSince,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
