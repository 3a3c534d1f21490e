/**
 * Work of a run that had been done when its sweep ended. Finished calls of an episode are reused if its history is on
 * the server; any other episode without a result begins anew, and its calls are paid for again.
 */

import { readdir } from 'node:fs/promises';
import { formatAmount, formatUsd } from '../../results/document/index.ts';
import { OpenEpisodeReader, parseEpisodeLinesName, type RunLog } from '../../run-log/index.ts';
import { readRows } from '../../results/report/index.ts';
import { episodeName, type EpisodeKey } from '../../evaluation/index.ts';
import { instead } from '../../errors/index.ts';

/** Model calls of one episode; the cost is null if a price is unknown. */
interface EarlierUsage {
  readonly calls: number;
  readonly costUsd: number | null;
  readonly isReused: boolean;
}

/** Returns the status of an episode's workflow on the server; null if the server does not have it. */
export type FindStatus = (episode: EpisodeKey, workflowRunId: string) => Promise<string | null>;

/**
 * Counts the calls of episodes without a final record: episodes recorded as canceled or broken, and episodes that were
 * open when the sweep was terminated or deleted.
 * @param log a log in a folder, because stores have no lines of open episodes
 * @returns a sentence on reused calls, and one on calls that are paid again, if there are any
 */
export async function describeRepeatedEpisodes(log: RunLog, findStatus: FindStatus): Promise<readonly string[]> {
  const episodes = new Map<string, EarlierUsage>();
  for (const row of (await readRows(log)).rows) {
    if (row.outcome !== 'cancelled' && row.outcome !== 'infrastructure_error') continue;
    const calls = row.roles.reduce((sum, role) => sum + role.calls, 0);
    const record = row.outcome === 'cancelled' && calls > 0 ? await log.readEpisode(row) : null;
    const isReused = record !== null && (await findStatus(row, record.workflowRunId)) !== null;
    episodes.set(episodeName(row), { calls, costUsd: row.costUsd, isReused });
  }
  for (const name of await readdir(log.paths.open).catch(instead([], 'ENOENT'))) {
    const key = parseEpisodeLinesName(name);
    if (key === null) continue;
    const replies = (await new OpenEpisodeReader(log.paths, key).read()).filter(({ role }) => role !== null);
    const [first] = replies;
    if (first === undefined) continue;
    const costs = replies.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
    const costUsd = costs.length < replies.length ? null : costs.reduce((sum, cost) => sum + cost, 0);
    // It has been asked to end, and no worker has done so yet.
    const isReused = (await findStatus(key, first.workflowRunId)) === 'running';
    episodes.set(episodeName(key), { calls: replies.length, costUsd, isReused });
  }
  const begun = [...episodes.values()].filter(({ calls }) => calls > 0);
  const reused = begun.filter(({ isReused }) => isReused);
  const repeated = begun.filter(({ isReused }) => !isReused);
  return [
    ...describe(reused, ['is resumed', 'are resumed'], 'not paid again'),
    ...describe(repeated, ['begins again', 'begin again'], 'paid again'),
  ];
}

function describe(begun: readonly EarlierUsage[], [one, several]: readonly [string, string], end: string): string[] {
  if (begun.length === 0) return [];
  const calls = begun.reduce((sum, each) => sum + each.calls, 0);
  const known = begun.reduce((sum, each) => sum + (each.costUsd ?? 0), 0);
  const cost = begun.some(({ costUsd }) => costUsd === null) ? 'at an unknown cost' : formatUsd(known);
  const verb = begun.length === 1 ? one : several;
  return [
    `${formatAmount(begun.length, 'episode')} without a result ${verb}: ` +
      `${formatAmount(calls, 'call')} (${cost}) made before are ${end}`,
  ];
}
