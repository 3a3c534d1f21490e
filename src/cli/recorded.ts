/** Finds the runs in other tools' files that a command names, and the score to use. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { detectForm, type ResultsFileEntry } from '../benchmarks/results.ts';
import { UsageError } from '../errors/index.ts';
import { requireDistinctEpisodes } from '../results/files/index.ts';
import {
  createTaskNumbers,
  readRecordedRuns,
  toEntries,
  type RecordedRun,
  type ScoreChoice,
} from '../results/formats/index.ts';
import { rowOfEntry, type EpisodeRow } from '../run-log/index.ts';
import type { CliContext } from './context.ts';

export interface ScoreFlags {
  readonly score?: string;
  readonly threshold?: string;
}

export function addScoreFlags(command: Command): Command {
  return command
    .option('--score <name>', "score that counts, of another tool's results with several")
    .option('--threshold <value>', 'count a score of at least this as 1, and a lower one as 0');
}

/** A run in a file of another tool. */
export interface NamedRun extends Omit<RecordedRun, 'trials'> {
  readonly path: string;
  readonly entries: readonly ResultsFileEntry[];
  readonly rows: readonly EpisodeRow[];
  /** Name of the used score; null if the file has no scores. */
  readonly score: string | null;
}

/**
 * Returns the runs of each subject, or null for a subject that is a run log or a results file of tau-bench's form.
 * Tasks of the same name get the same number.
 * @throws UsageError, ResultsError
 */
export async function readOtherResults(
  subjects: readonly string[],
  flags: ScoreFlags,
  context: CliContext,
  messages: boolean,
): Promise<(NamedRun[] | null)[]> {
  const choice = readChoice(flags);
  const paths = subjects.map((subject) => resolve(context.cwd, subject));
  const read: (RecordedRun[] | null)[] = [];
  for (const path of paths) read.push(existsSync(path) ? await readRecordedRuns(path, { messages }) : null);
  const numberOf = createTaskNumbers(read.flatMap((runs) => runs ?? []));
  return read.map((runs, at) => runs?.map((run) => nameRun(run, paths[at] ?? '', numberOf, choice)) ?? null);
}

function readChoice({ score, threshold }: ScoreFlags): ScoreChoice {
  if (threshold === undefined) return { score };
  const value = Number(threshold);
  if (threshold.trim() !== '' && Number.isFinite(value)) return { score, threshold: value };
  throw new UsageError('--threshold must be a number.');
}

function nameRun(run: RecordedRun, path: string, numberOf: (task: string) => number, choice: ScoreChoice): NamedRun {
  const { trials: _, ...about } = run;
  const { score, entries } = toEntries(run, numberOf, choice);
  requireDistinctEpisodes(entries, run.name);
  const form = detectForm(entries);
  const rows = entries.map((entry) => rowOfEntry(entry, form));
  return { ...about, path, score, entries, rows, notes: [describeScore(score, choice, rows), ...run.notes] };
}

function describeScore(score: string | null, { threshold }: ScoreChoice, rows: readonly EpisodeRow[]): string {
  if (score === null) return 'It has no scores, so no trial counts; the folder of its job or log may have them.';
  if (threshold !== undefined) return `The score is ${score}: at least ${String(threshold)} counts as 1, less as 0.`;
  const isGraded = rows.some(({ reward }) => reward > 0 && reward < 1);
  const most = isGraded ? ' pass^k counts scores of 1 alone; --threshold counts lower ones too.' : '';
  return `The score is ${score}.${most}`;
}
