/** What a sweep that the server knows was asked to do: its log may be in another folder than the one that asks. */

import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { SweepInput } from '../wire/sweep.ts';

/** Of the newest run of this id; after continue-as-new it has the state that was carried over. */
export async function readSweepInput(client: Client, workflowId: string): Promise<SweepInput> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const payloads = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
  return decodeFromPayloadsAtIndex<SweepInput>(client.options.loadedDataConverter, 0, payloads);
}
