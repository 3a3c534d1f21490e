/** A domain of τ³-bench: its tools for agent and user, and the databases that they work on. */

import type { Store } from '../domain.ts';
import type { PyDict, PyValue } from '../python/index.ts';
import type { Requestor, Tau3Tool } from './tool.ts';

/**
 * The form of a table's records in the reference's model of the database: by id, as a list, or as the model's own fields,
 * if it has no other table.
 */
type TableForm = 'map' | 'list' | 'fields';

export interface DatabaseTable {
  readonly table: string;
  readonly form: TableForm;
}

/** One side's tools and data. */
export interface Side {
  /** The class of the reference's toolkit, which the texts of wrong arguments begin with. */
  readonly toolkit: string;
  readonly tools: ReadonlyMap<string, Tau3Tool>;
  /** The tables of its database; tables that no side names are in no hash. */
  readonly database: readonly DatabaseTable[];
}

export interface Tau3Domain {
  /** `tau3-retail`: named apart from tau-bench's domain everywhere. */
  readonly name: string;
  /** The files of the reference's data, by name. */
  readonly files: readonly string[];
  readonly assistant: Side;
  /** Absent: the simulated user has no tools. */
  readonly user?: Side;
  /**
   * Makes the tables from the files of the reference's data (JSON or TOML, as read), records in the form in which its
   * models dump them.
   * @throws PyError for data that the reference refuses
   */
  readonly load: (files: Readonly<Record<string, PyValue>>) => PyDict;
  /** Updates each side from the other's state; runs after every call that did not fail. */
  readonly sync?: (store: Store) => void;
  /**
   * Functions that tasks call by name besides tools, to prepare the state or to check it (`env_assertions`).
   * @throws PyError where the reference raises
   */
  readonly functions?: Readonly<Record<Requestor, ReadonlyMap<string, (store: Store, args: PyDict) => PyValue>>>;
  /** Writes a task's `initialization_data` and executes its `initialization_actions`. */
  readonly initialise?: (store: Store, initialState: PyDict) => void;
}

/** Looks a tool up by name on either side, as the reference does when it only wants to know its kind. */
export function findTool(domain: Tau3Domain, name: string): Tau3Tool | undefined {
  return domain.assistant.tools.get(name) ?? domain.user?.tools.get(name);
}

export function toolMap(tools: readonly Tau3Tool[]): ReadonlyMap<string, Tau3Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
