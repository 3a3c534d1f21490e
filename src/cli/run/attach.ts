/** Changes that a command line asks of a run in progress: other limits, another address of its agent, more trials. */

import { extend, resume, setLimits } from '../../../workflows/client.ts';
import type { TemporalConnection } from '../../temporal/client/index.ts';
import type { SweepLimits } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { describeLimits, askProgress, steer } from '../steer/update.ts';

/** Options of the command line itself; a run that is started has them in its input. */
export interface Asked {
  readonly limits: SweepLimits;
  /** Null: as many as it has. */
  readonly numTrials: number | null;
}

/**
 * @param numTrials that the run has
 * @throws UsageError, UnreachableError as `steer`
 */
export async function askOfRunning(
  { limits, numTrials: wanted }: Asked,
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

/**
 * Resumes a run that has paused itself for a provider's refusal; what had failed runs again. One that somebody has
 * paused stays paused.
 * @throws UsageError, UnreachableError as `steer`
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
