/** Executes tool calls of τ³-bench: binds the arguments, runs the tool, and formats the observation. */

import { missingArguments, type Store } from '../domain.ts';
import { PyError, dumpJson, isDict, isList, str, typeError, type PyDict, type PyValue } from '../python/index.ts';
import type { Tau3Domain } from './domain.ts';
import type { Parameter, Requestor } from './tool.ts';

export interface Tau3Call {
  /** Caller of the tool. @default assistant */
  readonly requestor?: Requestor;
  readonly name: string;
  readonly arguments: PyDict;
}

export interface Tau3CallResult {
  readonly observation: string;
  /** True if the call raised an exception; earlier writes remain. */
  readonly error: boolean;
}

/** Executes a call and {@link Tau3Domain.sync}; an exception of either one becomes the observation. */
export function callTool(domain: Tau3Domain, store: Store, call: Tau3Call): Tau3CallResult {
  let result: PyValue;
  try {
    result = makeCall(domain, store, call);
    domain.sync?.(store);
  } catch (error) {
    if (error instanceof PyError) return { observation: `Error: ${error.message}`, error: true };
    throw error;
  }
  return { observation: formatObservation(result), error: false };
}

/** Executes a call without {@link Tau3Domain.sync}. @returns the tool's result @throws PyError */
export function makeCall(domain: Tau3Domain, store: Store, call: Tau3Call): PyValue {
  const { requestor = 'assistant', name, arguments: args } = call;
  // The reference passes these too, so Python first finds them twice.
  for (const taken of ['self', 'tool_name'] as const) {
    if (args.has(taken)) throw typeError(`Environment.make_tool_call() got multiple values for argument '${taken}'`);
  }
  if (args.has('requestor')) {
    const method = 'tau2.environment.environment.Environment.make_tool_call()';
    throw typeError(`${method} got multiple values for keyword argument 'requestor'`);
  }
  const side = domain[requestor];
  if (side === undefined) throw new PyError('ValueError', 'User tools not available');
  const tool = side.tools.get(name);
  if (tool === undefined) throw new PyError('ValueError', `Tool '${name}' not found.`);
  return tool.invoke(store, bindArguments(`${side.toolkit}.${tool.name}()`, tool.parameters, args));
}

/**
 * Binds arguments by name and adds defaults.
 * @param method name of the method in errors
 * @throws PyError TypeError for unknown and missing arguments
 */
export function bindArguments(
  method: string,
  parameters: readonly Parameter[],
  kwargs: PyDict,
): Record<string, PyValue> {
  for (const name of kwargs.keys()) {
    if (!parameters.some((parameter) => parameter.name === name)) {
      throw typeError(`${method} got an unexpected keyword argument '${name}'`);
    }
  }
  const args: Record<string, PyValue> = {};
  const missing: string[] = [];
  for (const parameter of parameters) {
    const given = kwargs.get(parameter.name);
    const value = given === undefined ? parameter.default : given;
    if (value === undefined) missing.push(parameter.name);
    else args[parameter.name] = value;
  }
  if (missing.length > 0) throw typeError(`${method} ${missingArguments(missing)}`);
  return args;
}

/** Formats a result: a text unchanged, any other value as JSON. The reference treats a lone number as a text. */
function formatObservation(result: PyValue): string {
  if (typeof result === 'string') return result;
  if (result === null || isList(result) || isDict(result)) return dumpJson(result);
  return dumpJson(str(result));
}
