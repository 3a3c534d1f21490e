/** What a sweep that the server knows was asked to do: its log may be in another folder than the one that asks. */

import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { SweepInput, TaskQueues } from '../../wire/index.ts';

/** Of the newest run of this id; after continue-as-new it has the state that was carried over. */
export function readSweepInput(client: Client, workflowId: string): Promise<SweepInput> {
  return readInput<SweepInput>(client, workflowId);
}

/** The task queues of a workflow that the server knows, of whichever type of this program. */
export async function readQueues(client: Client, workflowId: string): Promise<TaskQueues> {
  return (await readInput<Pick<SweepInput, 'queues'>>(client, workflowId)).queues;
}

async function readInput<T>(client: Client, workflowId: string): Promise<T> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const payloads = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
  return decodeFromPayloadsAtIndex<T>(client.options.loadedDataConverter, 0, payloads);
}
