/** Parts of a run in an object store that operations read. The module is pure. */

import path from 'node:path';
import { episodeName, type EpisodeKey } from '../../evaluation/index.ts';
import { runPaths } from '../index.ts';

/**
 * A part of a run. Names of files are relative to the run's folder, with slashes; the results file is `../<run>.json`.
 */
export interface RunPart {
  /** Prefixes of the names to list. */
  readonly prefixes: readonly string[];
  /** Selects the listed files to read. */
  readonly wants: (file: string) => boolean;
}

/** The documents with the run's settings and token. */
export const RUN_HEAD: RunPart = {
  prefixes: ['run', 'prices.json'],
  wants: (file) => ['run.json', 'run-token', 'prices.json'].includes(file),
};

/** All files except the bodies of model calls, which are most of the bytes and are read separately. */
export const WHOLE_RUN: RunPart = { prefixes: [''], wants: (file) => !file.startsWith('requests/') };

/** The comparison of a scheduled run with the previous one. */
export const COMPARISON: RunPart = { prefixes: ['comparison.json'], wants: (file) => file === 'comparison.json' };

/** Folder of replaced records. */
const ARCHIVE = path.basename(runPaths({ runId: 'run', logDir: '/' }).archive);

/** Number of episodes above which one listing of all records is cheaper. */
const MOST_LISTED = 3;

/** Returns the part with the records of some episodes, and archived records. */
export function selectRecords(episodes: readonly EpisodeKey[]): RunPart {
  const names = new Set(episodes.map(episodeName));
  const wants = (file: string): boolean => {
    const [, folder = '', name = ''] = /^([^/]+)\/([^/]+?)(?:\.\d+)?\.json$/.exec(file) ?? [];
    return ['episodes', ARCHIVE].includes(folder) && names.has(name);
  };
  const isFew = episodes.length <= MOST_LISTED;
  const prefixes = isFew
    ? [...names].flatMap((name) => [`episodes/${name}.json`, `${ARCHIVE}/${name}.`])
    : ['episodes/', `${ARCHIVE}/`];
  return { prefixes, wants };
}

/**
 * Returns the part that a judge reads: records, and the verdicts on them.
 * @param episode null for all episodes
 */
export function judgedPart(episode: EpisodeKey | null): RunPart {
  const wants = (file: string) => /^(?:run\.json|errors\.json|(?:episodes|errors)\/[^/]+\.json)$/.test(file);
  if (episode === null) return { prefixes: ['run.json', 'episodes/', 'errors'], wants };
  const name = `${episodeName(episode)}.json`;
  return { prefixes: [`episodes/${name}`, `errors/${name}`], wants };
}

/**
 * Returns the part that a fork reads and writes.
 * @param episode the origin; null: none
 */
export function forkedPart(episode: EpisodeKey | null): RunPart {
  const origin = episode === null ? [] : [`episodes/${episodeName(episode)}.json`];
  const wants = (file: string) => RUN_HEAD.wants(file) || /^(?:episodes|forks)\/[^/]+\.json$/.test(file);
  return { prefixes: [...RUN_HEAD.prefixes, 'forks/', ...origin], wants };
}

/**
 * @returns true for files that are written to the store: not for files of one machine only, and not for unfinished
 *   files
 */
export function isKept(file: string): boolean {
  return (
    !/^(?:rows\.jsonl$|open\/)/.test(file) && !file.split('/').some((part) => part.startsWith('.') && part !== '..')
  );
}

/**
 * Sorts files for writing: archived records before current ones, and `run.json` last, so that everything it counts
 * exists.
 */
export function inWritingOrder(files: Iterable<string>): string[] {
  const rank = (file: string): number => {
    if (file.startsWith(`${ARCHIVE}/`)) return 0;
    if (file === 'run.json') return 3;
    return file.includes('/') && !file.startsWith('../') ? 1 : 2;
  };
  return [...files].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
