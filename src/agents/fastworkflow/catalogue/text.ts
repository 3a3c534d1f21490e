/** The catalogue as a model reads it. */

import type { StrategyOptions } from '../../port.ts';
import { hasCompat } from '../compat.ts';
import { sortedByName } from './catalogue.ts';
import { legacyHeading, legacyText } from './legacy-text.ts';
import type { Catalogue, CommandDefinition, FieldDefinition } from './types.ts';

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
