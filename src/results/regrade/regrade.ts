/** Grades recorded episodes again, and checks whether a results file is about a pack's tasks. */

import { getContent, type BenchmarkContent } from '../../benchmarks/contents.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';
import { RESPOND, type Action, type Task } from '../../benchmarks/index.ts';
import {
  sameActions,
  type RecordingForm,
  type RegradeDeps,
  type RegradeResult,
  type ResultsFileEntry,
} from '../../benchmarks/results.ts';
import { asToolCalls, type Message } from '../../agents/index.ts';

export interface RegradedRecord extends RegradeResult {
  /** Position of the record in the file, from 0. */
  readonly index: number;
  readonly taskId: number;
  readonly trial: number | null;
  readonly recordedReward: number;
}

/** @param task the pack's task with the recorded number */
export function regradeEntry(
  entry: ResultsFileEntry,
  index: number,
  task: Task,
  { form, ...deps }: RegradeDeps & { readonly form: RecordingForm },
): RegradedRecord {
  const messages = () => readMessages(entry, form);
  const regraded = getContent(deps.data.domain).regrade({ entry, form, messages }, task, deps);
  return toRegradedRecord(entry, index, regraded);
}

function readMessages(entry: ResultsFileEntry, form: RecordingForm): readonly Message[] {
  const recorded = (entry.traj ?? []) as readonly Message[];
  return form === 'log' ? recorded : asToolCalls(recorded, form);
}

function toRegradedRecord(entry: ResultsFileEntry, index: number, regraded: RegradeResult): RegradedRecord {
  return { index, taskId: entry.task_id, trial: entry.trial ?? null, recordedReward: entry.reward, ...regraded };
}

/** Grades an entry with its pack's environment service, which repeats the calls. */
export async function regradeEntryElsewhere(
  entry: ResultsFileEntry,
  index: number,
  task: Task,
  {
    pack,
    form,
    regrade,
  }: {
    readonly pack: Pack;
    readonly form: RecordingForm;
    readonly regrade: NonNullable<BenchmarkContent['regradeElsewhere']>;
  },
): Promise<RegradedRecord> {
  const regraded = await regrade({ entry, form, messages: () => readMessages(entry, form) }, task, pack);
  return toRegradedRecord(entry, index, regraded);
}

/** Compares rewards as tau-bench's metrics do. */
export function isSameReward({ recordedReward, replayedReward }: RegradedRecord): boolean {
  return Math.abs(recordedReward - replayedReward) <= 1e-6;
}

/** True if an entry has its task's user or ground truth. */
export function namesTasks(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined || recordedTruth(entry) !== undefined);
}

/** True if an entry has its task's user. */
export function namesUsers(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined);
}

/**
 * Counts the results whose user and ground truth are those of the pack's task. Instructions are not compared, because
 * they are often corrected.
 * @returns null if the file has other tasks: one is missing or has another user, or most ground truths differ
 */
export function measureFit(entries: readonly ResultsFileEntry[], tasks: readonly Task[]): number | null {
  let known = 0;
  let equal = 0;
  for (const entry of entries) {
    const task = tasks[entry.task_id];
    if (task === undefined) return null;
    const user = recordedUser(entry);
    if (user !== undefined && user !== task.userId) return null;
    const truth = recordedTruth(entry);
    if (truth === undefined && user === undefined) continue;
    known++;
    if (truth === undefined || sameActions(truth, withoutRespond(task.actions))) equal++;
  }
  return known > 0 && 2 * equal > known ? equal : null;
}

function recordedUser({ info }: ResultsFileEntry): string | undefined {
  return info?.task?.user_id ?? undefined;
}

/**
 * Returns the ground truth from the task or from the grade. An empty list in the grade is ignored, because another tool
 * may have written it.
 */
function recordedTruth({ info }: ResultsFileEntry): readonly Action[] | undefined {
  if (info?.task !== undefined && info.task !== null) return withoutRespond(info.task.actions);
  const actions = info?.reward_info?.actions ?? [];
  return actions.length === 0 ? undefined : withoutRespond(actions);
}

function withoutRespond(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ name }) => name !== RESPOND);
}
