/** A connection for as long as a command on schedules takes. */

import { connect, type TemporalConnection } from '../../temporal/connection.ts';
import type { CliContext } from '../context.ts';

/** @param local whether a local server is started where none runs: a schedule lives in one */
export async function withTemporal<T>(
  context: CliContext,
  local: 'start' | 'find',
  work: (temporal: TemporalConnection) => Promise<T>,
): Promise<T> {
  const { cwd: workDir, home, env } = context;
  const temporal = await connect({ workDir, home, env, local, onProgress: context.log });
  try {
    return await work(temporal);
  } finally {
    await temporal.close();
  }
}
