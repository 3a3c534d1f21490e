/**
 * Reads a catalogue from JSON, as `tauflow data import-fastworkflow` writes it and people edit it. Checked by hand,
 * because it is read in workflow code too, which has no schema library.
 */

import {
  COMMON_VARIANTS,
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type DomainDefinition,
  type FieldDefinition,
  type FieldType,
  type OutputDefinition,
} from './definitions.ts';

/** The catalogue's JSON form. Functions (`validate`, `normalise`) are no part of it. */
export interface CatalogueFile {
  readonly commands: readonly CommandDefinition[];
  /** Tools of the environment that have no command on purpose. @default none */
  readonly withoutCommand?: readonly string[];
}

/** @throws Error with one sentence that names the place: `commands[2].fields[0].type must be one of …` */
export function readCatalogue(json: unknown): Catalogue {
  const file = objectAt(json, 'the catalogue', ['commands', 'withoutCommand']);
  const commands = listAt(file['commands'], 'commands').map((item, at) => readCommand(item, `commands[${at}]`));
  const names = commands.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong('commands', `has the command ${twice} twice`);
  return createCatalogue(commands, {
    withoutCommand: optional(file['withoutCommand'], (value) => textsAt(value, 'withoutCommand')) ?? [],
  });
}

/** The rules of a domain's own commands, which JSON cannot have. */
export interface DomainRules {
  /** @see FieldDefinition.normalise, by field */
  readonly normalise?: Readonly<Record<string, FieldDefinition['normalise']>>;
  /** @see CommandDefinition.validate, by command */
  readonly validate?: Readonly<Record<string, CommandDefinition['validate']>>;
  /** @default {@link COMMON_VARIANTS} */
  readonly variants?: DomainDefinition['variants'];
}

/**
 * The commands of a domain that the program knows: a catalogue's file with the domain's rules.
 * @param shared commands of another domain; of equal names the file's count
 */
export function readDomain(
  json: unknown,
  { normalise = {}, validate = {}, variants = COMMON_VARIANTS }: DomainRules = {},
  shared: readonly CommandDefinition[] = [],
): DomainDefinition {
  const { commands, withoutCommand, find } = readCatalogue(json);
  const withRule = (field: FieldDefinition): FieldDefinition => {
    const rule = normalise[field.name];
    return rule === undefined ? field : { ...field, normalise: rule };
  };
  const own = commands.map((command) => {
    const rule = validate[command.name];
    const fields = command.fields.map(withRule);
    return { ...command, fields, ...(rule === undefined ? {} : { validate: rule }) };
  });
  return { withoutCommand, variants, commands: [...shared.filter(({ name }) => find(name) === undefined), ...own] };
}

/** Names that can be XML tags, and are found in words. */
const NAME = /^[A-Za-z_]\w{0,99}$/;
const TYPES: readonly FieldType[] = ['text', 'integer', 'number', 'boolean', 'list', 'json'];

function readCommand(value: unknown, place: string): CommandDefinition {
  const given = objectAt(value, place, [
    'name',
    'description',
    'utterances',
    'context',
    'fields',
    'outputs',
    'isRead',
    'label',
  ]);
  const fields = listAt(given['fields'], `${place}.fields`).map((item, at) =>
    readField(item, `${place}.fields[${at}]`),
  );
  const outputs = optional(given['outputs'], (all) =>
    listAt(all, `${place}.outputs`).map((item, at) => readOutput(item, `${place}.outputs[${at}]`)),
  );
  return {
    name: nameAt(given['name'], `${place}.name`),
    description: textAt(given['description'], `${place}.description`),
    utterances: textsAt(given['utterances'], `${place}.utterances`),
    context: optional(given['context'], (text) => textAt(text, `${place}.context`)) ?? '*',
    fields,
    ...(outputs === undefined ? {} : { outputs }),
    ...(flagAt(given['isRead'], `${place}.isRead`) ? { isRead: true } : {}),
    label: optional(given['label'], (text) => textAt(text, `${place}.label`)) ?? '',
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
    throw wrong(`${place}.pattern`, 'must be a regular expression of JavaScript with the flag u');
  }
  const texts = { pattern, form: given['form'], default: given['default'] };
  const lists = { examples: given['examples'], allowed: given['allowed'], availableFrom: given['availableFrom'] };
  return {
    ...readOutput(given, place),
    required: flagAt(given['required'], `${place}.required`),
    ...(flagAt(given['mayBeEmpty'], `${place}.mayBeEmpty`) ? { mayBeEmpty: true } : {}),
    ...entriesOf(texts, (text, key) => textAt(text, `${place}.${key}`)),
    ...entriesOf(lists, (list, key) => textsAt(list, `${place}.${key}`)),
  };
}

function readOutput(value: unknown, place: string): OutputDefinition {
  const given = objectAt(value, place);
  const type = TYPES.find((known) => known === given['type']);
  if (type === undefined) throw wrong(`${place}.type`, `must be one of ${TYPES.join(', ')}`);
  return {
    name: nameAt(given['name'], `${place}.name`),
    description: textAt(given['description'], `${place}.description`),
    type,
  };
}

/** @returns true for a text that JavaScript takes as a whole pattern */
export function isPattern(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').source !== '';
  } catch {
    return false;
  }
}

function entriesOf<K extends string, T>(
  values: Readonly<Record<K, unknown>>,
  read: (value: unknown, key: K) => T,
): Partial<Record<K, T>> {
  const entries = (Object.keys(values) as K[]).flatMap((key) =>
    values[key] === undefined ? [] : [[key, read(values[key], key)] as const],
  );
  return Object.fromEntries(entries) as Partial<Record<K, T>>;
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/** @param keys all that it may have @default any */
function objectAt(value: unknown, place: string, keys?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'must be an object');
  const unknown = keys === undefined ? undefined : Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw wrong(place, `has ${unknown}, which is none of ${(keys ?? []).join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw wrong(place, 'must be a list');
}

function textAt(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw wrong(place, 'must be a text');
}

function textsAt(value: unknown, place: string): readonly string[] {
  return listAt(value, place).map((item, at) => textAt(item, `${place}[${at}]`));
}

function nameAt(value: unknown, place: string): string {
  const name = textAt(value, place);
  if (NAME.test(name)) return name;
  throw wrong(place, 'must be letters, digits and _, at most 100');
}

function flagAt(value: unknown, place: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw wrong(place, 'must be true or false');
}

function wrong(place: string, what: string): Error {
  return new Error(`${place} ${what}`);
}
