/** Asks a server whether it is ready to work: its gRPC health service, then its namespace. */

import { Connection } from '@temporalio/client';

const frontend = 'temporal.api.workflowservice.v1.WorkflowService';

/** grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING */
const serving = 1;

/**
 * Whether a Temporal frontend answers at the address and serves the namespace.
 *
 * @param address `host:port`, without TLS
 * @param timeoutMs how long each of the two questions may take
 */
export async function isHealthy(address: string, timeoutMs = 1_000, namespace = 'default'): Promise<boolean> {
  // A connection of its own for each question: one that was refused waits a second before it tries again. And no
  // retries: whoever asks decides how often.
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    const health = await connection.withDeadline(Date.now() + timeoutMs, () =>
      connection.healthService.check({ service: frontend }),
    );
    if (Number(health.status) !== serving) return false;
    await connection.withDeadline(Date.now() + timeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    // Whatever the reason, the answer to "is it ready" is no.
    return false;
  } finally {
    await connection.close();
  }
}
