/** The types of a domain: its tools, the shapes of its records, and what an audit of its tasks needs to know. */

import type { PyDict } from './python/index.ts';
import type { Tool } from './tool.ts';

/** Objects may have more fields than are named. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly listOf: Shape }
  /** An object that is a map: every key has a value of this shape. */
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly optional?: Readonly<Record<string, Shape>> };

/** A place in a table where an id stands that leads nowhere. */
export interface StrayId {
  readonly table: string;
  /** Keys and positions from the table to the place. */
  readonly path: readonly (string | number)[];
  /** The value there, if it is a text. */
  readonly id: string | undefined;
  /** Name of the place of the id, for messages: `orders.json`. */
  readonly target: string;
}

/**
 * One way for a customer to say who they are: paths into their record (`name.first_name`; `id` is the record's key),
 * all of which the agent needs.
 */
export type Identity = readonly string[];

export interface AuditDomain {
  /** The table of the people whom tasks are about. */
  readonly people: string;
  /** Any of them is enough for the domain's look-up tools. */
  readonly identities: readonly Identity[];
  /** Tools that change data. A call of another tool counts as a write as well when it was seen to write. */
  readonly writes: readonly string[];
}

/** A domain's behaviour; its data and sentences are in packs. */
export interface Domain {
  /** The tables of a pack's data, in the reference's order; one of them is `users`, whom tasks are about. */
  readonly tables: readonly string[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** Shape of the records of a table, to find mistakes of a pack; a table may have none. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Finds ids in the tables that lead nowhere, for warnings about a pack. */
  readonly strayIds?: (tables: PyDict) => readonly StrayId[];
  /** Facts for the audit of tasks; it derives everything else from the data and the replay. */
  readonly audit?: AuditDomain;
}
