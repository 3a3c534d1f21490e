/** Work of a run that is paid for again when it is resumed: an episode whose history has gone begins anew. */

import { readdir } from 'node:fs/promises';
import { formatAmount, formatUsd } from '../../results/document/index.ts';
import { OpenEpisodeReader, parseEpisodeLinesName, systemErrorCode, type RunLog } from '../../results/log/index.ts';
import { readRows } from '../../results/report/index.ts';
import { episodeName } from '../../wire/index.ts';

/** Model calls of one episode; the cost is null where a price is unknown. */
interface Begun {
  readonly calls: number;
  readonly costUsd: number | null;
}

/**
 * Counts the calls of episodes that have no final record: those recorded as canceled or broken, and those that were
 * open when the sweep was terminated or deleted.
 * @param log a folder's; the lines of open episodes are kept in no store
 * @returns one sentence; null where no call is paid again
 */
export async function describeRepeated(log: RunLog): Promise<string | null> {
  const episodes = new Map<string, Begun>();
  for (const row of (await readRows(log)).rows) {
    if (row.outcome !== 'cancelled' && row.outcome !== 'infrastructure_error') continue;
    const calls = row.roles.reduce((sum, role) => sum + role.calls, 0);
    episodes.set(episodeName(row), { calls, costUsd: row.costUsd });
  }
  for (const name of await namesIn(log.paths.open)) {
    const key = parseEpisodeLinesName(name);
    if (key === null) continue;
    const replies = (await new OpenEpisodeReader(log.paths, key).read()).filter(({ role }) => role !== null);
    const costs = replies.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
    const costUsd = costs.length < replies.length ? null : costs.reduce((sum, cost) => sum + cost, 0);
    if (replies.length > 0) episodes.set(episodeName(key), { calls: replies.length, costUsd });
  }
  const begun = [...episodes.values()].filter(({ calls }) => calls > 0);
  if (begun.length === 0) return null;
  const calls = begun.reduce((sum, each) => sum + each.calls, 0);
  const known = begun.reduce((sum, each) => sum + (each.costUsd ?? 0), 0);
  const cost = begun.some(({ costUsd }) => costUsd === null) ? 'at an unknown cost' : formatUsd(known);
  const begins = begun.length === 1 ? 'begins' : 'begin';
  return `${formatAmount(begun.length, 'episode')} without a result ${begins} again: ${formatAmount(calls, 'call')} (${cost}) made before are paid again`;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
