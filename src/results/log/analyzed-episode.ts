/** Episodes as they are analysed, from what is on disk. */

import type { AnalyzedEpisode } from '../../analysis/index.ts';
import type { Task, TrajectoryForm } from '../../benchmark/index.ts';
import type { EpisodeRecord } from './record.ts';
import { recordedSteps, type Recording, type RecordingForm } from './steps.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';
import { rowOfEntry } from './rows.ts';

/** @param form how the strategy's messages say what it does */
export function episodeOfRecord(record: EpisodeRecord, form: TrajectoryForm = 'tools'): AnalyzedEpisode {
  const { task, outcome, reward, trajectory } = record;
  const { user_id: userId, actions, instruction, outputs } = task;
  return {
    task: { userId, actions, instruction, outputs },
    outcome: outcome.kind,
    reward,
    error: 'message' in outcome ? { kind: outcome.error, message: outcome.message } : null,
    ...conversationOf({ traj: trajectory }, form, record.steps.length),
  };
}

/**
 * Instructions have been corrected since files were written; a customer is to be judged by the one that it had.
 * @param task the pack's task of that number
 */
export function episodeOfEntry(entry: ResultsFileEntry, task: Task, form: RecordingForm): AnalyzedEpisode {
  const { outcome, reward, error } = rowOfEntry(entry, form);
  return {
    task: { ...task, instruction: entry.info?.task?.instruction ?? task.instruction },
    outcome,
    reward,
    error: error === null ? null : { kind: null, message: error },
    ...conversationOf(entry, form, Infinity),
  };
}

/** @param taken how many steps were taken: a last message may be an action that never was */
function conversationOf(recording: Recording, form: RecordingForm, taken: number) {
  const { steps, unreadable, isOrdered } = recordedSteps(recording, form);
  const opening = recording.traj?.find(({ role }) => role === 'user')?.content;
  return {
    opening: typeof opening === 'string' ? opening : null,
    steps: steps.slice(0, taken).map(({ action, answer }) => ({ action, observation: answer })),
    unreadable,
    isOrdered,
  };
}
