/** The body of `tauflow status`: what the run log has, and what the server says where there is one. */

import { snakeKeys } from '../../results/plain.ts';
import { reportOfRun } from '../../results/load-report.ts';
import { metricsToJson } from '../../results/report-json.ts';
import { connect } from '../../temporal/connection.ts';
import { isUnreachable } from '../../temporal/errors.ts';
import { fetchProgress, stuckReason, sweepStatus } from '../../temporal/sweeps.ts';
import { sweepWorkflowId } from '../../wire/names.ts';
import type { CliContext } from '../context.ts';
import { openLog } from '../open-log.ts';
import { printJson } from '../print-report.ts';
import { renderProgressLine } from '../terminal/progress.ts';

export interface StatusFlags {
  readonly logDir: string;
  readonly json?: boolean;
}

/** How long a sweep may take to tell its progress; without a worker it never does. */
const ANSWER_MS = 5_000;

export async function showStatus(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  const log = openLog(runId, flags.logDir, context.cwd);
  const manifest = await log.readRun();
  const report = await reportOfRun(log);
  const live = await lookLive(runId, context);
  const { metrics } = report;
  const status = live?.status ?? manifest?.status ?? 'unknown';
  const planned = manifest === null ? metrics.episodes : manifest.plan.taskIds.length * manifest.plan.numTrials;
  if (flags.json === true) {
    const state = { runId, status, planned, recorded: metrics.episodes, progress: live?.progress ?? null };
    printJson({ ...(snakeKeys(state) as object), metrics: metricsToJson(report) }, context);
    return;
  }
  context.out(`run       ${runId}`);
  context.out(`status    ${status}`);
  context.out(`recorded  ${metrics.episodes} of ${planned} episodes`);
  if (live?.progress) {
    const { progress } = live;
    const state = { progress, startedAt: Date.now(), endedAtStart: progress.ended, uiUrl: null };
    context.out(`progress  ${renderProgressLine(state, Date.now())}`);
  }
  if (live?.stuck) context.out(`warning   ${live.stuck}`);
  for (const problem of report.problems) context.out(`warning   ${problem}`);
}

/** What the server says; null where there is none, or it does not know the run. */
async function lookLive(runId: string, context: CliContext) {
  const { cwd: workDir, home, env } = context;
  try {
    const temporal = await connect({ workDir, home, env, local: 'find', onProgress: () => undefined });
    try {
      const { client } = temporal;
      const workflowId = sweepWorkflowId(runId);
      const status = await sweepStatus(client, workflowId);
      if (status === null) return null;
      if (status !== 'running') return { status, progress: null, stuck: null };
      const ask = () => fetchProgress(client, workflowId);
      const progress = await client.withDeadline(Date.now() + ANSWER_MS, ask).catch(() => null);
      const stuck = await stuckReason(client, [workflowId]);
      return { status: progress === null ? 'running (no worker answers)' : status, progress, stuck };
    } finally {
      await temporal.close();
    }
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
}
