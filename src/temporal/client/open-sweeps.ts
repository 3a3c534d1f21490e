/** Whether a worker could read the sweeps that wait for it, told by what their memos are encrypted with. */

import type { Connection } from '@temporalio/client';

import { grpc, grpcStatus, keyIdOf, missingKey, type KeyRing } from '../codec/index.ts';

/** Sweeps that are looked at: more are hardly ever open on one task queue. */
const PAGE = 100;

type ListRequest = Parameters<Connection['workflowService']['listWorkflowExecutions']>[0];

/**
 * A worker without the key of an open sweep would fail its workflow tasks again and again, so it rather does not start.
 *
 * @throws ServerError `encryption-key` with the id of the key that is missing
 */
export async function requireKeysOfOpenSweeps(
  connection: Connection,
  namespace: string,
  taskQueue: string,
  keys: KeyRing,
): Promise<void> {
  const { executions } = await list(connection, {
    namespace,
    query: `WorkflowType = 'sweep' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue.replaceAll("'", "''")}'`,
    pageSize: PAGE,
  });
  const known = new Set(keys.map(({ id }) => id));
  for (const { memo } of executions) {
    for (const payload of Object.values(memo?.fields ?? {})) {
      const id = keyIdOf(payload);
      if (id !== null && !known.has(id)) throw missingKey(id, keys);
    }
  }
}

/** Some deployments let a key run workflows but not list them: then the first task tells. */
async function list(connection: Connection, request: ListRequest) {
  try {
    return await connection.workflowService.listWorkflowExecutions(request);
  } catch (error) {
    if (grpcStatus(error) === grpc.PERMISSION_DENIED) return { executions: [] };
    throw error;
  }
}
