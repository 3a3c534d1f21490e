/** What a command is: plain data that the catalogue prints and the validator goes by. */

import type { PyDict } from '../../../bench/python/value.ts';

export interface FieldDefinition {
  /** The tool's own argument name; also the XML tag. */
  readonly name: string;
  readonly description: string;
  /** A list is a list of texts. */
  readonly type: 'text' | 'list';
  readonly required: boolean;
  /** A regular expression (flag `u`) that the whole value, or every item of a list, must match. */
  readonly pattern?: string;
  /** What the pattern means, in a few words, for the error text. */
  readonly form?: string;
  /** An invented value that matches. */
  readonly example?: string;
  /** The only values there are; matched in any case, and passed on as written here. */
  readonly allowed?: readonly string[];
  /** Commands whose answers tell this value. */
  readonly availableFrom?: readonly string[];
  /** Brings a valid value into the tool's form. */
  readonly normalise?: (value: string) => string;
}

export interface CommandDefinition {
  /** Equal to the benchmark's tool name, as are the fields to its arguments: the mapping needs no table. */
  readonly name: string;
  readonly description: string;
  /** `*` is the global context; the retail workflow has no other. */
  readonly context: '*';
  /** In the tool's order of arguments. */
  readonly fields: readonly FieldDefinition[];
  /** Stands before the raw observation in what the agent reads. */
  readonly label: string;
  /** Rules about several fields at once; called with valid fields only. One sentence for each rule that is broken. */
  readonly validate?: (parameters: PyDict) => readonly string[];
}
