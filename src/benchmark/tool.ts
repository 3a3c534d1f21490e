/**
 * What a tool is, and how it is called: keyword arguments are bound to parameters in one place, with the texts of
 * the exceptions that Python raises when they do not fit.
 */

import { quote, typeError, type PyDict, type PyValue } from './python/index.ts';
import type { Store } from './store.ts';

/** A tool of a domain, ready to be called. */
export interface Tool {
  readonly name: string;
  /** Its parameters in Python's order; all are required. */
  readonly parameters: readonly string[];
  /**
   * @returns the observation
   * @throws PyError where the reference raises; what was put before stays
   */
  readonly invoke: (store: Store, args: Readonly<Record<string, PyValue>>) => string;
}

/** Declares a tool so that its code can take the arguments apart by name. */
export function defineTool<const P extends readonly string[]>(
  name: string,
  parameters: P,
  invoke: (store: Store, args: Readonly<Record<P[number], PyValue>>) => string,
): Tool {
  return { name, parameters, invoke };
}

/**
 * Calls a tool with keyword arguments.
 * @param domain names the module in one of the exception texts
 * @throws PyError for arguments that do not fit, and what the tool throws
 */
export function invokeTool(tool: Tool, domain: string, store: Store, kwargs: PyDict): string {
  const method = `${className(tool.name)}.invoke()`;
  // The reference passes its data by this name, so that Python finds it twice before it looks at anything else.
  if (kwargs.has('data')) {
    const module = `tau_bench.envs.${domain}.tools.${tool.name}`;
    throw typeError(`${module}.${method} got multiple values for keyword argument 'data'`);
  }
  for (const name of kwargs.keys()) {
    if (!tool.parameters.includes(name)) throw typeError(`${method} got an unexpected keyword argument '${name}'`);
  }
  const args: Record<string, PyValue> = {};
  const missing: string[] = [];
  for (const name of tool.parameters) {
    const value = kwargs.get(name);
    if (value === undefined) missing.push(name);
    else args[name] = value;
  }
  if (missing.length > 0) throw typeError(`${method} ${missingArguments(missing)}`);
  return tool.invoke(store, args);
}

/** `get_order_details` is `GetOrderDetails` to Python. */
function className(toolName: string): string {
  return toolName.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function missingArguments(names: readonly string[]): string {
  const quoted = names.map(quote);
  const last = quoted.at(-1) ?? '';
  const start = quoted.slice(0, -1);
  const listed = start.length < 2 ? [...start, last].join(' and ') : `${start.join(', ')}, and ${last}`;
  return `missing ${String(names.length)} required positional argument${names.length === 1 ? '' : 's'}: ${listed}`;
}
