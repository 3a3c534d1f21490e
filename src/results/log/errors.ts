/** What can go wrong with a run log, and is a person's to put right. Every message is one sentence that says how. */

import { UsageError } from '../../errors/index.ts';

export const ResultsProblem = {
  /** The log folder is an address of a kind that is not supported. */
  LogDirUnsupported: 'log_dir_unsupported',
  /** The log folder cannot be created or written to. */
  LogDirUnwritable: 'log_dir_unwritable',
  /** No space, or no quota, is left for the log folder. */
  DiskFull: 'disk_full',
  /** A file is not there, or may not be read. */
  Unreadable: 'unreadable',
  /** A file is not JSON (often cut short), or JSON of another shape. */
  Malformed: 'malformed',
  /** A run id that cannot name files and workflows. */
  InvalidRunId: 'invalid_run_id',
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

/** Why the operating system refused, in words; the bare code where there are none. */
export function describeSystemError(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === null) return error instanceof Error ? error.message : String(error);
  return WORDS[code] ?? code;
}

/** `ENOENT` and its like; null for errors that are not the operating system's. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
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
