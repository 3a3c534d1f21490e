/** Makes a catalogue of command definitions. */

import type { Catalogue, CommandDefinition } from './types.ts';

/** What a catalogue may have beside its commands. */
export type CatalogueExtras = Partial<Pick<Catalogue, 'core' | 'withoutCommand' | 'firstWordOnly'>>;

export function createCatalogue(
  definitions: readonly CommandDefinition[],
  { core = [], withoutCommand = [], ...extras }: CatalogueExtras = {},
): Catalogue {
  const commands = sortedByName(definitions);
  const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));
  const find = (name: string) => byName.get(name.toLowerCase());
  return { ...extras, commands, core: sortedByName(core), withoutCommand, find };
}

/** By code unit, whatever the machine's language. */
export function sortedByName<T extends { readonly name: string }>(named: readonly T[]): T[] {
  return [...named].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
