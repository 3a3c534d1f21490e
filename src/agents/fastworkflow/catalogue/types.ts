/** What a command is: plain data that the catalogue prints, prompts describe, and the validator goes by. */

import type { PyDict } from '../../../benchmark/python/index.ts';

/** A number may be an int or a float; a list is a list of texts; `json` is an object or a list, of any depth. */
export type FieldType = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

export interface FieldDefinition {
  /** The tool's own argument name; also the XML tag. */
  readonly name: string;
  readonly description: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** The empty text is a value, such as the second line of an address that has one line. @default false */
  readonly mayBeEmpty?: true;
  /** A regular expression (flag `u`) that the whole value, or every item of a list, must match. */
  readonly pattern?: string;
  /** What the pattern means, in a few words, for the error text. */
  readonly form?: string;
  /** Invented values that match, as they would be written in a tag. */
  readonly examples?: readonly string[];
  /** The only values there are; matched in any case, and passed on as written here. */
  readonly allowed?: readonly string[];
  /** What a field that is not given means, as it would be written in a tag; such a field is never missing. */
  readonly default?: string;
  /** Commands whose answers tell this value. */
  readonly availableFrom?: readonly string[];
  /** Brings a valid text (or item of a list) into the tool's form; does nothing to a text that has it. */
  readonly normalise?: (value: string) => string;
}

/** Something that a command's answer tells. */
export interface OutputDefinition {
  readonly name: string;
  readonly description: string;
  readonly type: FieldType;
}

export interface CommandDefinition {
  /** Equal to the benchmark's tool name, as are the fields to its arguments: the mapping needs no table. */
  readonly name: string;
  /** As a docstring: what the command does, and what to know before it is used. */
  readonly description: string;
  /** What people say when they mean this command; matched by similarity. */
  readonly utterances: readonly string[];
  /** `*` is the global context. */
  readonly context: string;
  /** In the tool's order of arguments. */
  readonly fields: readonly FieldDefinition[];
  readonly outputs?: readonly OutputDefinition[];
  /**
   * The command changes no data and does not end the conversation, so it may run on a likely reading of an agent's
   * words. Any other command must be named in full.
   * @default false
   */
  readonly isRead?: true;
  /** What FastWorkflow writes before the tool's raw output. */
  readonly label: string;
  /** Rules about several fields at once; called with valid fields only. One sentence for each rule that is broken. */
  readonly validate?: (parameters: PyDict) => readonly string[];
}

/** A command that the workflow answers by itself, always alike; it takes no parameters and touches no data. */
export interface CoreCommand {
  readonly name: string;
  readonly description: string;
  readonly answer: string;
}

/** The commands of one domain. */
export interface Catalogue {
  /** Sorted by name, as the model sees them. */
  readonly commands: readonly CommandDefinition[];
  /** Offered beside the commands, sorted by name; `find` does not know them. */
  readonly core: readonly CoreCommand[];
  /**
   * A text is about the command that its first word names, as it was before workflow version 4; else about the one that
   * it names in full, wherever that is.
   * @default false
   */
  readonly firstWordOnly?: true;
  /** Tools of the environment that have no command on purpose. */
  readonly withoutCommand: readonly string[];
  /** @param name in any case */
  readonly find: (name: string) => CommandDefinition | undefined;
}
