/** Checks if a Temporal server answers at an address. */

import { Connection, type ConnectionOptions } from '@temporalio/client';
import { isLoopback } from '../../io/index.ts';

const FRONTEND = 'temporal.api.workflowservice.v1.WorkflowService';

/** grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING */
const SERVING = 1;

/**
 * @returns true if a Temporal frontend answers at the address and serves the default namespace
 * @param address `host:port`, without TLS
 * @param timeoutMs time limit of each of the two requests
 */
export async function isHealthy(address: string, timeoutMs = 1_000): Promise<boolean> {
  // A new connection each time, because a refused one waits a second before it tries again. Without retries, because
  // the caller decides how often to ask.
  const connection = Connection.lazy({ address, interceptors: [], ...withoutProxy(address) });
  const inTime = <T>(question: () => Promise<T>) => connection.withDeadline(Date.now() + timeoutMs, question);
  try {
    const health = await inTime(() => connection.healthService.check({ service: FRONTEND }));
    if (Number(health.status) !== SERVING) return false;
    await inTime(() => connection.workflowService.describeNamespace({ namespace: 'default' }));
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Returns options of a connection to a server on this machine, bypassing the proxy of `http_proxy`. */
export function withoutProxy(address: string): ConnectionOptions {
  return isLoopback(address) ? { channelArgs: { 'grpc.enable_http_proxy': 0 } } : {};
}
