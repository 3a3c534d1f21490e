/**
 * `tauflow resume`: continues a run that is paused, interrupted or ended early. It never starts a run that does not
 * exist.
 */

import { resume, retry } from '../../../workflows/client.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { resolveLogPlace } from '../../run-log/index.ts';
import { RUN_HEAD } from '../../run-log/store/index.ts';
import { isListenedTo, readSweepInput } from '../../temporal/client/index.ts';
import { sweepWorkflowId, type SweepProgress } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { findRun, statusWord, type RunAtRest, type RunUnderWay } from '../find-run.ts';
import { readEarlyOptions } from '../options/config-file.ts';
import type { RunFlags } from '../options/flags.ts';
import { DEFAULT_LOG_DIR } from '../../run-setup/options/index.ts';
import { countBroken } from '../run/attach.ts';
import { accessRun } from '../../run-setup/index.ts';
import { runSweep } from '../run/run-sweep.ts';
import { askProgress, formatEpisodeCount, reportSteered, steer } from './update.ts';

/**
 * Resumes a run. Workers of other processes continue it if there are any; otherwise this process runs it.
 * @throws UsageError if neither the log folder nor the server knows the run
 */
export async function resumeRun(runId: string, flags: RunFlags, context: CliContext): Promise<ExitCode> {
  const { logDir: asked } = await readEarlyOptions(flags, context.cwd);
  const named = typeof asked === 'string' ? asked : undefined;
  const place = { logDir: named ?? DEFAULT_LOG_DIR };
  const logDir = await findRun<string | null>(runId, place, context, {
    underWay: (run) => resumeUnderWay(run, named, flags, context),
    atRest: (run) => findLog(run, named, context),
  });
  if (logDir === null) return ExitCode.Done;
  return await runSweep({ ...flags, options: { ...flags.options, runId, logDir } }, context, { resumes: true });
}

/** Flags that do not affect the resumed run. */
const PLAIN_FLAGS: ReadonlySet<string> = new Set(['logDir', 'json', 'taskQueue']);

/**
 * @param named the log folder that the command line names
 * @returns the log folder if this process has to work on the run; null if the request was sent to workers of other
 *   processes
 */
async function resumeUnderWay(
  run: RunUnderWay,
  named: string | undefined,
  flags: RunFlags,
  context: CliContext,
): Promise<string | null> {
  const { client } = run.temporal;
  const { run: ref, queues } = await readSweepInput(client, sweepWorkflowId(run.runId));
  if (named !== undefined && resolveLogPlace(named, context.cwd) !== ref.logDir) {
    throw inOtherFolder(run, ref.logDir);
  }
  const { options } = flags;
  const isAlone = options.detach !== true && options.worker !== false && (await hasLog(run.runId, ref.logDir, context));
  if (isAlone && !(await isListenedTo(client, queues.main))) return ref.logDir;
  const progress = await askProgress(run);
  // Workers that were killed are listed for a while, but do not answer.
  const isWaiting = progress !== null && (progress.paused || countBroken(progress) > 0);
  const isPlain = Object.keys(options).every((name) => PLAIN_FLAGS.has(name));
  if (isAlone && (!isPlain || (!isWaiting && options.json !== true))) return ref.logDir;
  flags.readOwn?.(undefined);
  await resumeSweep(run, options.json === true, context);
  return null;
}

async function resumeSweep(run: RunUnderWay, json: boolean, context: CliContext): Promise<void> {
  const { runId } = run;
  await steer(run, resume);
  const before = await askProgress(run);
  const again = before !== null && countBroken(before) > 0 ? await steer(run, retry, 'failed') : 0;
  const progress: SweepProgress | null = again === 0 ? before : await askProgress(run);
  const sentence = `${runId} continues${again === 0 ? '' : `, and runs ${formatEpisodeCount(again)} again`}`;
  reportSteered({ runId, request: 'resume', retried: again, progress }, sentence, json, context);
}

/**
 * Finds the log folder of an interrupted run: the given one, otherwise the one that the server knows.
 * @throws UsageError if its log is in neither
 */
async function findLog(run: RunAtRest, named: string | undefined, context: CliContext): Promise<string> {
  if (run.manifest !== null) return run.log.logDir;
  const known = await logDirOnServer(run);
  if (named === undefined && known !== null && (await hasLog(run.runId, known, context))) return known;
  throw inOtherFolder(run, known);
}

async function hasLog(runId: string, logDir: string, context: CliContext): Promise<boolean> {
  const log = await (await accessRun({ runId, logDir }, context)).read(RUN_HEAD);
  return (await log.readRun()) !== null;
}

/** Returns the log folder that the server knows; null if the server has only the run's id. */
async function logDirOnServer({ runId, temporal, sweep }: RunAtRest): Promise<string | null> {
  if (temporal === null || sweep === null) return null;
  const input = await readSweepInput(temporal.client, sweepWorkflowId(runId)).catch(() => null);
  return input?.run.logDir ?? null;
}

/** @throws UsageError if the log, and so the run's settings, are in another folder */
export async function requireLog(run: RunAtRest): Promise<void> {
  if (run.manifest === null) throw inOtherFolder(run, await logDirOnServer(run));
}

function inOtherFolder({ runId, sweep, log }: RunAtRest | RunUnderWay, known: string | null): UsageError {
  const state = sweep === null ? '' : ` (${statusWord(sweep.status)})`;
  const where = known === null ? 'give the folder that has it' : `it is in ${known}: give that`;
  return new UsageError(
    `the log of the run ${runId}${state} is not in ${log.logDir}; ${where} as --log-dir to resume it.`,
  );
}
