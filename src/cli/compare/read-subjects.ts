/** Reads what is to be compared: run logs and results files, mixed. */

import { basename } from 'node:path';
import { readComparedRun, type ComparedRun } from '../../results/compare/index.ts';
import { readResultsFile, requireDistinctEpisodes } from '../../results/tau-bench/index.ts';
import { detectForm, rowOfEntry, type RunLog } from '../../results/log/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { packFinder } from '../pack-lookup.ts';
import { findSubject, type Subject } from '../subject.ts';
import { uiOfRun } from '../ui-of-run.ts';

/**
 * Each under a name of its own: a run's id, or a file's name, with as much of its path as tells it from the others.
 * @throws UsageError when one is not there, or is given twice among several
 */
export async function readSubjects(
  subjects: readonly string[],
  logDir: string,
  context: CliContext,
): Promise<ComparedRun[]> {
  const found = subjects.map((subject) => findSubject(subject, logDir, context.cwd));
  const places = found.map(placeOf);
  const twice = subjects.find((_, index) => places.indexOf(places[index] ?? '') !== index);
  if (subjects.length > 2 && twice !== undefined) {
    throw new UsageError(`${twice} is given twice; name each run once.`);
  }
  const runs: ComparedRun[] = [];
  for (const subject of found) runs.push(await readSubject(subject, context));
  const ids = runs.map(({ runId }) => runId);
  const isShared = (index: number) => places.some((place, i) => ids[i] === ids[index] && place !== places[index]);
  return runs.map((run, index) => (isShared(index) ? { ...run, runId: subjects[index] ?? run.runId } : run));
}

function placeOf(subject: Subject): string {
  return subject.kind === 'file' ? subject.path : subject.log.paths.folder;
}

async function readSubject(subject: Subject, context: CliContext): Promise<ComparedRun> {
  if (subject.kind === 'run') return readRun(subject.log, context);
  const entries = await readResultsFile(subject.path);
  requireDistinctEpisodes(entries, subject.path);
  const form = detectForm(entries);
  const rows = entries.map((entry) => rowOfEntry(entry, form));
  return { runId: basename(subject.path, '.json'), rows, manifest: null };
}

async function readRun(log: RunLog, context: CliContext): Promise<ComparedRun> {
  const tell = (problem: string) => context.log(`warning: ${problem}`);
  const run = await readComparedRun(log, tell, packFinder(context));
  return { ...run, uiUrl: await uiOfRun(run.manifest, context) };
}
