/** Threads of tokio, the library that runs the SDK's Rust code. */

import { isPlainSdk } from './plain-sdk.ts';

const VARIABLE = 'TOKIO_WORKER_THREADS';

/**
 * Calls a function that makes the SDK's runtime, whose gRPC then has one thread instead of one for each core: for a
 * server on this machine it passes a few hundred messages a second on, and several threads wake each other twice as
 * often. The SDK has no option for their number. A number that the environment names holds.
 */
export function withOneGrpcThread(make: () => void): void {
  if (isPlainSdk() || process.env[VARIABLE] !== undefined) {
    make();
    return;
  }
  process.env[VARIABLE] = '1';
  try {
    make();
  } finally {
    // Programs that this process starts have their own threads.
    delete process.env[VARIABLE];
  }
}
