/** Scheduled runs in a log folder: finds them, and compares one with its baseline. */

import { readdir } from 'node:fs/promises';

import {
  byScheduledTime,
  parseScheduledRunId,
  type CompareRunsInput,
  type ScheduledRun,
  type RunRef,
} from '../../wire/index.ts';
import { compareRuns, type Comparison } from './compare.ts';
import type { ComparedRun } from './runs.ts';
import { ResultsError, ResultsProblem, RunLog, describeSystemError, systemErrorCode } from '../log/index.ts';
import { packOfRun, readRows } from '../report/index.ts';
import { isBlameless } from '../metrics/index.ts';
import type { FindPack } from '../report/index.ts';

/** Lists the runs of a schedule that have a run log, the earliest first; none when the folder does not exist. */
export async function listScheduledRuns(logDir: string, schedule: string): Promise<ScheduledRun[]> {
  try {
    const names = await readdir(logDir);
    // The results file of a run is next to its folder, and has another name.
    return names.flatMap((name) => parseScheduledRunId(schedule, name) ?? []).sort(byScheduledTime);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new ResultsError(
      ResultsProblem.Unreadable,
      `the log folder ${logDir} cannot be read: ${describeSystemError(error)}`,
      { cause: error },
    );
  }
}

/**
 * @param onProblem gets a sentence for each damaged record
 * @param findPack to analyze records without an analysis. @default they are not analyzed
 */
export async function readComparedRun(
  log: RunLog,
  onProblem: (sentence: string) => void,
  findPack?: FindPack,
): Promise<ComparedRun> {
  const manifest = await log.readRun();
  const { rows, problems } = await readRows(log, packOfRun(manifest, findPack));
  problems.forEach(onProblem);
  return { runId: log.runId, rows, manifest, hasRecords: true };
}

/** Compares a scheduled run with its baseline: the last completed run before it that has a scored episode. */
export async function compareScheduledRun(
  input: CompareRunsInput,
  onProblem: (sentence: string) => void,
): Promise<Comparison> {
  const { run, schedule, end, planned } = input;
  const read = await readComparedRun(new RunLog(run), onProblem);
  const compared: ComparedRun = { ...read, status: end, ...(read.manifest === null ? { planned } : {}) };
  return compareRuns(await findBaseline(run, schedule, onProblem), compared);
}

async function findBaseline(
  { runId, logDir }: RunRef,
  schedule: string,
  onProblem: (sentence: string) => void,
): Promise<ComparedRun | null> {
  const own = parseScheduledRunId(schedule, runId);
  if (own === null) return null;
  const earlier = (await listScheduledRuns(logDir, schedule)).filter(
    (earlierRun) => byScheduledTime(earlierRun, own) < 0,
  );
  for (const scheduled of earlier.reverse()) {
    const log = new RunLog({ runId: scheduled.runId, logDir });
    if (!(await isCompleted(log, onProblem))) continue;
    const candidate = await readComparedRun(log, onProblem);
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
