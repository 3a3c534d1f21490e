/** A connection for as long as a command on schedules takes. */

import { connect, type TemporalConnection } from '../../temporal/client/index.ts';
import type { CliContext } from '../context.ts';

/**
 * @param local whether a local server is started where none runs: a schedule lives in one. A command that only finds
 * one answers at once, and says what it connects to if it has to wait
 */
export async function withTemporal<T>(
  context: CliContext,
  local: 'start' | 'find',
  work: (temporal: TemporalConnection) => Promise<T>,
): Promise<T> {
  const { cwd: workDir, home, env } = context;
  const told = local === 'start' ? { onProgress: context.log } : { onProgress: () => undefined, onWait: context.log };
  const temporal = await connect({ workDir, home, env, local, ...told });
  try {
    return await work(temporal);
  } finally {
    await temporal.close();
  }
}
