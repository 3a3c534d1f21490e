/** The body of `tauflow list`. */

import { readdir } from 'node:fs/promises';
import Table from 'cli-table3';
import { describeSystemError, systemErrorCode } from '../../results/errors.ts';
import { resolveLogDir } from '../../results/paths.ts';
import { snakeKeys } from '../../results/plain.ts';
import { RunLog } from '../../results/run-log.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../failures.ts';
import { printJson } from '../print-report.ts';
import type { StatusFlags } from './show.ts';

export async function showRuns(flags: StatusFlags, context: CliContext): Promise<void> {
  const runs = await listRuns(flags.logDir, context);
  if (flags.json === true) printJson(snakeKeys(runs), context);
  else if (runs.length === 0) context.out(`no runs in ${flags.logDir}`);
  else context.out(renderRuns(runs));
}

interface ListedRun {
  readonly runId: string;
  readonly status: string;
  readonly startedAt: string;
  /** Those that have a record. */
  readonly episodes: number;
  readonly planned: number;
}

/** Newest first. A folder that is no run log is passed over; a damaged one is told of. */
async function listRuns(logDir: string, context: CliContext): Promise<ListedRun[]> {
  const folder = resolveLogDir(logDir, context.cwd);
  const runs: ListedRun[] = [];
  for (const runId of await subfolders(folder)) {
    const log = new RunLog({ runId, logDir: folder });
    try {
      const manifest = await log.readRun();
      if (manifest === null) continue;
      const { status, startedAt, plan } = manifest;
      const { episodes } = await log.listEpisodes();
      const planned = plan.taskIds.length * plan.numTrials;
      runs.push({ runId, status, startedAt, episodes: episodes.length, planned });
    } catch (error) {
      context.log(`warning: ${(error as Error).message}`);
    }
  }
  return runs.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** None when the folder does not exist: nothing has been run yet. */
async function subfolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new UsageError(`the log folder ${folder} cannot be read: ${describeSystemError(error)}.`);
  }
}

function renderRuns(runs: readonly ListedRun[]): string {
  const table = new Table({ head: ['run', 'status', 'started', 'episodes'], style: { head: [], border: [] } });
  for (const run of runs) {
    table.push([run.runId, run.status, run.startedAt.slice(0, 19).replace('T', ' '), `${run.episodes}/${run.planned}`]);
  }
  return table.toString();
}
