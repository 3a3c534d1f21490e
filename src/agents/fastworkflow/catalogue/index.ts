/**
 * The command catalogues by domain, and their texts for the model. A new domain is a line in its benchmark's
 * `fastworkflow.ts` and, for rules that JSON cannot express, a file beside this one.
 */

import { fastWorkflowData } from '../../../benchmarks/fastworkflow.ts';
import { AIRLINE } from './airline.ts';
import type { Catalogue, CommandDefinition, FieldDefinition } from './definitions.ts';
import { readDomainCommands, type DomainRules } from './read.ts';
import { RETAIL } from './retail.ts';

/** Rules of domains' commands that JSON cannot express. */
const RULES: Readonly<Record<string, DomainRules>> = { retail: RETAIL, airline: AIRLINE };

const CATALOGUES: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  Object.keys(fastWorkflowData).map((domain) => [domain, loadCatalogue(domain)]),
);

function loadCatalogue(domain: string): Catalogue {
  const { commands, sharedWith } = fastWorkflowData[domain] ?? {};
  const shared = sharedWith === undefined ? [] : loadCatalogue(sharedWith).commands;
  return readDomainCommands(commands, RULES[domain], shared);
}

/** @throws Error for a domain without commands, for which the strategy is not offered */
export function catalogueOf(domain: string): Catalogue {
  const catalogue = Object.hasOwn(CATALOGUES, domain) ? CATALOGUES[domain] : undefined;
  if (catalogue === undefined) throw new Error(`FastWorkflow has no commands for the domain ${domain}`);
  return catalogue;
}

/**
 * Compares a catalogue's commands with an environment's tools.
 *
 * @param tools names of the environment's tools
 * @param toolNames tools by command name, for different names
 * @returns one sentence for each mismatch; empty if they match
 */
export function checkCatalogue(
  catalogue: Catalogue,
  tools: readonly string[],
  toolNames: Readonly<Record<string, string>>,
): readonly string[] {
  const problems: string[] = [];
  const served = new Set<string>(catalogue.withoutCommand);
  const mapped = new Map(Object.entries(toolNames));
  for (const [command, tool] of mapped) {
    if (catalogue.find(command)?.name !== command) {
      problems.push(
        `The tool-name map says that ${command} is the tool ${tool}, but there is no command ${command}: ` +
          'correct the name or leave the entry out.',
      );
    }
  }
  for (const { name } of catalogue.commands) {
    const tool = mapped.get(name) ?? name;
    served.add(tool);
    if (tools.includes(tool)) continue;
    problems.push(
      mapped.has(name)
        ? `The tool-name map says that ${name} is the tool ${tool}, which the environment does not have: ` +
            `correct the name, else every ${name} fails.`
        : `The environment has no tool for the command ${name}, so every ${name} fails: ` +
            'name its tool in the tool-name map, if it has another name.',
    );
  }
  for (const tool of tools) {
    if (served.has(tool)) continue;
    problems.push(
      `The environment's tool ${tool} has no command, so the agent cannot use it: ` +
        'add it to the catalogue, or name it in the tool-name map, if a command is meant for it.',
    );
  }
  return problems;
}

/** The commands of a strategy: the program's own for each domain, or one supplied catalogue. */
export interface CatalogueSource {
  /** Domains that the commands are for. @default any domain */
  readonly domains?: readonly string[];
  /** @throws Error for a domain without commands */
  readonly find: (domain: string) => Catalogue;
  /** Names of all commands of all domains. */
  readonly commandNames: readonly string[];
}

export const DOMAIN_CATALOGUES: CatalogueSource = {
  domains: Object.keys(CATALOGUES),
  find: catalogueOf,
  commandNames: Object.values(CATALOGUES).flatMap(({ commands }) => commands.map(({ name }) => name)),
};

/** Returns a source with one catalogue for every domain. */
export function suppliedCatalogue(catalogue: Catalogue): CatalogueSource {
  return { find: () => catalogue, commandNames: catalogue.commands.map(({ name }) => name) };
}

/** Returns the commands as text for the model, with all information for writing them. */
export function catalogueText({ commands }: Pick<Catalogue, 'commands'>): string {
  return commands.map(commandText).join('\n\n');
}

/** Returns the parts of {@link catalogueText} for some commands, in the order of `names`; unknown names are left out. */
export function commandMetadata(catalogue: Catalogue, names: readonly string[]): string {
  const commands = names.map((name) => catalogue.find(name)).filter((command) => command !== undefined);
  return catalogueText({ commands });
}

function commandText({ name, description, fields }: CommandDefinition): string {
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
