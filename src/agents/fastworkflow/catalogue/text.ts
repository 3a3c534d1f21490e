/** The catalogue as the model reads it. */

import type { StrategyOptions } from '../../port.ts';
import { hasCompat } from '../compat.ts';
import {
  sortedByName,
  type Catalogue,
  type CommandDefinition,
  type FieldDefinition,
  type FieldType,
  type OutputDefinition,
} from './definitions.ts';
import { repr } from '../../../benchmark/python/index.ts';

type TextOptions = Pick<StrategyOptions, 'compat'>;

/**
 * What a model needs to know to write any command: every name, type, allowed value, and where values come from.
 * FastWorkflow's own form (`fastworkflow-legacy-catalogue`) says less.
 */
export function catalogueText(
  { commands, core }: Pick<Catalogue, 'commands'> & Partial<Pick<Catalogue, 'core'>>,
  options: TextOptions = {},
): string {
  const all = sortedByName([...commands, ...(core ?? []).map(asCommand)]);
  if (!hasCompat(options, 'fastworkflow-legacy-catalogue')) return all.map(commandText).join('\n\n');
  return [legacyHeading(all), all.map(legacyText).join('\n\n')].join('\n');
}

/** As {@link catalogueText}, for some commands only, in the order of `names`; unknown names are left out. */
export function commandMetadata(catalogue: Catalogue, names: readonly string[], options: TextOptions = {}): string {
  const commands = names.map((name) => catalogue.find(name)).filter((command) => command !== undefined);
  const write = hasCompat(options, 'fastworkflow-legacy-catalogue') ? legacyText : commandText;
  return commands.map(write).join('\n\n');
}

type Shown = Pick<CommandDefinition, 'name' | 'description' | 'fields' | 'outputs' | 'context'>;

function asCommand({ name, description }: Catalogue['core'][number]): Shown {
  return { name, description, fields: [], context: '*' };
}

function commandText({ name, description, fields }: Shown): string {
  const inputs = fields.length === 0 ? ['    none'] : fields.map(fieldText);
  return [`- ${name}: ${description}`, '  parameters:', ...inputs].join('\n');
}

function fieldText(field: FieldDefinition): string {
  const traits = [field.type as string, field.required ? 'required' : 'optional'];
  if (field.allowed !== undefined) traits.push(`one of ${field.allowed.map((value) => `'${value}'`).join(' or ')}`);
  if (field.default !== undefined) traits.push(`default '${field.default}'`);
  const notes = [field.description];
  if (field.examples !== undefined) notes.push(`example: ${field.examples.join(' or ')}`);
  if (field.availableFrom !== undefined) notes.push(`available_from: ${field.availableFrom.join(', ')}`);
  return `    ${field.name} (${traits.join(', ')}): ${notes.join('; ')}`;
}

/**
 * FastWorkflow 2.24.1 shows Python's types. Its form of the catalogue has no parameter names, does not say what is
 * required, allowed or the default, and leaves out descriptions that repeat the command's name.
 */
const PYTHON_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  list: 'typing.List[str]',
  json: 'typing.Any',
};

/** Names the context that the commands belong to. */
function legacyHeading([first]: readonly Pick<CommandDefinition, 'context'>[]): string {
  const context = first?.context ?? '*';
  return `Commands of the current context (${context === '*' ? 'global' : context}):`;
}

function legacyText({ name, description, fields, outputs = [] }: Shown): string {
  const lines = [`- ${name}`];
  const docstring = description.replace(/\s+/g, ' ').trim();
  if (!docstring.toLowerCase().includes(name.replaceAll('_', ' ').toLowerCase())) lines.push(`  ${docstring}`);
  if (fields.length > 0) lines.push('  inputs:', ...fields.flatMap(inputLines));
  if (outputs.length > 0) lines.push('  outputs:', ...outputs.map(titleLine));
  return lines.join('\n');
}

function inputLines(field: FieldDefinition): string[] {
  const lines = [titleLine(field)];
  if (field.examples !== undefined) lines.push(`    examples: ${repr(field.examples)}`);
  if (field.availableFrom !== undefined) lines.push(`    available_from: ${repr(field.availableFrom)}`);
  return lines;
}

function titleLine({ name, description, type }: FieldDefinition | OutputDefinition): string {
  return `  - ${description === '' ? name : description}, type: ${PYTHON_TYPES[type]}`;
}
