/** What a domain's folder says, and the catalogue made of it. */

import type { StrategyOptions } from '../../port.ts';
import { FASTWORKFLOW_COMPAT, hasCompat, type FastWorkflowCompat } from '../compat.ts';
import { createCatalogue } from './catalogue.ts';
import { CORE_COMMANDS } from './core.ts';
import type { Catalogue, CommandDefinition } from './types.ts';

export interface DomainDefinition {
  readonly commands: readonly CommandDefinition[];
  /** Tools of the environment that have no command on purpose. */
  readonly withoutCommand: readonly string[];
  /** What a defect that is brought back does to each of the commands. */
  readonly variants: Partial<Record<FastWorkflowCompat, (command: CommandDefinition) => CommandDefinition>>;
}

/** The domain's commands with the defects that were asked for, applied in the order of their list. */
export function domainCatalogue(
  domain: DomainDefinition,
  options: Pick<StrategyOptions, 'compat' | 'asOfVersion'>,
): Catalogue {
  const isEarlier = (options.asOfVersion ?? SAFE_READING) < SAFE_READING;
  let commands = isEarlier ? domain.commands.map(asBefore) : domain.commands;
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
function asBefore(command: CommandDefinition): CommandDefinition {
  const fields = command.fields.map((field) =>
    field.type === 'text' ? { ...field, mayBeEmpty: true as const } : field,
  );
  return { ...command, isRead: true, fields };
}
