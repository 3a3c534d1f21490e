/** Where the verdicts on a run, or on a results file, are. */

import path from 'node:path';

import type { EpisodeKey, JudgedSource } from '../../wire/index.ts';
import { episodeFileName, runPaths } from '../log/index.ts';

export interface VerdictPlace {
  /** One file a verdict. */
  readonly folder: string;
  /** All of them, in tau-bench's shape. */
  readonly document: string;
}

export function verdictPlace(source: JudgedSource): VerdictPlace {
  if (source.kind === 'file') return { folder: source.document.replace(/\.json$/, ''), document: source.document };
  const { verdicts, errors } = runPaths(source.run);
  return { folder: verdicts, document: errors };
}

/** `results.json` → `results.errors.json`: beside a results file of any tool. */
export function errorsFileOf(resultsFile: string): string {
  return `${resultsFile.replace(/\.json$/, '')}.errors.json`;
}

/**
 * `task-17.trial-0.json`. A results file may have several results of a task without a trial's number, or of one trial:
 * there the place in the file is a part of the name.
 */
export function verdictFile(
  { folder }: VerdictPlace,
  { index, ...key }: EpisodeKey & { index: number | null },
): string {
  const name = episodeFileName(key);
  return path.join(folder, index === null ? name : name.replace(/json$/, `result-${String(Number(index))}.json`));
}
