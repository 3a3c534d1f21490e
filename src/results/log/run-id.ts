/** A run's id names its files, its workflow and the sweep in every list, and is the key to resume it. */

import { createHash } from 'node:crypto';

import { formatFloat } from '../../benchmark/python/index.ts';
import { ResultsError, ResultsProblem } from './errors.ts';

/** Leaves room for `.json`, for a task and a trial behind it, and for a file system's 255 bytes. */
export const MAX_RUN_ID_BYTES = 180;

export interface RunIdParts {
  readonly strategy: string;
  readonly model: string;
  /** null: the provider's default. */
  readonly temperature: number | null;
  /** The flags as given, so `-1` stays `-1`. */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly userModel: string;
  readonly userStrategy: string;
}

/**
 * The id in the form of tau-bench's file names:
 * `<strategy>-<model>-<temperature>_range_<start>-<end>_user-<user model>-<user strategy>_<MMDDhhmmss>`.
 * What cannot be in a file name or a workflow id becomes `-`; names too long for a file are cut and get a digest.
 *
 * @param at the run's start; its local time is used, as the reference does
 */
export function makeRunId(parts: RunIdParts, at: Date): string {
  const temperature = parts.temperature === null ? 'default' : formatFloat(parts.temperature);
  const name =
    `${parts.strategy}-${lastSegment(parts.model)}-${temperature}` +
    `_range_${String(parts.startIndex)}-${String(parts.endIndex)}` +
    `_user-${parts.userModel}-${parts.userStrategy}`;
  const safe = name.replace(/[^A-Za-z0-9._+=-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const time = `_${timestamp(at)}`;
  if (safe.length + time.length <= MAX_RUN_ID_BYTES) return safe + time;
  const digest = `-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return safe.slice(0, MAX_RUN_ID_BYTES - digest.length - time.length) + digest + time;
}

/**
 * Checks an id that a person gave.
 * @throws ResultsError (`invalid_run_id`)
 */
export function checkRunId(runId: string): string {
  const reject = (problem: string): never => {
    throw new ResultsError(ResultsProblem.InvalidRunId, `the run id ${JSON.stringify(runId)} ${problem}`);
  };
  if (runId === '') return reject('is empty: give it a name, or leave --run-id out');
  if (!/^[A-Za-z0-9][A-Za-z0-9._+=@-]*$/.test(runId)) {
    return reject('may have only letters, digits and . _ - + = @, and must start with a letter or digit');
  }
  if (runId.length > MAX_RUN_ID_BYTES) {
    return reject(`is longer than ${String(MAX_RUN_ID_BYTES)} characters: shorten it`);
  }
  if (runId.toLowerCase().endsWith('.json'))
    return reject('ends in .json, which names its results file: leave that off');
  if (runId.endsWith('.')) return reject('ends in a dot, which not every file system keeps: leave that off');
  return runId;
}

function lastSegment(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}

/** `MMDDhhmmss` in local time. */
function timestamp(at: Date): string {
  return [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((number) => String(number).padStart(2, '0'))
    .join('');
}
