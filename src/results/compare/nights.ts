/** The nights of a schedule in a log folder: which there are, which one to compare with, and what was written of them. */

import { readdir } from 'node:fs/promises';

import {
  byScheduledTime,
  parseScheduledRunId,
  type CompareRunsInput,
  type ScheduledRun,
  type RunRef,
} from '../../wire/index.ts';
import { compareRuns, type Comparison } from './compare.ts';
import type { ComparedRun } from './run.ts';
import { ResultsError, ResultsProblem, RunLog, describeSystemError, systemErrorCode } from '../log/index.ts';
import { packOfRun, readRows } from '../report/index.ts';
import { isBlameless } from '../metrics/index.ts';
import type { FindPack } from '../task-notes/index.ts';

/** The nights that have a run log, the earliest first. None when the folder does not exist. */
export async function listNights(logDir: string, schedule: string): Promise<ScheduledRun[]> {
  try {
    const names = await readdir(logDir);
    // A run's results file stands beside its folder, and has another name.
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
 * @param findPack for analyses of records that carry none. @default they stay without
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

/** Compares a night with the last one before it that has ended in good order and says anything about its agent. */
export async function compareNight(
  input: CompareRunsInput,
  onProblem: (sentence: string) => void,
): Promise<Comparison> {
  const { run, schedule, end, planned } = input;
  const read = await readComparedRun(new RunLog(run), onProblem);
  const night: ComparedRun = { ...read, status: end, ...(read.manifest === null ? { planned } : {}) };
  return compareRuns(await findBaseline(run, schedule, onProblem), night);
}

async function findBaseline(
  { runId, logDir }: RunRef,
  schedule: string,
  onProblem: (sentence: string) => void,
): Promise<ComparedRun | null> {
  const own = parseScheduledRunId(schedule, runId);
  if (own === null) return null;
  const earlier = (await listNights(logDir, schedule)).filter((night) => byScheduledTime(night, own) < 0);
  for (const night of earlier.reverse()) {
    const log = new RunLog({ runId: night.runId, logDir });
    if (!(await hasEnded(log, onProblem))) continue;
    const candidate = await readComparedRun(log, onProblem);
    // A night that infrastructure spoilt altogether is no measure of the next one.
    if (candidate.rows.some(isBlameless)) return candidate;
  }
  return null;
}

/**
 * Reads whether the run was completed; one that its budget ended has figures of its first tasks only. A damaged
 * `run.json` is reported, and counts as not completed.
 */
async function hasEnded(log: RunLog, onProblem: (sentence: string) => void): Promise<boolean> {
  try {
    const manifest = await log.readRun();
    return manifest?.status === 'completed';
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    onProblem(error.message);
    return false;
  }
}
