/** The last nights of a schedule: from their run logs, and from the server what these do not tell. */

import type { Client } from '@temporalio/client';
import { isUnfinished, unfinishedWords } from '../../results/metrics/index.ts';
import { ResultsError, RunLog } from '../../results/log/index.ts';
import { listScheduledRuns } from '../../results/compare/index.ts';
import { alertOf, listSeenNights, type SeenNight } from '../../temporal/client/index.ts';
import { parseScheduledRunId, type AlertOutcome, type NightlyInput } from '../../wire/index.ts';

/** Figures are null where they are not known, or not yet. */
export interface NightRow {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The verdict, or how the night stands: `running`, `terminated`, … */
  readonly verdict: string;
  readonly averageReward: number | null;
  readonly passHat1: number | null;
  /** USD. */
  readonly costUsd: number | null;
  readonly delta: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly baseline: string | null;
  readonly tasks: number | null;
  /** In words; null when there is none. */
  readonly unfinished: string | null;
  readonly sentence: string | null;
  /** null: no alert was to be sent, or it is not known. */
  readonly alert: AlertOutcome | null;
}

/** The newest first. The run log outlives the server's memory; the server knows what is under way. */
export async function lastNights(
  client: Client,
  { schedule, logDir }: Pick<NightlyInput, 'schedule' | 'logDir'>,
  most: number,
  warn: (sentence: string) => void,
): Promise<NightRow[]> {
  const seen = new Map((await listSeenNights(client, schedule, most)).map((night) => [night.runId, night]));
  const logged = (await listScheduledRuns(logDir, schedule)).map(({ runId }) => runId);
  const runIds = [...new Set([...seen.keys(), ...logged])].sort(newestFirst(schedule)).slice(0, most);
  const rows: NightRow[] = [];
  for (const runId of runIds) {
    const night = seen.get(runId) ?? null;
    const row = (await loggedRow(new RunLog({ runId, logDir }), schedule, warn)) ?? seenRow(runId, schedule, night);
    const mayAlert = row.verdict === 'regression' || row.verdict === 'unfinished';
    rows.push(night !== null && mayAlert ? { ...row, alert: await alertOf(client, night) } : row);
  }
  return rows;
}

/** Null for a night without a comparison, or with a damaged one. */
async function loggedRow(log: RunLog, schedule: string, warn: (sentence: string) => void): Promise<NightRow | null> {
  const comparison = await log.readComparison().catch((error: unknown) => {
    if (!(error instanceof ResultsError)) throw error;
    warn(error.message);
    return null;
  });
  if (comparison === null) return null;
  const { run, baseline, verdict, sentence, errorsLeftOut } = comparison;
  const { delta, interval, tasks } = errorsLeftOut;
  return {
    runId: log.runId,
    at: timeOf(schedule, log.runId),
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
    alert: null,
  };
}

/** Result on the server; without one, the run log has no comparison. */
function seenRow(runId: string, schedule: string, night: SeenNight | null): NightRow {
  return {
    runId,
    at: timeOf(schedule, runId),
    verdict: night?.verdict ?? night?.status ?? 'not compared',
    averageReward: night?.averageReward ?? null,
    passHat1: null,
    costUsd: night?.costUsd ?? null,
    delta: night?.delta ?? null,
    low: null,
    high: null,
    baseline: null,
    tasks: null,
    unfinished: null,
    sentence: null,
    alert: null,
  };
}

function timeOf(schedule: string, runId: string): string {
  return parseScheduledRunId(schedule, runId)?.at ?? '';
}

function newestFirst(schedule: string): (a: string, b: string) => number {
  const key = (runId: string) => {
    const night = parseScheduledRunId(schedule, runId);
    return night === null ? '' : `${night.at} ${String(night.count).padStart(6, '0')}`;
  };
  return (a, b) => key(b).localeCompare(key(a));
}
