/** A domain: its tools with their view of the data, the shapes of records, and facts for the audit of tasks. */

import { quote, typeError, type PyDict, type PyValue } from './python/index.ts';
import type { Action } from './types.ts';

/** Shape of a value. Objects may have more fields than the named ones. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly listOf: Shape }
  /** An object that is a map: every key has a value of this shape. */
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly optional?: Readonly<Record<string, Shape>> };

/** An id in a table that refers to no record. */
export interface StrayId {
  readonly table: string;
  /** Keys and positions on the path from the table to the id. */
  readonly path: readonly (string | number)[];
  /** The stray id, if it is a text. */
  readonly id: string | undefined;
  /** Name of the id's target for messages: `orders.json`. */
  readonly target: string;
}

/**
 * A set of paths into a user's record that together identify the user (`name.first_name`; `id` is the record's key).
 */
export type Identity = readonly string[];

export interface AuditDomain {
  /** The table of the users whom tasks are about. */
  readonly people: string;
  /** Ways to identify a user; the domain's look-up tools need one. */
  readonly identities: readonly Identity[];
  /** Tools that change data. A call of another tool is a write if it changes the data. */
  readonly writes: readonly string[];
}

/** A domain's behavior; packs have its data and texts. */
export interface Domain {
  /** The tables of a pack's data, in the reference's order. One of them is `users`, the people that tasks are about. */
  readonly tables: readonly string[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** Shape of the records of a table, for finding errors in a pack; a table may have none. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Finds ids in the tables that refer to no record, for warnings about a pack. */
  readonly strayIds?: (tables: PyDict) => readonly StrayId[];
  /** Calls a tool of the agent or the user. @default calls it as tau-bench calls the agent's tools */
  readonly call?: (store: Store, action: Action) => { readonly observation: string; readonly error: boolean };
  /** Writes a task's initial state. @default the pack's data */
  readonly initialise?: (store: Store, task: PyDict) => void;
  /** Facts for the audit of tasks; the audit derives everything else from the data and the replay. */
  readonly audit?: AuditDomain;
}

/** A tool of a domain. */
export interface Tool {
  readonly name: string;
  /** Names of the parameters in Python's order; all are required. */
  readonly parameters: readonly string[];
  /** @returns the observation @throws PyError for the reference's exceptions; records written before remain */
  readonly invoke: (store: Store, args: Readonly<Record<string, PyValue>>) => string;
}

/** Declares a tool, with its arguments typed by name. */
export function defineTool<const P extends readonly string[]>(
  name: string,
  parameters: P,
  invoke: (store: Store, args: Readonly<Record<P[number], PyValue>>) => string,
): Tool {
  return { name, parameters, invoke };
}

/**
 * Calls a tool with keyword arguments.
 * @param domain name of the module in one of the exception texts
 * @throws PyError for invalid arguments, and for the tool's exceptions
 */
export function invokeTool(tool: Tool, domain: string, store: Store, kwargs: PyDict): string {
  const method = `${className(tool.name)}.invoke()`;
  // The reference passes its data under this name, so Python first finds it twice.
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

/** Returns Python's class name of a tool: `GetOrderDetails` for `get_order_details`. */
function className(toolName: string): string {
  return toolName.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** `missing 2 required positional arguments: 'a' and 'b'`. */
export function missingArguments(names: readonly string[]): string {
  const quoted = names.map(quote);
  const last = quoted.at(-1) ?? '';
  const start = quoted.slice(0, -1);
  const listed = start.length < 2 ? [...start, last].join(' and ') : `${start.join(', ')}, and ${last}`;
  return `missing ${String(names.length)} required positional argument${names.length === 1 ? '' : 's'}: ${listed}`;
}

/** A tool's view of the environment's data. Records are immutable; a tool changes one by replacing it. */
export interface Store {
  /**
   * `data[table].get(id)`.
   * @throws PyError for an id that cannot be a key, or an unknown table
   */
  find(table: string, id: PyValue): PyDict | undefined;
  /**
   * `data[table][id]`.
   * @throws PyError as {@link find}, and a KeyError when there is no such record
   */
  get(table: string, id: PyValue): PyDict;
  /** The table's records in order, added ones last. */
  entries(table: string): Iterable<readonly [id: string, record: PyValue]>;
  /** `data[table][id] = record`: replaces a record in its place, or adds one at the end. */
  put(table: string, id: PyValue, record: PyDict): void;
}

/**
 * An exception that leaves the reference's `Env.step`: the episode ends without a grade. Exceptions of tools are
 * observations instead.
 */
export class StepRaised extends Error {
  /** Python's name of the exception. */
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = 'StepRaised';
    this.type = type;
  }

  /**
   * Creates the exception for a tool that returned nothing, in the words of pydantic, with which the reference checks
   * observations.
   */
  static noObservation(): StepRaised {
    return new StepRaised(
      'ValidationError',
      '1 validation error for EnvResponse\nobservation\n  Input should be a valid string [type=string_type, ' +
        'input_value=None, input_type=NoneType]\n' +
        '    For further information visit https://errors.pydantic.dev/2.14/v/string_type',
    );
  }
}
