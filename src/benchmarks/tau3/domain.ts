/** A domain of τ³-bench: its tools for agent and user, and their databases. */

import type { Store } from '../domain.ts';
import type { PyDict, PyValue } from '../python/index.ts';
import type { Requestor, Tau3Tool } from './tool.ts';

/** Form of a table in the reference's model of the database: by id, as a list, or as the model's own fields. */
type TableForm = 'map' | 'list' | 'fields';

export interface DatabaseTable {
  readonly table: string;
  readonly form: TableForm;
}

/** The tools and the data of the agent, or of the user. */
export interface Side {
  /** Name of the reference's toolkit class, which begins errors of arguments. */
  readonly toolkit: string;
  readonly tools: ReadonlyMap<string, Tau3Tool>;
  /** The tables of the side's database; other tables are in no hash. */
  readonly database: readonly DatabaseTable[];
}

export interface Tau3Domain {
  /** Name of the domain, such as `tau3-retail`, which differs from tau-bench's. */
  readonly name: string;
  /** Names of the reference's data files. */
  readonly files: readonly string[];
  readonly assistant: Side;
  /** The simulated user's tools and data; absent if it has none. */
  readonly user?: Side;
  /**
   * Makes the tables from the reference's data files (parsed JSON or TOML), in the form in which its models dump
   * records.
   * @throws PyError for data that the reference refuses
   */
  readonly load: (files: Readonly<Record<string, PyValue>>) => PyDict;
  /** Updates each side's state from the other's, after every successful call. */
  readonly sync?: (store: Store) => void;
  /**
   * Functions that tasks call by name, to prepare or check the state (`env_assertions`).
   * @throws PyError if the reference raises one
   */
  readonly functions?: Readonly<Record<Requestor, ReadonlyMap<string, (store: Store, args: PyDict) => PyValue>>>;
  /** Writes a task's `initialization_data` and executes its `initialization_actions`. */
  readonly initialise?: (store: Store, initialState: PyDict) => void;
}

/** Finds a tool of either side by name. */
export function findTool(domain: Tau3Domain, name: string): Tau3Tool | undefined {
  return domain.assistant.tools.get(name) ?? domain.user?.tools.get(name);
}

export function toolMap(tools: readonly Tau3Tool[]): ReadonlyMap<string, Tau3Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
