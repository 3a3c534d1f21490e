/** Finds scheduled runs in a log folder or a store, and compares one with its baseline. */

import {
  byScheduledTime,
  parseScheduledRunId,
  type CompareRunsInput,
  type ScheduledRun,
} from '../../evaluation/index.ts';
import { compareRuns, type Comparison } from './compare.ts';
import { parseGates } from '../gates/index.ts';
import type { ComparedRun } from './runs.ts';
import { orReport, type RunLog } from '../../run-log/index.ts';
import { readRows } from '../report/index.ts';
import { RUN_HEAD, WHOLE_RUN, type RunLogs } from '../../run-log/store/index.ts';
import { isBlameless, selectCondition } from '../metrics/index.ts';

/** Lists the runs of a schedule that have a run log, the earliest first. */
export async function listScheduledRuns(runs: RunLogs, schedule: string): Promise<ScheduledRun[]> {
  const names = await runs.list(`${schedule}-`);
  return names.flatMap((name) => parseScheduledRunId(schedule, name) ?? []).sort(byScheduledTime);
}

/** @param onProblem called with a sentence for each damaged record */
export async function readComparedRun(log: RunLog, onProblem: (sentence: string) => void): Promise<ComparedRun> {
  const manifest = await log.readRun();
  const { rows, problems } = await readRows(log);
  problems.forEach(onProblem);
  return {
    runId: log.runId,
    rows: selectCondition(rows, undefined),
    conditionRows: rows.filter(({ condition }) => condition !== undefined),
    manifest,
    hasRecords: true,
  };
}

/** Compares a scheduled run with the last completed run before it that has a scored episode. */
export async function compareScheduledRun(
  { run, schedule, end, planned, gates = [] }: CompareRunsInput,
  runs: RunLogs,
  onProblem: (sentence: string) => void,
): Promise<Comparison> {
  const read = await runs.use(run.runId, WHOLE_RUN, (log) => readComparedRun(log, onProblem));
  const compared: ComparedRun = { ...read, status: end, planned: read.manifest === null ? planned : undefined };
  const baseline = await findBaseline(run.runId, schedule, runs, onProblem);
  return compareRuns(baseline, compared, { gates: parseGates(gates, undefined) });
}

async function findBaseline(
  runId: string,
  schedule: string,
  runs: RunLogs,
  onProblem: (sentence: string) => void,
): Promise<ComparedRun | null> {
  const own = parseScheduledRunId(schedule, runId);
  if (own === null) return null;
  const earlier = (await listScheduledRuns(runs, schedule)).filter((other) => byScheduledTime(other, own) < 0);
  for (const { runId: earlierId } of earlier.reverse()) {
    if (!(await runs.use(earlierId, RUN_HEAD, (log) => isCompleted(log, onProblem)))) continue;
    const candidate = await runs.use(earlierId, WHOLE_RUN, (log) => readComparedRun(log, onProblem));
    // A run with infrastructure errors only is no baseline.
    if (candidate.rows.some(isBlameless)) return candidate;
  }
  return null;
}

/** True if the run was completed. Reports a damaged `run.json`. */
async function isCompleted(log: RunLog, onProblem: (sentence: string) => void): Promise<boolean> {
  const manifest = await orReport(() => log.readRun(), onProblem);
  return manifest?.status === 'completed';
}
