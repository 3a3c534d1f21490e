/**
 * Understands a command without running it: text in, a plan or the reason for none out. No side effects, no model.
 *
 * The tiers of understanding start with exact names and XML parameters. What that tier cannot read is reported as
 * `clarification` (which command?) or `error` (which parameters?), and the agent decides how to go on.
 */

import type { StrategyOptions } from '../../port.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { checkParameters } from './parameters/check.ts';
import { readSyntax, splitCommand } from './parameters/xml.ts';
import type { CommandPlan } from './types.ts';

const CATALOGUE_NAMES = ['what_can_i_do', 'intent_misunderstood'];

export type PlanOptions = Pick<StrategyOptions, 'compat'>;

export function plan(catalogue: Catalogue, command: string, _options: PlanOptions = {}): CommandPlan {
  const { name, rest } = splitCommand(command);
  if (name === '' && rest === '') {
    return {
      kind: 'handled',
      commandName: '',
      answer: { kind: 'text', text: 'The command was empty, so nothing ran. Give a command name and its parameters.' },
    };
  }
  if (CATALOGUE_NAMES.includes(name)) return { kind: 'handled', commandName: name, answer: { kind: 'catalogue' } };
  const definition = catalogue.find(name);
  if (definition === undefined) return misunderstood(catalogue, command);
  const checked = checkParameters(definition, readSyntax(catalogue, definition, rest).found);
  return checked.kind === 'valid'
    ? { kind: 'plan', commandName: definition.name, cmdParameters: checked.parameters }
    : { kind: 'error', commandName: definition.name, message: checked.message };
}

function misunderstood({ commands }: Catalogue, command: string): CommandPlan {
  const candidates = commands.map((definition) => definition.name);
  const shown = command.trim().split('\n')[0] ?? '';
  return {
    kind: 'clarification',
    message: [
      `No command is understood from '${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}', so nothing ran.`,
      `The command must start with one of these names: ${candidates.join(', ')}.`,
    ].join('\n'),
    candidates,
  };
}
