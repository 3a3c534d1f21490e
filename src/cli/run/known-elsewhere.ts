/** Checks if the server knows a new run id as a run with its log in another folder. */

import { UsageError } from '../../errors/index.ts';
import { connect, readSweepInput, seeSweep, type TemporalConnection } from '../../temporal/client/index.ts';
import { ServerError, isUnreachable } from '../../temporal/errors.ts';
import { sweepWorkflowId, type RunRef } from '../../evaluation/index.ts';
import { shownPath, type CliContext } from '../context.ts';

/** Prints that a new run starts. @throws UsageError like {@link refuseOtherFolder}, if a server already answers */
export async function announceNewRun(run: RunRef, context: CliContext): Promise<void> {
  const { cwd: workDir, home, env } = context;
  const silent = () => undefined;
  let temporal: TemporalConnection | null = null;
  let isUnderWay = false;
  try {
    temporal = await connect({ workDir, home, env, local: 'find', onProgress: silent, onWait: silent });
    isUnderWay = await refuseOtherFolder(temporal, run);
  } catch (error) {
    // If no server answers, the start of the run reports it or starts one.
    if (!(error instanceof ServerError) || !isUnreachable(error)) throw error;
  } finally {
    await temporal?.close();
  }
  if (!isUnderWay) context.log(`no run ${run.runId} in ${shownPath(run.logDir, context.cwd)}: starting a new one`);
}

/**
 * @returns true if the run is in progress with its log in this folder
 * @throws UsageError if the server knows the run with its log in another folder
 */
export async function refuseOtherFolder(
  { client, address }: Pick<TemporalConnection, 'client' | 'address'>,
  { runId, logDir }: RunRef,
): Promise<boolean> {
  const workflowId = sweepWorkflowId(runId);
  const sweep = await seeSweep(client, workflowId);
  if (sweep === null) return false;
  // The folder is unknown if the server has deleted or encrypted the run's input.
  const input = await readSweepInput(client, workflowId).catch(() => null);
  if (input === null || input.run.logDir === logDir) return sweep.status === 'running';
  throw new UsageError(
    `the Temporal server at ${address} knows the run ${runId} with its log in ${input.run.logDir}, not in ${logDir}; ` +
      `resume it with \`npx tauflow resume ${runId} --log-dir ${input.run.logDir}\`, or choose another --run-id.`,
  );
}
