/** How a domain describes the records of its tables, as far as its tools rely on them. */

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
