/** Makes catalogues with other names of commands and fields, and with more commands. */

import type { ToolChanges } from '../../port.ts';
import type { Catalogue, CommandDefinition, FieldDefinition } from './definitions.ts';
import { makeCommands } from './from-tools.ts';
import type { CatalogueSource } from './index.ts';

export function changeSource(source: CatalogueSource, changes: ToolChanges): CatalogueSource {
  const added = makeCommands(changes.addedToolsJson);
  const changed = new Map<Catalogue, Catalogue>();
  return {
    domains: source.domains,
    find(domain) {
      const catalogue = source.find(domain);
      const made = changed.get(catalogue) ?? changeCatalogue(catalogue, changes, added);
      changed.set(catalogue, made);
      return made;
    },
    commandNames: [...source.commandNames.map(changes.name), ...added.map(({ name }) => name)],
  };
}

/** Changes the names in a catalogue. The commands keep their order, so that it does not depend on the names. */
function changeCatalogue(before: Catalogue, changes: ToolChanges, added: readonly CommandDefinition[]): Catalogue {
  const commands = [...before.commands.map((command) => renameCommand(command, changes)), ...added];
  const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));
  return {
    commands,
    withoutCommand: before.withoutCommand.map(changes.name),
    find: (name) => byName.get(name.toLowerCase()),
    changedFrom: { catalogue: before, name: changes.name },
  };
}

function renameCommand(command: CommandDefinition, { name, text, restore }: ToolChanges): CommandDefinition {
  const { validate } = command;
  // Descriptions and examples of JSON have the keys of objects in quotes, also those of one word.
  const withKeys = (words: string) => text(words).replace(/"([a-z]+)"/g, (_, key: string) => `"${name(key)}"`);
  return {
    ...command,
    name: name(command.name),
    description: text(command.description),
    fields: command.fields.map((field): FieldDefinition => ({
      ...field,
      name: name(field.name),
      description: field.type === 'json' ? withKeys(field.description) : text(field.description),
      examples: field.type === 'json' ? field.examples?.map(withKeys) : field.examples,
      availableFrom: field.availableFrom?.map(name),
    })),
    validate: validate && ((parameters) => validate(restore(parameters)).map(text)),
  };
}
