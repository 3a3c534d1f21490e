/** The trials of results files: each episode once, and several files as the trials of one run. Pure. */

import { ResultsError, ResultsProblem } from '../log/index.ts';
import type { ResultsFileEntry } from './results-reader.ts';

/** Pairs that an error names; the rest are counted. */
const MOST_NAMED = 10;

/**
 * Every figure takes a result for a trial of its own, so a pair of task and trial that is there twice would count as a
 * trial that never ran.
 * @param file names the entries in the error
 * @throws ResultsError (`malformed`) that names the pairs
 */
export function requireDistinctEpisodes(entries: readonly ResultsFileEntry[], file: string): void {
  const times = new Map<string, number>();
  for (const { task_id: taskId, trial } of entries) {
    const name = `task ${String(taskId)} trial ${String(trial ?? 0)}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const repeated = Array.from(times).filter(([, count]) => count > 1);
  if (repeated.length === 0) return;
  const named = repeated.slice(0, MOST_NAMED).map(([name, count]) => `${name} (${String(count)} times)`);
  const more = repeated.length - named.length;
  throw new ResultsError(
    ResultsProblem.Malformed,
    `${file} has more than one result of ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}; remove the ` +
      'copies or, where they are trials of one run, give each trial a file and run `npx tauflow report A B --as-trials`.',
  );
}

/**
 * The results of files that are trials of one run: the trials of each are numbered on from those of the file before it,
 * so that two files with a trial 0 give the trials 0 and 1.
 */
export function asTrialsOfOneRun(files: readonly (readonly ResultsFileEntry[])[]): ResultsFileEntry[] {
  let first = 0;
  return files.flatMap((entries) => {
    const numbers = [...new Set(entries.map(({ trial }) => trial ?? 0))].sort((a, b) => a - b);
    const renumbered = entries.map((entry) => ({ ...entry, trial: first + numbers.indexOf(entry.trial ?? 0) }));
    first += numbers.length;
    return renumbered;
  });
}
