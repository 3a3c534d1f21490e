/** Whether a worker's code is too old for the sweeps that wait for it. */

import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { WORKFLOW_VERSION } from '../../wire/index.ts';
import { grpc, grpcStatus } from '../codec/index.ts';
import { readSweepInput } from './sweep-input.ts';

/** Sweeps that are looked at: more are hardly ever open on one task queue. */
const MOST_SEEN = 100;

export interface NewerSweep {
  readonly runId: string;
  /** See `WORKFLOW_VERSION`. */
  readonly version: number;
}

/**
 * An open sweep of a task queue that was started by newer code than this; null when there is none. A worker of this
 * code would fail its workflow tasks again and again.
 */
export async function findNewerSweep(client: Client, taskQueue: string): Promise<NewerSweep | null> {
  const query = `WorkflowType IN ('sweep', 'nightly') AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue.replaceAll("'", "''")}'`;
  let seen = 0;
  try {
    for await (const info of client.workflow.list({ query, pageSize: MOST_SEEN })) {
      if (++seen > MOST_SEEN) break;
      const version = await versionOf(client, info);
      if (version > WORKFLOW_VERSION) return { runId: info.workflowId, version };
    }
  } catch (error) {
    // Some deployments let a key run workflows but not list them: then the first task tells.
    if (grpcStatus(error) !== grpc.PERMISSION_DENIED) throw error;
  }
  return null;
}

async function versionOf(client: Client, { workflowId, memo }: WorkflowExecutionInfo): Promise<number> {
  const noted = memo?.['workflowVersion'];
  if (typeof noted === 'number') return noted;
  // One that names no version is older than any that does.
  const { version = 0 } = await readSweepInput(client, workflowId);
  return version;
}
