/** Recorded episodes in the form for the analysis, and the analysis of results files. */

import { hasUser } from '../../evaluation/index.ts';
import { analyzeEpisode, type AnalyzedEpisode, type EpisodeAnalysis } from '../../analysis/index.ts';
import { isSpellingOnly, taskData, type Task, type TrajectoryForm } from '../../benchmarks/index.ts';
import {
  detectTrajectoryForm,
  recordedSteps,
  type RecordedStep,
  type Recording,
  type RecordingForm,
  type ResultsFileEntry,
} from '../../benchmarks/results.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';
import { gradeOfRecord, rowAnalysis, rowOfEntry, type EpisodeRecord, type EpisodeRow } from '../../run-log/index.ts';
import { FORM_OF_STRATEGY } from '../../agents/index.ts';
import { alteredBy, restoreConversation, type ConversationChanges } from '../../conditions/index.ts';
import { conditionOf } from '../../evaluation/index.ts';
import { regradeEntry } from './regrade.ts';

/**
 * @param form form of the whole file, see `detectForm`
 * @returns undefined when the pack has no such task
 */
export function reanalyzeEntry(
  entry: ResultsFileEntry,
  pack: Pack,
  split: string,
  form: RecordingForm,
): EpisodeAnalysis | undefined {
  const task = pack.splits[split]?.[entry.task_id];
  if (task === undefined) return undefined;
  const episode = { ...episodeOfEntry(entry, task, form), hasUser: hasUser(pack.ref) };
  return analyzeEpisode(taskData(pack, task), episode);
}

/** Returns an entry's row with its analysis and the grade of its replay, if the pack has its task. */
export function reanalyzedRow(
  entry: ResultsFileEntry,
  pack: Pack,
  split: string,
  form: RecordingForm,
  analysis = reanalyzeEntry(entry, pack, split, form),
): EpisodeRow {
  const row = rowOfEntry(entry, form);
  const task = pack.splits[split]?.[entry.task_id];
  if (task === undefined || analysis === undefined) return row;
  const { grade, wouldBe } = regradeEntry(entry, 0, task, { data: pack, hasher: NO_HASHES, form });
  return {
    ...row,
    numberSpellingOnly: isSpellingOnly(grade),
    wouldHavePassed: row.outcome === 'max_steps' && wouldBe?.kind === 'graded' && wouldBe.grade.reward === 1,
    analysis: rowAnalysis(analysis),
  };
}

/** A hasher without hashes: rows do not have them, and hashing is most of a replay's cost. */
const NO_HASHES = { hash: () => '' };

/** Returns the form of the strategy. An agent from a file may have any name, so its messages decide the form. */
export function formOfRecord({ config, trajectory }: EpisodeRecord): TrajectoryForm {
  const isOwn = config.strategyOptions.agentFile !== undefined;
  return (isOwn ? undefined : FORM_OF_STRATEGY.get(config.strategy)) ?? detectTrajectoryForm(trajectory);
}

function alteredOf(record: EpisodeRecord): ConversationChanges | undefined {
  const condition = conditionOf(record.config, record);
  return condition && alteredBy(condition, record.steps);
}

/** Returns the record with the benchmark's own conversation, which was graded; a record of `base` unchanged. */
export function restoreRecord(record: EpisodeRecord): EpisodeRecord {
  const altered = alteredOf(record);
  if (altered === undefined) return record;
  return { ...record, trajectory: restoreConversation(record.trajectory, formOfRecord(record), altered) };
}

/** Converts a record for the analysis. Calls that were not executed get no tool. */
export function analyzedRecord(record: EpisodeRecord, form: TrajectoryForm = 'tools'): AnalyzedEpisode {
  const altered = alteredOf(record);
  if (altered === undefined) return episodeOfRecord(record, form);
  const { refused } = altered;
  const trajectory = restoreConversation(record.trajectory, form, { ...altered, refused: [] });
  const episode = episodeOfRecord({ ...record, trajectory }, form);
  const notExecuted = { name: 'not_executed', kwargs: new Map() };
  return {
    ...episode,
    steps: episode.steps.map((step, at) => (refused.includes(at + 1) ? { ...step, action: notExecuted } : step)),
  };
}

export function episodeOfRecord(record: EpisodeRecord, form: TrajectoryForm = 'tools'): AnalyzedEpisode {
  const { task, outcome, reward, trajectory } = record;
  const { userId, actions, instruction, outputs } = task;
  const conversation = toRecordedConversation({ traj: trajectory }, form, record.steps.length);
  return {
    task: { userId, actions, instruction, outputs },
    outcome: outcome.kind,
    reward,
    error: 'message' in outcome ? { kind: outcome.error, message: outcome.message } : null,
    ...conversation,
    steps: conversation.steps.map((step, at) => ({ ...step, changed: record.steps[at]?.changed })),
    grade: gradeOfRecord(record),
  };
}

/**
 * Converts an entry for the analysis, with the recorded instruction, because the pack's may have been corrected.
 * @param task the pack's task with the recorded number
 */
export function episodeOfEntry(entry: ResultsFileEntry, task: Task, form: RecordingForm): AnalyzedEpisode {
  const { outcome, reward, error } = rowOfEntry(entry, form);
  return {
    task: { ...task, instruction: entry.info?.task?.instruction ?? task.instruction },
    outcome,
    reward,
    error: error === null ? null : { kind: null, message: error },
    ...toRecordedConversation(entry, form, Infinity),
  };
}

/** @param taken number of taken steps; the agent may not have taken the action in its last message */
function toRecordedConversation(recording: Recording, form: RecordingForm, taken: number) {
  const { steps, unreadable, isOrdered } = recordedSteps(recording, form);
  const opening = recording.traj?.find(({ role, tool_calls: calls }) => role === 'user' && !calls?.length)?.content;
  return {
    opening: typeof opening === 'string' ? opening : null,
    steps: steps.slice(0, taken).map(({ userCalls, ...step }) => ({
      ...toAnalyzed(step),
      userCalls: userCalls?.map(toAnalyzed),
    })),
    unreadable,
    isOrdered,
  };
}

function toAnalyzed({ action, answer }: Pick<RecordedStep, 'action' | 'answer'>) {
  return { action, observation: answer };
}
