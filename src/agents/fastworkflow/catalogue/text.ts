/** The catalogue as a model reads it. */

import type { Catalogue, CommandDefinition, FieldDefinition } from './types.ts';

/** What a model needs to know to write any command: every name, type, allowed value, and where values come from. */
export function catalogueText({ commands }: Pick<Catalogue, 'commands'>): string {
  return commands.map(commandText).join('\n\n');
}

function commandText(command: CommandDefinition): string {
  const heading = `- ${command.name}: ${command.description}`;
  const fields = command.fields.length === 0 ? ['    none'] : command.fields.map(fieldText);
  return [heading, '  parameters:', ...fields].join('\n');
}

function fieldText(field: FieldDefinition): string {
  const traits = [field.type as string, field.required ? 'required' : 'optional'];
  if (field.allowed !== undefined) traits.push(`one of ${field.allowed.map((value) => `'${value}'`).join(' or ')}`);
  if (field.default !== undefined) traits.push(`default ${field.default}`);
  const notes = [field.description];
  if (field.examples !== undefined) notes.push(`example: ${field.examples.join(', ')}`);
  if (field.availableFrom !== undefined) notes.push(`available_from: ${field.availableFrom.join(', ')}`);
  return `    ${field.name} (${traits.join(', ')}): ${notes.join('; ')}`;
}
