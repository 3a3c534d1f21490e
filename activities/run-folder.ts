/**
 * The folders that activities read and write: a run's own, on the disk where it was opened. An input names a folder by its
 * path, and the same path may be another folder on another machine; and whoever reaches the server can write inputs.
 */

import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { RunLog, systemErrorCode } from '../src/results/log/index.ts';
import { verdictPlace } from '../src/results/judge/index.ts';
import { FailureType, type JudgedSource, type RunRef } from '../src/wire/index.ts';
import { missesBefore, retryAfterMiss } from './attempts.ts';

export interface RunFolderDeps {
  /** Folders that this worker writes to, with all that is in them; absent: any. */
  readonly logDirs?: readonly string[];
  readonly warn: (message: string) => void;
}

export interface RunFolders {
  /**
   * The log of a run that was opened before.
   * @throws ApplicationFailure `RunLogUnavailable`, retryable: another worker may see the folder
   */
  open(run: RunRef): Promise<RunLog>;
  /** As {@link open}, for a run that nobody has opened yet: this worker's disk is the run's from now on. */
  create(run: RunRef): Promise<RunLog>;
  /** As {@link open}, for what a judge reads and writes. */
  checkSource(source: JudgedSource): Promise<void>;
}

export function createRunFolders({ logDirs, warn }: RunFolderDeps): RunFolders {
  const told = new Set<string>();

  /** Hands the work back: a worker that sees the folder takes it. */
  const handBack = (folder: string, reason: string): ApplicationFailure => {
    if (!told.has(folder)) warn(`work on ${folder} is left to other workers: ${reason}`);
    told.add(folder);
    return ApplicationFailure.create({
      type: FailureType.RunLogUnavailable,
      message: `waiting for a worker that sees ${folder}: the one on ${hostname()} does not, ${reason}`,
      nextRetryDelay: retryAfterMiss(missesBefore(Context.current().info)),
      // The worker logs it once for each folder, not for each attempt.
      category: ApplicationFailureCategory.BENIGN,
    });
  };

  const checkRoots = async (folder: string): Promise<void> => {
    if (logDirs === undefined) return;
    const real = await realPathOf(folder);
    for (const root of logDirs) if (isWithin(await realPathOf(root), real)) return;
    throw handBack(folder, `it writes in ${logDirs.join(', ')} only (--log-dir)`);
  };

  const create = async (run: RunRef): Promise<RunLog> => {
    if (typeof run.logDir !== 'string' || !path.isAbsolute(run.logDir)) {
      throw ApplicationFailure.nonRetryable(
        `the log folder ${JSON.stringify(run.logDir)} is no absolute path`,
        FailureType.BadRequest,
      );
    }
    const log = new RunLog(run);
    await checkRoots(log.paths.folder);
    return log;
  };

  const open = async (run: RunRef): Promise<RunLog> => {
    const log = await create(run);
    if (run.token === undefined) return log;
    const token = await log.readToken();
    if (token === run.token) return log;
    const { folder } = log.paths;
    const reason = token === null ? 'there is no such folder of a run here' : 'the folder of that path here is another';
    throw handBack(folder, `${reason}; share the log folder between the workers`);
  };

  return {
    open,
    create,
    async checkSource(source) {
      if (source.kind === 'run') {
        await open(source.run);
        return;
      }
      const { file } = source;
      const { document } = verdictPlace(source);
      if (!path.isAbsolute(file) || !path.isAbsolute(document) || !document.endsWith('.json')) {
        throw ApplicationFailure.nonRetryable(
          'a judge reads and writes absolute paths of JSON files',
          FailureType.BadRequest,
        );
      }
      for (const named of [file, document]) await checkRoots(named);
      const isHere = await stat(file)
        .then((found) => found.isFile())
        .catch((error: unknown) => {
          if (systemErrorCode(error) === 'ENOENT') return false;
          throw error;
        });
      if (!isHere) throw handBack(file, 'there is no such file here');
    },
  };
}

/** Of what is there, without links; what is not there yet is in the folder that will hold it. */
async function realPathOf(place: string): Promise<string> {
  const whole = path.resolve(place);
  try {
    return await realpath(whole);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || path.dirname(whole) === whole) throw error;
    return path.join(await realPathOf(path.dirname(whole)), path.basename(whole));
  }
}

function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
