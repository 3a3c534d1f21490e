/** The bodies of an episode's model calls, for runs that recorded them. */

import { readRequests, requestsFile, type RunLog } from '../../run-log/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';
import type { KeptRequests } from '../data/api.ts';
import { readStamp, type ViewedSource } from './folder.ts';

/**
 * Returns a version of an episode's recorded model calls, which changes with each further call; null if there are none.
 */
export function requestsVersion(viewed: ViewedSource, key: EpisodeKey): string | null {
  if (viewed.kind === 'file') return null;
  const { version, changedAtMs } = readStamp([requestsFile(viewed.log.paths, key)]);
  return changedAtMs === 0 ? null : version;
}

/** Reads the requests of the workflow run that recorded the episode, or of the last run without a record. */
export async function readKeptRequests(log: RunLog, key: EpisodeKey): Promise<KeptRequests> {
  const requests = await readRequests(log.paths, key);
  const record = await log.readEpisode(key);
  const meant = record?.workflowRunId ?? requests.at(-1)?.workflowRunId;
  const ofRun = requests.filter(({ workflowRunId }) => workflowRunId === meant);
  return { requests: ofRun.map(({ workflowRunId: _, ...request }) => request) };
}
