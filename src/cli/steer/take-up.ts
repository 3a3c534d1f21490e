/** Takes a run at rest up again, as `run --run-id` does. */

import { UsageError, type ExitCode } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import { runSweep } from '../run/run-sweep.ts';
import { readSweepInput } from '../../temporal/client/index.ts';
import { sweepWorkflowId, type EpisodeKey } from '../../wire/index.ts';
import { statusWord, type RunAtRest } from '../find-run.ts';
import type { SteerFlags } from './pause.ts';

/** Those of `run` that say how this process takes part. */
export interface HostFlags extends SteerFlags {
  readonly detach?: boolean;
  readonly worker?: boolean;
  readonly taskQueue?: string;
}

/** @throws UsageError when its log is in another folder, and with it what it was asked to do */
export async function requireLog({ runId, temporal, sweep, status, manifest, log }: RunAtRest): Promise<void> {
  if (manifest !== null) return;
  // The server may keep no more of it than that it was.
  const input =
    temporal === null || sweep === null
      ? null
      : await readSweepInput(temporal.client, sweepWorkflowId(runId)).catch(() => null);
  const where = input === null ? 'the folder that has its log' : input.run.logDir;
  throw new UsageError(
    `the run ${runId} is not under way (${statusWord(status)}), and its log is not in ${log.logDir}; give ${where} as --log-dir to take it up again.`,
  );
}

/**
 * Runs what is missing, and what was cancelled or ended by infrastructure; see `runSweep`.
 * @param only the only episodes to run; null: all of these
 */
export async function takeUp(
  runId: string,
  flags: HostFlags,
  context: CliContext,
  only: readonly EpisodeKey[] | null = null,
): Promise<ExitCode> {
  const { logDir, json, detach, worker, taskQueue } = flags;
  const options = {
    runId,
    logDir,
    ...(json === undefined ? {} : { json }),
    ...(detach === undefined ? {} : { detach }),
    ...(worker === false ? { worker } : {}),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  };
  return runSweep({ options }, context, only);
}
