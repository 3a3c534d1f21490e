/** What the sweep that runs under an id was asked to do: it may have been started from another folder. */

import type { Client } from '@temporalio/client';
import { runDifferences } from '../../results/run-manifest.ts';
import { readSweepInput } from '../../temporal/sweep-input.ts';
import { sweepStatus } from '../../temporal/sweeps.ts';
import { sweepWorkflowId } from '../../wire/names.ts';
import type { SweepInput } from '../../wire/sweep.ts';
import { UsageError } from '../failures.ts';
import type { RunRequest } from './request.ts';

/**
 * The input of the sweep that would be attached to; null when none runs.
 * @throws UsageError when it is another experiment, or has its log in another place
 */
export async function findRunning(client: Client, { run, config, plan }: RunRequest): Promise<SweepInput | null> {
  const workflowId = sweepWorkflowId(run.runId);
  if ((await sweepStatus(client, workflowId)) !== 'running') return null;
  const input = await readSweepInput(client, workflowId);
  const differences = runDifferences(input, { config, plan });
  if (differences.length > 0) {
    throw new UsageError(
      `the run ${run.runId} is under way on this server with another configuration (${differences.join('; ')}); ` +
        'choose another --run-id.',
    );
  }
  if (input.run.logDir !== run.logDir) {
    throw new UsageError(
      `the run ${run.runId} is under way on this server with its log in ${input.run.logDir}; ` +
        'give that as --log-dir to attach to it, or choose another --run-id.',
    );
  }
  return input;
}
