/** The runs of a schedule, from their logs and from the server. */

import type { Client } from '@temporalio/client';
import { UnreachableError, UsageError, firstLine } from '../../errors/index.ts';
import { listScheduledRuns } from '../../results/compare/index.ts';
import { ResultsError, storeAddress, type RunLog } from '../../run-log/index.ts';
import { isUnfinished, unfinishedWords } from '../../results/metrics/index.ts';
import { describeFailures } from '../../results/gates/index.ts';
import { COMPARISON, type RunLogs } from '../../run-log/store/index.ts';
import { readAlert, listSeenScheduledRuns, type SeenScheduledRun } from '../../temporal/client/index.ts';
import { parseScheduledRunId, type AlertOutcome, type RunComparison } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { accessRuns } from '../../run-setup/index.ts';

/** A run of a schedule; unknown figures are null. */
export interface ScheduleRow extends Pick<
  RunComparison,
  'runId' | 'averageReward' | 'costUsd' | 'delta' | 'low' | 'high' | 'baseline'
> {
  /** Scheduled time of the run, ISO 8601, UTC. */
  readonly at: string;
  /** The verdict; without one, the run's status: `running`, `terminated`, …. */
  readonly verdict: string;
  readonly passHat1: number | null;
  readonly tasks: number | null;
  /** Description of unfinished episodes; null if there are none. */
  readonly unfinished: string | null;
  readonly sentence: string | null;
  /** A sentence for each failed gate. */
  readonly failedGates: readonly string[];
  /** Outcome of the alert; null if there was none, or if it is unknown. */
  readonly alert: AlertOutcome | null;
}

/**
 * Opens the logs of a schedule's runs. For a store that this machine cannot read, it prints a warning and returns null:
 * workers may still read the store, and the server has the verdicts.
 */
export async function reachLogs(name: string, logDir: string, context: CliContext): Promise<RunLogs | null> {
  try {
    const logs = await accessRuns(logDir, context);
    if (storeAddress(logDir) !== null) await logs.list(`${name}-`);
    return logs;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error;
    context.log(`warning: ${logDir}, the log folder of its runs, cannot be read from here: ${firstLine(error)}`);
    return null;
  }
}

/**
 * Returns the last runs, the newest first. The run log has runs for longer than the server; the server has runs in
 * progress.
 * @param logs null to use only the server
 */
export async function lastScheduledRuns(
  client: Client,
  schedule: string,
  logs: RunLogs | null,
  most: number,
  warn: (sentence: string) => void,
): Promise<ScheduleRow[]> {
  const seen = new Map((await listSeenScheduledRuns(client, schedule, most)).map((run) => [run.runId, run]));
  const withLog = logs === null ? [] : (await listScheduledRuns(logs, schedule)).map(({ runId }) => runId);
  const runIds = [...new Set([...seen.keys(), ...withLog])].sort(newestFirst(schedule)).slice(0, most);
  const rows: ScheduleRow[] = [];
  for (const runId of runIds) {
    const onServer = seen.get(runId) ?? null;
    const logged = await logs?.use(runId, COMPARISON, (log) => loggedRow(log, schedule, warn));
    const row = logged ?? seenRow(runId, schedule, onServer);
    const mayAlert = row.verdict === 'regression' || row.verdict === 'unfinished' || row.failedGates.length > 0;
    rows.push(onServer !== null && mayAlert ? { ...row, alert: await readAlert(client, onServer) } : row);
  }
  return rows;
}

/** Reads a row from a run log; null for a run without a comparison, or with a damaged one. */
async function loggedRow(log: RunLog, schedule: string, warn: (sentence: string) => void): Promise<ScheduleRow | null> {
  const comparison = await log.readComparison().catch((error: unknown) => {
    if (!(error instanceof ResultsError)) throw error;
    warn(error.message);
    return null;
  });
  if (comparison === null) return null;
  const { run, baseline, verdict, sentence, errorsLeftOut, gates = [] } = comparison;
  const { delta, interval, tasks } = errorsLeftOut;
  return {
    runId: log.runId,
    at: findStartTime(schedule, log.runId),
    verdict,
    averageReward: run.averageReward,
    passHat1: run.passHat1,
    costUsd: run.costUsd,
    delta,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    baseline: baseline?.runId ?? null,
    tasks,
    unfinished: isUnfinished(run.unfinished) ? unfinishedWords(run.unfinished) : null,
    sentence,
    failedGates: describeFailures(gates),
    alert: null,
  };
}

/** Returns the row of a run whose log has no comparison; null if the server does not know the run. */
function seenRow(runId: string, schedule: string, seen: SeenScheduledRun | null): ScheduleRow {
  return {
    runId,
    at: findStartTime(schedule, runId),
    verdict: seen?.verdict ?? seen?.status ?? 'not compared',
    averageReward: seen?.averageReward ?? null,
    passHat1: null,
    costUsd: seen?.costUsd ?? null,
    delta: seen?.delta ?? null,
    low: null,
    high: null,
    baseline: null,
    tasks: null,
    unfinished: null,
    sentence: null,
    failedGates: [],
    alert: null,
  };
}

function findStartTime(schedule: string, runId: string): string {
  return parseScheduledRunId(schedule, runId)?.at ?? '';
}

function newestFirst(schedule: string): (a: string, b: string) => number {
  const key = (runId: string) => {
    const parsed = parseScheduledRunId(schedule, runId);
    return parsed === null ? '' : `${parsed.at} ${String(parsed.count).padStart(6, '0')}`;
  };
  return (a, b) => key(b).localeCompare(key(a));
}
