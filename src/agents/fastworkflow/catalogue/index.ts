/**
 * The command catalogues, by domain, and as the model reads them. A new domain is a line in its
 * benchmark's `fastworkflow.ts` and, if its commands have rules that JSON cannot have, a file beside this one.
 */

import type { StrategyOptions } from '../../port.ts';
import { AIRLINE } from './airline.ts';
import {
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type CoreCommand,
  type DomainDefinition,
  sortedByName,
  type FieldDefinition,
  type FieldType,
  type OutputDefinition,
} from './definitions.ts';
import { RETAIL } from './retail.ts';
import { readDomain, type DomainRules } from './read.ts';
import { FASTWORKFLOW_COMPAT, hasCompat, type FastWorkflowCompat } from '../options.ts';
import { fastWorkflowData } from '../../../benchmarks/fastworkflow.ts';
import { repr } from '../../../benchmarks/python/index.ts';

export { isPattern } from './read.ts';

/** Domains whose commands have rules that JSON cannot have. */
const RULES: Readonly<Record<string, DomainRules>> = { retail: RETAIL, airline: AIRLINE };

const DOMAINS: Readonly<Record<string, DomainDefinition>> = Object.fromEntries(
  Object.keys(fastWorkflowData).map((domain) => [domain, defineDomain(domain)]),
);

function defineDomain(domain: string): DomainDefinition {
  const { commands, sharedWith } = fastWorkflowData[domain] ?? {};
  const shared = sharedWith === undefined ? [] : defineDomain(sharedWith).commands;
  return readDomain(commands, RULES[domain], shared);
}

const catalogueDomains: readonly string[] = Object.keys(DOMAINS);

const made = new Map<string, Catalogue>();

/**
 * The domain's commands as a run has them: with the defects that it brings back. Equal options give one and the same
 * object.
 * @throws Error for a domain without commands, which the strategy does not offer itself for
 */
export function catalogueFor(domain: string, options: Pick<StrategyOptions, 'compat'>): Catalogue {
  const key = [domain, ...[...(options.compat ?? [])].sort()].join(' ');
  const known = made.get(key);
  if (known !== undefined) return known;
  const definition = Object.hasOwn(DOMAINS, domain) ? DOMAINS[domain] : undefined;
  if (definition === undefined) throw new Error(`FastWorkflow has no commands for the domain ${domain}`);
  const catalogue = domainCatalogue(definition, options);
  made.set(key, catalogue);
  return catalogue;
}

/** The domain's commands without any defect. */
export function catalogueOf(domain: string): Catalogue {
  return catalogueFor(domain, {});
}

/** The domain's commands with the defects that were asked for, applied in the order of their list. */
function domainCatalogue(domain: DomainDefinition, options: Pick<StrategyOptions, 'compat'>): Catalogue {
  let { commands } = domain;
  for (const name of Object.keys(FASTWORKFLOW_COMPAT) as FastWorkflowCompat[]) {
    const variant = hasCompat(options, name) ? domain.variants[name] : undefined;
    if (variant !== undefined) commands = commands.map(variant);
  }
  if (hasCompat(options, 'fastworkflow-unconfirmed-writes')) {
    commands = commands.map((command) => ({ ...command, isRead: true }));
  }
  return createCatalogue(commands, {
    core: hasCompat(options, 'fastworkflow-core-commands') ? CORE_COMMANDS : [],
    withoutCommand: domain.withoutCommand,
  });
}

/**
 * FastWorkflow's own commands, about contexts and commands. A domain with one context has no use for them; they are
 * offered only to measure how much they distract. The names and the form of the answers are FastWorkflow's.
 */
export const CORE_COMMANDS: readonly CoreCommand[] = [
  {
    name: 'go_up',
    description: 'Leave the current context for the one above it, whose commands may be others.',
    answer: "There is no context above 'global'.",
  },
  {
    name: 'reset_context',
    description: 'Return to the global context, whose commands may be others.',
    answer: "The context is now 'global'.",
  },
  {
    name: 'what_can_i_do',
    description: 'Show every command of the current context, with all that is known of it.',
    answer: null,
    outputs: [{ name: 'valid_command_names', description: '', type: 'list' }],
  },
  {
    name: 'what_is_current_context',
    description: 'Tell the current context and what belongs to it.',
    answer: "The current context is 'global'.",
  },
];

/**
 * Compares a catalogue's commands with an environment's tools.
 *
 * @param tools names of the environment's tools
 * @param toolNames tools by command name, where the two have different names
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

/** The commands of a strategy: the program's own for each domain, or a catalogue that was supplied. */
export interface CatalogueSource {
  /** @default any domain */
  readonly domains?: readonly string[];
  /** The commands without any defect; undefined for a domain that has none. */
  readonly plain: (domain: string) => Catalogue | undefined;
  /** The commands as a run has them. @throws Error for a domain that has none */
  readonly asRun: (domain: string, options: Pick<StrategyOptions, 'compat'>) => Catalogue;
  /** Names of all commands, whatever the domain. */
  readonly commandNames: readonly string[];
}

export const DOMAIN_CATALOGUES: CatalogueSource = {
  domains: catalogueDomains,
  plain: (domain) => (Object.hasOwn(DOMAINS, domain) ? catalogueOf(domain) : undefined),
  asRun: catalogueFor,
  commandNames: Object.values(DOMAINS).flatMap(({ commands }) => commands.map(({ name }) => name)),
};

/** The one catalogue for every domain. Defects of commands are those of the program's own catalogues. */
export function suppliedCatalogue(catalogue: Catalogue): CatalogueSource {
  return {
    plain: () => catalogue,
    asRun: () => catalogue,
    commandNames: catalogue.commands.map(({ name }) => name),
  };
}

type TextOptions = Pick<StrategyOptions, 'compat'>;

/**
 * The commands as the model reads them, with all that writing any of them takes: every name, type, allowed value, and where values come from.
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

/** Returns the parts of {@link catalogueText} for some commands, in the order of `names`; unknown names are left out. */
export function commandMetadata(catalogue: Catalogue, names: readonly string[], options: TextOptions = {}): string {
  const commands = names.map((name) => catalogue.find(name)).filter((command) => command !== undefined);
  const write = hasCompat(options, 'fastworkflow-legacy-catalogue') ? legacyText : commandText;
  return commands.map(write).join('\n\n');
}

type Shown = Pick<CommandDefinition, 'name' | 'description' | 'fields' | 'outputs' | 'context'>;

function asCommand({ name, description, outputs = [] }: CoreCommand): Shown {
  return { name, description, fields: [], outputs, context: '*' };
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
