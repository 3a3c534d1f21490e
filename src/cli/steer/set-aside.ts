/** Records of a run at rest that are set aside, so that their episodes run again when it is taken up. */

import type { RunLog } from '../../results/log/index.ts';
import { episodeName, type EpisodeKey } from '../../wire/index.ts';

/** @returns how many of them had a record */
export async function setAside(log: RunLog, keys: readonly EpisodeKey[]): Promise<number> {
  const recorded = new Set((await log.listEpisodes()).episodes.map(episodeName));
  const chosen = keys.filter((key) => recorded.has(episodeName(key)));
  for (const key of chosen) await log.supersedeEpisode(key);
  return chosen.length;
}
