/** The commands of the retail workflow: finding one by name, and printing them for a model. */

import { LOOKUPS } from './commands/lookups.ts';
import type { CommandDefinition, FieldDefinition } from './commands/types.ts';
import { WRITES } from './commands/writes.ts';

/** Sorted by name, as the model sees them. */
export const COMMANDS: readonly CommandDefinition[] = [...LOOKUPS, ...WRITES].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);

const byName = new Map(COMMANDS.map((command) => [command.name, command]));

/** @param name in any case */
export function findCommand(name: string): CommandDefinition | undefined {
  return byName.get(name.toLowerCase());
}

/** What a model needs to know to write any command: every name, type, allowed value, and where values come from. */
export function catalogueText(): string {
  return COMMANDS.map(commandText).join('\n\n');
}

function commandText(command: CommandDefinition): string {
  const heading = `- ${command.name}: ${command.description}`;
  const fields = command.fields.length === 0 ? ['    none'] : command.fields.map(fieldText);
  return [heading, '  parameters:', ...fields].join('\n');
}

function fieldText(field: FieldDefinition): string {
  const traits = [field.type as string, field.required ? 'required' : 'optional'];
  if (field.allowed !== undefined) traits.push(`one of ${field.allowed.map((value) => `'${value}'`).join(' or ')}`);
  const notes = [field.description];
  if (field.example !== undefined) notes.push(`example: ${field.example}`);
  if (field.availableFrom !== undefined) notes.push(`available_from: ${field.availableFrom.join(', ')}`);
  return `    ${field.name} (${traits.join(', ')}): ${notes.join('; ')}`;
}
