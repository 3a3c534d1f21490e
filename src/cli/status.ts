/** `tauflow list` and `tauflow status RUN`: what runs there are, and how far one is. */

import { readdir } from 'node:fs/promises';
import type { Command } from 'commander';
import Table from 'cli-table3';
import { resolveLogDir } from '../results/paths.ts';
import { reportRun } from '../results/publish-run.ts';
import { RunLog } from '../results/run-log.ts';
import { connect } from '../temporal/connection.ts';
import { isUnreachable } from '../temporal/errors.ts';
import { fetchProgress, stuckReason, sweepStatus } from '../temporal/sweeps.ts';
import { sweepWorkflowId } from '../wire/names.ts';
import type { CliContext } from './context.ts';
import { openLog } from './report.ts';
import { renderProgressLine } from './terminal/progress.ts';

interface Flags {
  readonly logDir: string;
  readonly json?: boolean;
}

export function addListCommand(program: Command, context: CliContext): void {
  program
    .command('list')
    .description('list the runs of a log folder')
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags) => {
      const runs = await listRuns(flags.logDir, context);
      if (flags.json === true) context.out(JSON.stringify(runs, null, 2));
      else if (runs.length === 0) context.out(`no runs in ${flags.logDir}`);
      else context.out(renderRuns(runs));
    });
}

interface ListedRun {
  readonly runId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly episodes: number;
  readonly planned: number;
}

async function listRuns(logDir: string, { cwd, log: warn }: CliContext): Promise<ListedRun[]> {
  const folder = resolveLogDir(logDir, cwd);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const runs: ListedRun[] = [];
  for (const entry of entries.filter((item) => item.isDirectory())) {
    const log = new RunLog({ runId: entry.name, logDir: folder });
    try {
      const manifest = await log.readRun();
      if (manifest === null) continue;
      const { status, startedAt, plan } = manifest;
      const { episodes } = await log.listEpisodes();
      const planned = plan.taskIds.length * plan.numTrials;
      runs.push({ runId: entry.name, status, startedAt, episodes: episodes.length, planned });
    } catch (error) {
      warn(`warning: ${(error as Error).message}`);
    }
  }
  return runs.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function renderRuns(runs: readonly ListedRun[]): string {
  const table = new Table({ head: ['run', 'status', 'started', 'episodes'], style: { head: [], border: [] } });
  for (const run of runs) {
    table.push([run.runId, run.status, run.startedAt.slice(0, 19).replace('T', ' '), `${run.episodes}/${run.planned}`]);
  }
  return table.toString();
}

export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('how far a run is: its progress, costs and failures so far')
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .option('--json', 'print one JSON document')
    .action(async (runId: string, flags: Flags) => {
      const log = openLog(runId, flags.logDir, context.cwd);
      const manifest = await log.readRun();
      const report = await reportRun(log);
      const live = await lookLive(runId, context);
      const { metrics } = report;
      const status = live?.status ?? manifest?.status ?? 'unknown';
      const planned = manifest === null ? metrics.episodes : manifest.plan.taskIds.length * manifest.plan.numTrials;
      if (flags.json === true) {
        const progress = live?.progress ?? null;
        context.out(JSON.stringify({ runId, status, planned, recorded: metrics.episodes, progress, metrics }, null, 2));
        return;
      }
      context.out(`run       ${runId}`);
      context.out(`status    ${status}`);
      context.out(`recorded  ${metrics.episodes} of ${planned} episodes`);
      const state = { startedAt: Date.now(), endedAtStart: live?.progress?.ended ?? 0, uiUrl: null };
      if (live?.progress)
        context.out(`progress  ${renderProgressLine({ ...state, progress: live.progress }, Date.now())}`);
      if (live?.stuck) context.out(`warning   ${live.stuck}`);
      for (const problem of report.problems) context.out(`warning   ${problem}`);
    });
}

/** What the server says; null where there is none, or it does not know the run. */
async function lookLive(runId: string, context: CliContext) {
  const { cwd: workDir, home, env } = context;
  try {
    const temporal = await connect({ workDir, home, env, local: 'find', onProgress: () => undefined });
    try {
      const workflowId = sweepWorkflowId(runId);
      const status = await sweepStatus(temporal.client, workflowId);
      if (status === null) return null;
      const isRunning = status === 'running';
      const progress = isRunning ? await fetchProgress(temporal.client, workflowId).catch(() => null) : null;
      const stuck = isRunning ? await stuckReason(temporal.client, [workflowId]) : null;
      return { status: isRunning && progress === null ? 'running (no worker answers)' : status, progress, stuck };
    } finally {
      await temporal.close();
    }
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
}
