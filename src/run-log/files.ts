/** Reads and writes whole files of a run log, and describes failures in a sentence with advice. */

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError, systemErrorCode, instead } from '../errors/index.ts';
import { decodeText, makeFolders, removeStaleScratch, writeFileAtomically } from '../io/index.ts';

export const ResultsProblem = {
  /** The log folder is an address of an unsupported kind. */
  LogDirUnsupported: 'log_dir_unsupported',
  /** The log folder cannot be created or written to. */
  LogDirUnwritable: 'log_dir_unwritable',
  /** The disk, or its quota, is full. */
  DiskFull: 'disk_full',
  /** A file is missing, or may not be read. */
  Unreadable: 'unreadable',
  /** A file is not JSON (often truncated), or JSON of another shape. */
  Malformed: 'malformed',
  /** The run exists with other settings. */
  OtherConfiguration: 'other_configuration',
  /** The run id cannot be part of names of files and workflows. */
  InvalidRunId: 'invalid_run_id',
  InvalidPlace: 'invalid_place',
} as const;
export type ResultsProblem = (typeof ResultsProblem)[keyof typeof ResultsProblem];

export class ResultsError extends UsageError {
  override readonly name = 'ResultsError';
  readonly problem: ResultsProblem;

  constructor(problem: ResultsProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** Returns the description of a system error; its code if it has none. */
export function describeSystemError(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === null) return error instanceof Error ? error.message : String(error);
  return WORDS[code] ?? code;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than this process may write (`ulimit -f`)',
  EIO: 'the disk has written only a part',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ENAMETOOLONG: 'the name is too long',
  ENOTSUP: 'no folder can be made there',
  EMFILE: 'too many files are open',
};

export class LogFiles {
  readonly #logDir: string;

  /** @param logDir folder to name in errors of writes */
  constructor(logDir: string) {
    this.#logDir = logDir;
  }

  /** Returns the names in a folder; empty if it does not exist. */
  async names(folder: string): Promise<string[]> {
    try {
      return await readdir(folder);
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw unreadableLogFile(folder, error);
    }
  }

  /**
   * @returns null if the file does not exist
   * @throws ResultsError (`malformed`, `unreadable`) with a sentence naming the file
   */
  async read<T>(file: string, parse: (text: string) => T): Promise<T | null> {
    let text: string;
    try {
      text = decodeText(await readFile(file));
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return null;
      throw unreadableLogFile(file, error);
    }
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      throw new ResultsError(error.problem, `${file} is damaged and counts as missing: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Writes a file, and creates its folder. */
  async write(file: string, text: string): Promise<void> {
    await this.writing(async () => {
      await makeFolders(path.dirname(file));
      await writeFileAtomically(file, text);
    });
  }

  /** Creates the file and its folder. @returns false if the file exists, without changing it */
  async create(file: string, text: string): Promise<boolean> {
    return this.writing(async () => {
      await makeFolders(path.dirname(file));
      return writeFileAtomically(file, text, { isNew: true }).then(() => true, instead(false, 'EEXIST'));
    });
  }

  /** Removes unfinished files of killed writers from these folders. */
  async removeStale(folders: readonly string[]): Promise<void> {
    await this.writing(async () => {
      for (const folder of folders) await removeStaleScratch(folder);
    });
  }

  /** @throws ResultsError (`disk_full`, otherwise `log_dir_unwritable`) for every system error */
  async writing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === null) throw error;
      if (code === 'ENOSPC' || code === 'EDQUOT') {
        const what = code === 'ENOSPC' ? 'disk' : 'disk quota';
        throw new ResultsError(
          ResultsProblem.DiskFull,
          `the ${what} of ${this.#logDir} is full: free space there; what waits to be written is then written`,
          { cause: error },
        );
      }
      throw new ResultsError(
        ResultsProblem.LogDirUnwritable,
        `the run log cannot be written under ${this.#logDir}: ${describeSystemError(error)}; ` +
          'free the way or choose another folder with --log-dir',
        { cause: error },
      );
    }
  }
}

/** Reads a file; null if it cannot be used, after reporting the reason in a sentence. */
export async function orReport<T>(
  read: () => Promise<T | null>,
  onProblem: (sentence: string) => void,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    onProblem(error.message);
    return null;
  }
}

/**
 * Reads a file; null if its content is damaged, like a missing file. Throws for an unreadable file, because it may be
 * readable later.
 */
export async function unlessDamaged<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ResultsError && error.problem === ResultsProblem.Malformed) return null;
    throw error;
  }
}

function unreadableLogFile(file: string, error: unknown): ResultsError {
  return new ResultsError(ResultsProblem.Unreadable, `${file} cannot be read: ${describeSystemError(error)}`, {
    cause: error,
  });
}
