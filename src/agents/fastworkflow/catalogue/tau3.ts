/**
 * The commands of τ³-bench's domains: tau-bench's where the tools are equal, and those of `data/tau3/<domain>/commands.json`,
 * with invented examples. The tools of telecom's user are the user's and have no commands.
 */

import airline from '#data/tau3/airline/commands.json' with { type: 'json' };
import retail from '#data/tau3/retail/commands.json' with { type: 'json' };
import telecom from '#data/tau3/telecom/commands.json' with { type: 'json' };
import { AIRLINE } from './airline.ts';
import { TRANSFER_VARIANTS, withName, type CommandDefinition, type DomainDefinition } from './definitions.ts';
import { readCatalogue } from './read.ts';
import { RETAIL } from './retail.ts';

/** FastWorkflow's own texts are of another benchmark's retail; the other changes are those of every domain. */
const VARIANTS: DomainDefinition['variants'] = { 'fastworkflow-legacy-catalogue': withName, ...TRANSFER_VARIANTS };

export const TAU3_RETAIL = domainOf([...RETAIL.commands, ...readCatalogue(retail).commands]);
export const TAU3_AIRLINE = domainOf([...AIRLINE.commands, ...readCatalogue(airline).commands]);
export const TAU3_TELECOM = domainOf([...readCatalogue(telecom).commands, ...RETAIL.commands.filter(isHandOver)]);

function domainOf(commands: readonly CommandDefinition[]): DomainDefinition {
  return {
    commands: commands.map((command) => (isHandOver(command) ? withTau3Rule(command) : command)),
    withoutCommand: [],
    variants: VARIANTS,
  };
}

function isHandOver({ name }: CommandDefinition): boolean {
  return name === 'transfer_to_human_agents';
}

/** The conversation goes on after it in τ³-bench: the policies have the agent inform the user. */
function withTau3Rule(command: CommandDefinition): CommandDefinition {
  const description =
    'Hand the user over to a human agent; the user is told afterwards. To be used if, and only if, the request cannot ' +
    'be handled with the other commands.';
  return { ...command, description };
}
