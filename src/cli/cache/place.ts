/** Access to the completion cache of this machine. */

import { describeSystemError, systemErrorCode } from '../../results/log/index.ts';
import { UsageError } from '../../errors/index.ts';

/**
 * Goes to the folder of completions.
 * @throws UsageError when the system does not allow it
 */
export async function reachable<T>(folder: string, go: () => Promise<T>): Promise<T> {
  try {
    return await go();
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    throw new UsageError(
      `the completions in ${folder} cannot be reached: ${describeSystemError(error)}; make the folder yours, or set TAUFLOW_HOME to one that is.`,
    );
  }
}
