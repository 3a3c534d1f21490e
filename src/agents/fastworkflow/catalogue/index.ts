/** The command catalogues, by domain. A new domain is a folder beside this file and a line in `DOMAINS`. */

import type { StrategyOptions } from '../../port.ts';
import { AIRLINE } from './airline/commands.ts';
import {
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type CoreCommand,
  type DomainDefinition,
} from './definitions.ts';
import { RETAIL } from './retail/commands.ts';
import { FASTWORKFLOW_COMPAT, hasCompat, type FastWorkflowCompat } from '../compat.ts';

const DOMAINS: Readonly<Record<string, DomainDefinition>> = { retail: RETAIL, airline: AIRLINE };

/** Domains that have commands. */
export const catalogueDomains: readonly string[] = Object.keys(DOMAINS);

const made = new Map<string, Catalogue>();

/**
 * The domain's commands as a run has them: with the defects that it brings back. Equal options give one and the same
 * object.
 * @throws Error for a domain without commands, which the strategy does not offer itself for
 */
export function catalogueFor(domain: string, options: Pick<StrategyOptions, 'compat' | 'asOfVersion'>): Catalogue {
  const key = [domain, options.asOfVersion ?? '', ...[...(options.compat ?? [])].sort()].join(' ');
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
function domainCatalogue(
  domain: DomainDefinition,
  options: Pick<StrategyOptions, 'compat' | 'asOfVersion'>,
): Catalogue {
  const isEarlier = (options.asOfVersion ?? SAFE_READING) < SAFE_READING;
  let commands = isEarlier ? domain.commands.map(toEarlierVersion) : domain.commands;
  for (const name of Object.keys(FASTWORKFLOW_COMPAT) as FastWorkflowCompat[]) {
    const variant = hasCompat(options, name) ? domain.variants[name] : undefined;
    if (variant !== undefined) commands = commands.map(variant);
  }
  return createCatalogue(commands, {
    core: hasCompat(options, 'fastworkflow-core-commands') ? CORE_COMMANDS : [],
    withoutCommand: domain.withoutCommand,
    ...(isEarlier ? { firstWordOnly: true } : {}),
  });
}

/** The workflow version since which writes must be named, and texts must not be empty. */
const SAFE_READING = 4;

/** The command for episodes that an earlier version started: their histories would not replay otherwise. */
function toEarlierVersion(command: CommandDefinition): CommandDefinition {
  const fields = command.fields.map((field) =>
    field.type === 'text' ? { ...field, mayBeEmpty: true as const } : field,
  );
  return { ...command, isRead: true, fields };
}

export /**
 * FastWorkflow's own commands about contexts. A domain with one context has no use for them; they are offered only to
 * measure how much they distract. The names and the form of the answers are FastWorkflow's.
 */
const CORE_COMMANDS: readonly CoreCommand[] = [
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

/** Every domain's commands without any defect. */
export const catalogues: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  catalogueDomains.map((domain) => [domain, catalogueOf(domain)]),
);
