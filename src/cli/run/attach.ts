/** Changes to a run in progress by a command line: limits, the agent's address, more trials. */

import { extend, resume, retry, setLimits } from '../../../workflows/client.ts';
import type { TemporalConnection } from '../../temporal/client/index.ts';
import type { SweepLimits, SweepProgress } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { describeLimits, askProgress, steer } from '../steer/update.ts';

/** Options for a run in progress. A new run has them in its input. */
export interface AttachOptions {
  readonly limits: SweepLimits;
  /** Number of trials per task; null: unchanged. */
  readonly numTrials: number | null;
  /** True for `tauflow resume`, which also continues a run that was paused by a command. */
  readonly resumes: boolean;
}

/**
 * @param numTrials the run's number of trials
 * @throws UsageError, UnreachableError like `steer`
 */
export async function applyToRunning(
  { limits, numTrials: wanted }: AttachOptions,
  run: { readonly runId: string; readonly temporal: TemporalConnection; readonly numTrials: number },
  context: CliContext,
): Promise<void> {
  if (Object.keys(limits).length > 0) {
    await steer(run, setLimits, limits);
    context.log(`changed  ${describeLimits(limits)}`);
  }
  if (wanted !== null && wanted > run.numTrials) {
    await steer(run, extend, wanted);
    context.log(`trials   ${wanted} per task, instead of ${run.numTrials}`);
  }
}

/** Returns the number of episodes that were canceled or ended by infrastructure. */
export function countBroken({ outcomes }: Pick<SweepProgress, 'outcomes'>): number {
  return (outcomes.infrastructure_error ?? 0) + (outcomes.cancelled ?? 0);
}

/**
 * Resumes a run for `tauflow resume`, even if it was paused by a command. Episodes that were canceled or ended by
 * infrastructure run again.
 * @throws UsageError, UnreachableError like `steer`
 */
export async function resumeAttached(
  run: { readonly runId: string; readonly temporal: TemporalConnection },
  context: CliContext,
): Promise<void> {
  const progress = await askProgress(run);
  if (progress === null) return;
  const { paused, pausedFor = null } = progress;
  if (paused) {
    await steer(run, resume);
    context.log(
      `resumed: ${pausedFor === null ? 'further episodes are opened' : `it had paused itself for ${pausedFor}`}`,
    );
  }
  // A run that paused itself repeats these episodes without a request.
  if (pausedFor !== null || countBroken(progress) === 0) return;
  const count = await steer(run, retry, 'failed');
  if (count > 0) context.log(`resumed: ${count === 1 ? '1 episode runs' : `${String(count)} episodes run`} again`);
}

/**
 * Resumes a run that paused itself because a provider refused its calls; failed episodes run again. A run that was
 * paused by a command stays paused.
 * @throws UsageError, UnreachableError like `steer`
 */
export async function resumeHalted(
  run: { readonly runId: string; readonly temporal: TemporalConnection },
  context: CliContext,
): Promise<void> {
  const reason = (await askProgress(run))?.pausedFor ?? null;
  if (reason === null) return;
  await steer(run, resume);
  context.log(`resumed: it had paused itself for ${reason}`);
}
