/** Makes a catalogue of command definitions. */

import type { Catalogue, CommandDefinition } from './types.ts';

export function createCatalogue(definitions: readonly CommandDefinition[]): Catalogue {
  const commands = [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(commands.map((command) => [command.name, command]));
  return { commands, find: (name) => byName.get(name.toLowerCase()) };
}
