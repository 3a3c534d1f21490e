/**
 * Analyses of episodes that were recorded without one, by older versions or other tools: made from what is on disk and
 * the pack. The same episode gives the same analysis as when it is recorded.
 */

import { analyzeEpisode, type EpisodeAnalysis } from '../../analysis/index.ts';
import type { TrajectoryForm } from '../../benchmark/index.ts';
import type { Pack } from '../../packs/index.ts';
import {
  detectTrajectoryForm,
  episodeOfEntry,
  episodeOfRecord,
  type EpisodeRecord,
  type RecordingForm,
} from '../log/index.ts';
import { FORM_OF_STRATEGY } from '../../agents/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';

/** @param pack the one that the episode was run with: its digest is the record's */
export function reanalyzeRecord(record: EpisodeRecord, pack: Pack): EpisodeAnalysis {
  return analyzeEpisode(pack, episodeOfRecord(record, formOfRecord(record)));
}

/**
 * @param form that of the whole file, see `detectForm`
 * @returns undefined when the pack has no such task
 */
export function reanalyzeEntry(
  entry: ResultsFileEntry,
  pack: Pack,
  split: string,
  form: RecordingForm,
): EpisodeAnalysis | undefined {
  const task = pack.splits[split]?.[entry.task_id];
  return task === undefined ? undefined : analyzeEpisode(pack, episodeOfEntry(entry, task, form));
}

/** An agent from a file may have any name, so only its messages tell. */
export function formOfRecord({ config, trajectory }: EpisodeRecord): TrajectoryForm {
  const isOwn = config.strategy_options.agent_file !== undefined;
  return (isOwn ? undefined : FORM_OF_STRATEGY.get(config.strategy)) ?? detectTrajectoryForm(trajectory);
}
