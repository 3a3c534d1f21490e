/** Scheduled runs in a log folder or a store: finds them, and compares one with its baseline. */

import {
  byScheduledTime,
  parseScheduledRunId,
  type CompareRunsInput,
  type ScheduledRun,
} from '../../evaluation/index.ts';
import { compareRuns, type Comparison } from './compare.ts';
import type { ComparedRun } from './runs.ts';
import { ResultsError, type RunLog } from '../../run-log/index.ts';
import { readRows } from '../report/index.ts';
import { RUN_HEAD, WHOLE_RUN, type RunLogs } from '../../run-log/store/index.ts';
import { isBlameless } from '../metrics/index.ts';

/** Lists the runs of a schedule that have a run log, the earliest first; none when there is no log folder. */
export async function listScheduledRuns(runs: RunLogs, schedule: string): Promise<ScheduledRun[]> {
  const names = await runs.list(`${schedule}-`);
  // The results file of a run is next to its folder, and has another name.
  return names.flatMap((name) => parseScheduledRunId(schedule, name) ?? []).sort(byScheduledTime);
}

/** @param onProblem gets a sentence for each damaged record */
export async function readComparedRun(log: RunLog, onProblem: (sentence: string) => void): Promise<ComparedRun> {
  const manifest = await log.readRun();
  const { rows, problems } = await readRows(log);
  problems.forEach(onProblem);
  return { runId: log.runId, rows, manifest, hasRecords: true };
}

/**
 * Compares a scheduled run with its baseline: the last completed run before it that has a scored episode.
 * @param runs those of its log folder
 */
export async function compareScheduledRun(
  { run, schedule, end, planned }: CompareRunsInput,
  runs: RunLogs,
  onProblem: (sentence: string) => void,
): Promise<Comparison> {
  const read = await runs.use(run.runId, WHOLE_RUN, (log) => readComparedRun(log, onProblem));
  const compared: ComparedRun = { ...read, status: end, ...(read.manifest === null ? { planned } : {}) };
  return compareRuns(await findBaseline(run.runId, schedule, runs, onProblem), compared);
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
    // A run that only has infrastructure errors is no baseline.
    if (candidate.rows.some(isBlameless)) return candidate;
  }
  return null;
}

/**
 * @returns true if the run was completed; a run that its budget ended has figures of its first tasks only. A damaged
 *   `run.json` is reported, and counts as not completed
 */
async function isCompleted(log: RunLog, onProblem: (sentence: string) => void): Promise<boolean> {
  try {
    const manifest = await log.readRun();
    return manifest?.status === 'completed';
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    onProblem(error.message);
    return false;
  }
}
