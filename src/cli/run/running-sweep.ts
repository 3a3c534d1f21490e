/**
 * Checks that a request fits the existing run: a run on the server, possibly with another folder, or a recorded one.
 */

import type { Client } from '@temporalio/client';
import { refuseDifferences, type RunRequest } from '../../run-setup/index.ts';
import { readSteering, readSweepInput, workflowStatus } from '../../temporal/client/index.ts';
import { sweepWorkflowId, type SweepPlan, type TaskQueues } from '../../evaluation/index.ts';
import { UsageError } from '../../errors/index.ts';

export interface RunningSweep {
  /** Plan with the current number of trials. */
  readonly plan: SweepPlan;
  readonly queues: TaskQueues;
  /** Address of the run's agent, if the agent is a service. */
  readonly agentUrl: string | undefined;
}

/**
 * Returns the run to attach to; null if it is not in progress.
 * @param numTrials number of trials on the command line; null if it names none
 * @param token token in the run's folder, which this process has read. @default not known yet
 * @throws UsageError if it is another experiment, has more trials, or has its log in another folder
 */
export async function findRunning(
  client: Client,
  { run, config, plan }: RunRequest,
  numTrials: number | null,
  token?: string,
): Promise<RunningSweep | null> {
  const workflowId = sweepWorkflowId(run.runId);
  if ((await workflowStatus(client, workflowId)) !== 'running') return null;
  const input = await readSweepInput(client, workflowId);
  const steering = await readSteering(client, workflowId, input);
  const running: SweepPlan = { ...input.plan, numTrials: steering.numTrials };
  const asked = { config, plan: { ...plan, numTrials: numTrials ?? running.numTrials } };
  refuseDifferences({ ...input, plan: running }, asked, `the run ${run.runId} is under way on this server`);
  if (input.run.logDir !== run.logDir) {
    throw new UsageError(
      `the run ${run.runId} is under way on this server with its log in ${input.run.logDir}; ` +
        'give that as --log-dir to attach to it, or choose another --run-id.',
    );
  }
  if (token !== undefined && input.run.token !== undefined && input.run.token !== token) {
    throw new UsageError(
      `the run ${run.runId} is under way on this server with its log in a folder ${run.logDir} of another machine; ` +
        'attach to it there, or choose another --run-id.',
    );
  }
  return { plan: running, queues: input.queues, agentUrl: steering.agentUrl };
}
