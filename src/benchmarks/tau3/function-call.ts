/** Functions that a task calls by name, to prepare or check an episode's state (`env_assertions`). */

import { isDict, str, type PyDict, type PyValue } from '../python/index.ts';
import type { Store } from '../domain.ts';
import { makeCall } from './call.ts';
import type { Tau3Domain } from './domain.ts';
import type { Requestor } from './tool.ts';

export interface FunctionCall {
  readonly side: Requestor;
  readonly name: string;
  readonly arguments: PyDict;
}

/** Parses `{env_type, func_name, arguments}` of initialization actions and assertions. */
export function readFunctionCall(value: PyValue): FunctionCall {
  const call: PyDict = isDict(value) ? value : new Map();
  const args = call.get('arguments') ?? null;
  return {
    side: call.get('env_type') === 'user' ? 'user' : 'assistant',
    name: str(call.get('func_name') ?? null),
    arguments: isDict(args) ? args : new Map(),
  };
}

/**
 * Runs a function or a tool of a side, then {@link Tau3Domain.sync}.
 * @throws PyError if the reference raises one; Error for an unknown function
 */
export function runFunction(domain: Tau3Domain, store: Store, { side, name, arguments: args }: FunctionCall): PyValue {
  let result: PyValue;
  if (domain[side]?.tools.has(name) === true) {
    result = makeCall(domain, store, { requestor: side, name, arguments: args });
  } else {
    const run = domain.functions?.[side].get(name);
    if (run === undefined) throw new Error(`${domain.name} has no function ${name} for its ${side}`);
    result = run(store, args);
  }
  domain.sync?.(store);
  return result;
}
