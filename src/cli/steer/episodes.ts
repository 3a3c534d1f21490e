/** Episodes as a command names them: one by one, or as tasks and trials. */

import { parseEpisodeName, type EpisodeKey, type SweepPlan } from '../../wire/index.ts';
import { UsageError } from '../../errors/index.ts';
import { parseRunOptions } from '../run/options.ts';

export interface EpisodeFlags {
  readonly taskIds?: readonly string[];
  readonly trials?: readonly string[];
}

/** @throws UsageError for a text that names no episode */
export function parseEpisode(text: string): EpisodeKey {
  const key = parseEpisodeName(text);
  if (key !== null) return key;
  throw new UsageError(`"${text}" is no episode; one is written task-17.trial-0, as its record in the run log is.`);
}

/** The chosen episodes of a run; a task without trials, or a trial without tasks, means all of them. */
export interface Selection {
  readonly episodes: readonly EpisodeKey[];
  readonly taskIds: readonly number[] | null;
  readonly trials: readonly number[] | null;
}

/**
 * @returns null when nothing was chosen
 * @throws UsageError for what is no number, and for a choice made in both ways
 */
export function parseSelection(names: readonly string[], { taskIds, trials }: EpisodeFlags): Selection | null {
  if (names.length === 0 && taskIds === undefined && trials === undefined) return null;
  if (names.length > 0 && (taskIds !== undefined || trials !== undefined)) {
    throw new UsageError('name episodes, or give --task-ids and --trials, not both.');
  }
  return {
    episodes: names.map(parseEpisode),
    taskIds: taskIds === undefined ? null : (parseRunOptions({ taskIds }).taskIds ?? null),
    trials: trials === undefined ? null : parseTrials(trials),
  };
}

function parseTrials(words: readonly string[]): number[] {
  const parts = words.flatMap((word) => word.split(/[\s,]+/)).filter((word) => word !== '');
  const wrong = parts.find((word) => !/^\d+$/.test(word));
  if (wrong !== undefined) throw new UsageError(`--trials must be trial numbers such as 0 1 or 0,1, not "${wrong}".`);
  return [...new Set(parts.map(Number))];
}

/**
 * The episodes that are meant.
 * @throws UsageError for one that the run has not
 */
export function selectEpisodes(
  { episodes, taskIds, trials }: Selection,
  { taskIds: planned, numTrials }: Pick<SweepPlan, 'taskIds' | 'numTrials'>,
): EpisodeKey[] {
  const all = Array.from({ length: numTrials }, (_, trial) => trial);
  const chosen =
    episodes.length > 0
      ? episodes
      : (taskIds ?? planned).flatMap((taskId) => (trials ?? all).map((trial) => ({ taskId, trial })));
  const wrong = chosen.find(({ taskId, trial }) => !planned.includes(taskId) || trial >= numTrials);
  if (wrong === undefined) return [...chosen];
  const what = planned.includes(wrong.taskId)
    ? `trial ${wrong.trial}; its trials are 0 to ${numTrials - 1}`
    : `task ${wrong.taskId}; its tasks are in run.json`;
  throw new UsageError(`the run has no ${what}.`);
}
