/** Decides which files of a log folder are copied, and in which order. The module is pure. */

import path from 'node:path';

/** Files of a run by their paths in the log folder, with slashes: `my-run/episodes/task-1.trial-0.json`. */
export interface RunFiles {
  /** Name of the run; empty for files outside of runs, such as `baselines.json`. */
  readonly name: string;
  /** Files that are copied in any order, several at a time. */
  readonly files: readonly string[];
  /** `run.json`, which is copied after all others; null if there is none. */
  readonly last: string | null;
}

/**
 * Matches files that are valid in one folder only: the index of records, which contains their times; the token by which
 * workers recognize the folder; and the lines of open episodes.
 */
const LOCAL = /^[^/]+\/(?:rows\.jsonl$|run-token$|open\/)/;

/** @returns false for files that are valid in their folder only, and for hidden files, such as unfinished writes */
export function isSynced(file: string): boolean {
  return !LOCAL.test(file) && !file.split('/').some((part) => part.startsWith('.'));
}

/** @returns true for files of the named runs (their folders and results files); with null, for files of any run */
export function isOfRuns(file: string, runIds: readonly string[] | null): boolean {
  return runIds === null || runIds.some((runId) => file === `${runId}.json` || file.startsWith(`${runId}/`));
}

/** Matches characters that a file name cannot have on some system, or that control a terminal. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\x00-\x1f\x7f\\:*?"<>|\u202a-\u202e\u2066-\u2069]/;
const MAX_NAME_BYTES = 255;

/**
 * @param name path of a file in its folder, from a store in which others may choose keys
 * @returns true if joining it to a folder gives a path in that folder
 */
export function isSafePath(name: string): boolean {
  const isSafePart = (part: string) =>
    part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_NAME_BYTES;
  return !UNSAFE.test(name) && name.split('/').every(isSafePart);
}

/** Groups files by run, in the order of names. Files outside of runs are last, because they may name runs. */
export function groupByRun(files: Iterable<string>): RunFiles[] {
  const all = [...files].sort();
  const runs = new Set(all.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))));
  const groups = new Map<string, string[]>();
  for (const file of all) {
    const name = toRunName(file, runs);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [file]);
    else group.push(file);
  }
  return [...groups]
    .sort(([a], [b]) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1))
    .map(([name, group]) => {
      const last = `${name}/run.json`;
      return { name, files: group.filter((file) => file !== last), last: group.includes(last) ? last : null };
    });
}

function toRunName(file: string, runs: ReadonlySet<string>): string {
  if (file.includes('/')) return file.slice(0, file.indexOf('/'));
  const name = path.posix.basename(file, '.json');
  return runs.has(name) ? name : '';
}
