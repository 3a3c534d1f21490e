/** What has to be right about a task queue before workers of this process listen on it. */

import { findNewerSweep, requireKeysOfOpenSweeps, type TemporalConnection } from '../temporal/client/index.ts';
import { WORKFLOW_VERSION } from '../wire/index.ts';
import { UsageError } from '../errors/index.ts';

/**
 * Refuses where this process would fail the work of sweeps that are under way: it has not got the key that they are
 * encrypted with, or its code is older than theirs.
 *
 * @throws ServerError `encryption-key`; UsageError with the run and both versions
 */
export async function checkTaskQueue(temporal: TemporalConnection, taskQueue: string): Promise<void> {
  const { connection, client, namespace, keys } = temporal;
  await requireKeysOfOpenSweeps(connection, namespace, taskQueue, keys);
  const newer = await findNewerSweep(client, taskQueue);
  if (newer === null) return;
  throw new UsageError(
    `the run ${newer.runId}, under way on the task queue ${taskQueue}, was started by newer code (workflow version ` +
      `${newer.version}, this program has ${WORKFLOW_VERSION}); start a worker of that version, or choose another --task-queue.`,
  );
}
