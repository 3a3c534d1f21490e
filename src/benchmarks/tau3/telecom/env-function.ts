/** A function of the environment that only tasks call, by name and with keyword arguments. */

import type { PyDict, PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { bindArguments } from '../call.ts';
import { genericTool, type NameOf, type Parameter } from '../tool.ts';

/** @throws PyError for wrong arguments, and if the reference raises one */
export type EnvFunction = (store: Store, args: PyDict) => PyValue;

/** Makes a function whose arguments are typed by name. */
export function envFunction<const P extends readonly (string | Parameter)[]>(
  parameters: P,
  invoke: (store: Store, args: Readonly<Record<NameOf<P[number]>, PyValue>>) => PyValue,
): EnvFunction {
  const tool = genericTool('function', parameters, invoke);
  return (store, args) => tool.invoke(store, bindArguments('function()', tool.parameters, args));
}
