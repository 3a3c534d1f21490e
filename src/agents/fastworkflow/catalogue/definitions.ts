/** The definition of a command: plain data for the catalogue's text, for prompts and for the validator. */

import type { PyDict } from '../../../benchmarks/python/index.ts';

/** A number may be an int or a float; a list is a list of texts; `json` is an object or a list, of any depth. */
export type FieldType = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

export interface FieldDefinition {
  /** Name of the tool's argument; also the XML tag. */
  readonly name: string;
  readonly description: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** True if the empty text is a value, such as the second line of a one-line address. @default false */
  readonly mayBeEmpty?: boolean;
  /** A regular expression (flag `u`) that the whole value, or every item of a list, must match. */
  readonly pattern?: string;
  /** Description of the pattern for error texts. */
  readonly form?: string;
  /** Invented valid values, as written in a tag. */
  readonly examples?: readonly string[];
  /** Allowed values; compared ignoring case, and passed on in this spelling. */
  readonly allowed?: readonly string[];
  /** Value of an absent field, as written in a tag; a field with a default is never missing. */
  readonly default?: string;
  /** Commands whose observations contain this value. */
  readonly availableFrom?: readonly string[];
  /** Converts a valid text (or item of a list) to the tool's form; does not change a text in that form. */
  readonly normalise?: (value: string) => string;
}

export interface CommandDefinition {
  /**
   * Name of the command, equal to that of the benchmark's tool. Likewise, its fields have the names of the tool's
   * arguments.
   */
  readonly name: string;
  /** Docstring: the purpose of the command, and conditions of its use. */
  readonly description: string;
  /** Phrases that users say for this command; matched by similarity. */
  readonly utterances: readonly string[];
  /** Fields in the tool's order of arguments. */
  readonly fields: readonly FieldDefinition[];
  /**
   * True if the command changes no data and does not end the conversation, so that a likely reading of an agent's words
   * suffices to run it. Any other command must be named in full.
   * @default false
   */
  readonly isRead?: boolean;
  /** Checks rules about several fields; called with valid fields only. Returns one sentence for each broken rule. */
  readonly validate?: (parameters: PyDict) => readonly string[];
}

/** The commands of one domain. */
export interface Catalogue {
  /** Sorted by name, as the model sees them. */
  readonly commands: readonly CommandDefinition[];
  /** Tools of the environment that intentionally have no command. */
  readonly withoutCommand: readonly string[];
  /** @param name in any case */
  readonly find: (name: string) => CommandDefinition | undefined;
  /** The catalogue whose names this one changes; its classifier ranks the commands of both. */
  readonly changedFrom?: { readonly catalogue: Catalogue; readonly name: (name: string) => string };
}

export function createCatalogue(
  definitions: readonly CommandDefinition[],
  { withoutCommand = [] }: Partial<Pick<Catalogue, 'withoutCommand'>> = {},
): Catalogue {
  const commands = sortedByName(definitions);
  const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));
  return { commands, withoutCommand, find: (name) => byName.get(name.toLowerCase()) };
}

/** Sorts by code unit, independent of the machine's locale. */
function sortedByName<T extends { readonly name: string }>(named: readonly T[]): T[] {
  return [...named].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
