/** Where the files of a run log are. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { EpisodeKey, RunRef } from '../wire/config.ts';
import { episodeName, parseEpisodeName } from '../wire/names.ts';
import { ResultsError, ResultsProblem } from './errors.ts';

export interface RunPaths {
  /** tau-bench's results file. */
  readonly results: string;
  readonly folder: string;
  readonly episodes: string;
  readonly run: string;
  readonly metrics: string;
}

export function runPaths({ logDir, runId }: RunRef): RunPaths {
  const folder = path.join(logDir, runId);
  return {
    results: path.join(logDir, `${runId}.json`),
    folder,
    episodes: path.join(folder, 'episodes'),
    run: path.join(folder, 'run.json'),
    metrics: path.join(folder, 'metrics.json'),
  };
}

export function episodeFileName(key: EpisodeKey): string {
  return `${episodeName(key)}.json`;
}

/** The inverse of {@link episodeFileName}; null for any other name. */
export function parseEpisodeFileName(name: string): EpisodeKey | null {
  return name.endsWith('.json') ? parseEpisodeName(name.slice(0, -'.json'.length)) : null;
}

/**
 * `--log-dir` as an absolute path.
 * @param logDir a folder, relative ones to `cwd`, or a `file://` address
 * @throws ResultsError (`log_dir_unsupported`) for any other kind of address
 */
export function resolveLogDir(logDir: string, cwd: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(logDir)?.[1]?.toLowerCase();
  if (scheme === undefined) return path.resolve(cwd, logDir);
  if (scheme === 'file') return folderOfUrl(logDir);
  throw new ResultsError(
    ResultsProblem.LogDirUnsupported,
    `the log folder ${logDir} is a ${scheme}:// address, but only local folders are supported: give --log-dir a folder`,
  );
}

function folderOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new ResultsError(
      ResultsProblem.LogDirUnsupported,
      `the log folder ${url} names no folder of this machine: give --log-dir a path, or file:///path`,
      { cause: error },
    );
  }
}
