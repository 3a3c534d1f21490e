/** Environment services that this process starts: Python benchmarks behind an adapter. */

import { UsageError } from '../../errors/index.ts';
import { Adapter, environmentSetting } from '../../io/index.ts';
import { openHttpService } from './http.ts';
import type { EnvironmentService } from './port.ts';

const INTERPRETER = 'TAUFLOW_TAU2_PYTHON';

/**
 * Starts tau2's own package as a service, which ends with this process.
 * @throws UsageError without an interpreter that has the package
 */
export async function startTau2(env: Readonly<Record<string, string | undefined>>): Promise<EnvironmentService> {
  const interpreter = environmentSetting(env, INTERPRETER);
  if (interpreter === undefined) {
    throw new UsageError(`the environment tau2 needs a Python interpreter that has tau2; name it in ${INTERPRETER}.`);
  }
  const adapter = new Adapter({
    name: 'tau2',
    folder: 'tau2',
    module: 'tauflow_tau2',
    arguments: [],
    interpreter,
    variable: INTERPRETER,
    env,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  const url = await adapter.start();
  adapter.unref();
  return await openHttpService({ url });
}
