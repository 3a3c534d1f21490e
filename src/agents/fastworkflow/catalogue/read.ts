/** Reads a catalogue from JSON. It checks the catalogue without a schema library, because workflow code has none. */

import {
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type FieldDefinition,
  type FieldType,
} from './definitions.ts';

/** The catalogue's JSON form, without functions (`validate`, `normalise`). */
export interface CatalogueFile {
  readonly commands: readonly CommandDefinition[];
  /** Tools of the environment that intentionally have no command. @default none */
  readonly withoutCommand?: readonly string[];
}

/** @throws Error with one sentence with the path: `commands[2].fields[0].type must be one of …` */
export function readCatalogue(json: unknown): Catalogue {
  const file = objectAt(json, 'the catalogue', ['commands', 'withoutCommand']);
  const commands = listAt(file['commands'], 'commands').map((item, at) => readCommand(item, `commands[${at}]`));
  const names = commands.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw catalogueError('commands', `has the command ${twice} twice`);
  return createCatalogue(commands, {
    withoutCommand: readOptional(file['withoutCommand'], (value) => textsAt(value, 'withoutCommand')) ?? [],
  });
}

/** The rules of a domain's commands that JSON cannot express. */
export interface DomainRules {
  /** @see FieldDefinition.normalise, by field */
  readonly normalise?: Readonly<Record<string, FieldDefinition['normalise']>>;
  /** @see CommandDefinition.validate, by command */
  readonly validate?: Readonly<Record<string, CommandDefinition['validate']>>;
}

/**
 * Combines the file of a built-in catalogue with its domain's rules.
 * @param shared commands of another domain; the file's commands replace those of the same name
 */
export function readDomainCommands(
  json: unknown,
  { normalise = {}, validate = {} }: DomainRules = {},
  shared: readonly CommandDefinition[] = [],
): Catalogue {
  const { commands, withoutCommand, find } = readCatalogue(json);
  const own = commands.map((command) => ({
    ...command,
    fields: command.fields.map((field) => ({ ...field, normalise: normalise[field.name] })),
    validate: validate[command.name],
  }));
  return createCatalogue([...shared.filter(({ name }) => find(name) === undefined), ...own], { withoutCommand });
}

/** Matches names that can be XML tags and can be found in a text. */
const NAME = /^[A-Za-z_]\w{0,99}$/;
const TYPES: readonly FieldType[] = ['text', 'integer', 'number', 'boolean', 'list', 'json'];

/** Keys of files from earlier versions, which are ignored. */
const IGNORED = ['context', 'outputs', 'label'];

function readCommand(value: unknown, place: string): CommandDefinition {
  const given = objectAt(value, place, ['name', 'description', 'utterances', 'fields', 'isRead', ...IGNORED]);
  const fields = listAt(given['fields'], `${place}.fields`).map((item, at) =>
    readField(item, `${place}.fields[${at}]`),
  );
  return {
    name: nameAt(given['name'], `${place}.name`),
    description: textAt(given['description'], `${place}.description`),
    utterances: textsAt(given['utterances'], `${place}.utterances`),
    fields,
    isRead: flagAt(given['isRead'], `${place}.isRead`),
  };
}

function readField(value: unknown, place: string): FieldDefinition {
  const given = objectAt(value, place, [
    'name',
    'description',
    'type',
    'required',
    'mayBeEmpty',
    'pattern',
    'form',
    'examples',
    'allowed',
    'default',
    'availableFrom',
  ]);
  const { pattern } = given;
  if (pattern !== undefined && !isPattern(textAt(pattern, `${place}.pattern`))) {
    throw catalogueError(`${place}.pattern`, 'must be a regular expression of JavaScript with the flag u');
  }
  const texts = { pattern, form: given['form'], default: given['default'] };
  const lists = { examples: given['examples'], allowed: given['allowed'], availableFrom: given['availableFrom'] };
  return {
    name: nameAt(given['name'], `${place}.name`),
    description: textAt(given['description'], `${place}.description`),
    type: typeAt(given['type'], `${place}.type`),
    required: flagAt(given['required'], `${place}.required`) ?? false,
    mayBeEmpty: flagAt(given['mayBeEmpty'], `${place}.mayBeEmpty`),
    ...mapEntries(texts, (text, key) => textAt(text, `${place}.${key}`)),
    ...mapEntries(lists, (list, key) => textsAt(list, `${place}.${key}`)),
  };
}

function typeAt(value: unknown, place: string): FieldType {
  const type = TYPES.find((known) => known === value);
  if (type === undefined) throw catalogueError(place, `must be one of ${TYPES.join(', ')}`);
  return type;
}

/** @returns true for a valid JavaScript pattern */
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').source !== '';
  } catch {
    return false;
  }
}

function mapEntries<K extends string, T>(
  values: Readonly<Record<K, unknown>>,
  read: (value: unknown, key: K) => T,
): Partial<Record<K, T>> {
  const entries = (Object.keys(values) as K[]).flatMap((key) =>
    values[key] === undefined ? [] : [[key, read(values[key], key)] as const],
  );
  return Object.fromEntries(entries) as Partial<Record<K, T>>;
}

function readOptional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/** @param keys all keys that the object may have @default any */
function objectAt(value: unknown, place: string, keys?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw catalogueError(place, 'must be an object');
  const unknown = keys === undefined ? undefined : Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw catalogueError(place, `has ${unknown}, which is none of ${(keys ?? []).join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw catalogueError(place, 'must be a list');
}

function textAt(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw catalogueError(place, 'must be a text');
}

function textsAt(value: unknown, place: string): readonly string[] {
  return listAt(value, place).map((item, at) => textAt(item, `${place}[${at}]`));
}

function nameAt(value: unknown, place: string): string {
  const name = textAt(value, place);
  if (NAME.test(name)) return name;
  throw catalogueError(place, 'must be letters, digits and _, at most 100');
}

function flagAt(value: unknown, place: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw catalogueError(place, 'must be true or false');
}

function catalogueError(place: string, what: string): Error {
  return new Error(`${place} ${what}`);
}
