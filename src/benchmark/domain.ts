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
  /** What stands there, if it is a text. */
  readonly id: string | undefined;
  /** Where the id should be found, in the words of a message: `orders.json`. */
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
  /** What the records of a table look like, so that a pack's mistakes are told; a table may go undescribed. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Finds ids in the tables that lead nowhere, for warnings about a pack. */
  readonly strayIds?: (tables: PyDict) => readonly StrayId[];
  /** What the audit of tasks has to be told; everything else it learns from the data and the replay. */
  readonly audit?: AuditDomain;
}
