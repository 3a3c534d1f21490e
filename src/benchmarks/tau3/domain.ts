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

/** Tools and data of the agent or of the user. */
export interface Side {
  /** Name of the reference's toolkit class, which begins errors of arguments. */
  readonly toolkit: string;
  readonly tools: ReadonlyMap<string, Tau3Tool>;
  /** The tables of its database; others are in no hash. */
  readonly database: readonly DatabaseTable[];
}

export interface Tau3Domain {
  /** `tau3-retail`, which differs from the name of tau-bench's domain. */
  readonly name: string;
  /** Names of the reference's data files. */
  readonly files: readonly string[];
  readonly assistant: Side;
  /** Absent: the simulated user has no tools. */
  readonly user?: Side;
  /**
   * Makes the tables from the reference's data files (parsed JSON or TOML), in the form in which its models dump
   * records.
   * @throws PyError for data that the reference refuses
   */
  readonly load: (files: Readonly<Record<string, PyValue>>) => PyDict;
  /** Updates each side from the other's state, after every successful call. */
  readonly sync?: (store: Store) => void;
  /**
   * Functions that tasks call by name, to prepare or check the state (`env_assertions`).
   * @throws PyError where the reference raises
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
