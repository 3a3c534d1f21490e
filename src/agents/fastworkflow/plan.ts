/**
 * Understands a command without running it: text in, a plan or the reason for none out. No side effects, no model.
 *
 * The tiers of understanding start with exact names and XML parameters. What that tier cannot read is reported as
 * `clarification` (which command?) or `error` (which parameters?), and the agent decides how to go on.
 */

import type { PyDict } from '../../bench/python/value.ts';
import { COMMANDS, findCommand } from './catalogue.ts';
import { checkParameters } from './parameters.ts';
import { readTags, splitCommand } from './xml.ts';

export type CommandPlan =
  /** Ready to be carried out. */
  | { readonly kind: 'plan'; readonly commandName: string; readonly cmdParameters: PyDict }
  /** Answered by the workflow itself, without the environment. */
  | { readonly kind: 'handled'; readonly commandName: string; readonly answer: HandledAnswer }
  /** It is open which command was meant; the candidates are command names. */
  | { readonly kind: 'clarification'; readonly message: string; readonly candidates: readonly string[] }
  /** The command is known, its parameters are not valid. */
  | { readonly kind: 'error'; readonly commandName: string; readonly message: string };

/** `catalogue`: the list of commands; `text`: these words. */
export type HandledAnswer = { readonly kind: 'catalogue' } | { readonly kind: 'text'; readonly text: string };

const CATALOGUE_NAMES = ['what_can_i_do', 'intent_misunderstood'];

export function plan(command: string): CommandPlan {
  const { name, rest } = splitCommand(command);
  if (name === '' && rest === '') {
    return {
      kind: 'handled',
      commandName: '',
      answer: { kind: 'text', text: 'The command was empty, so nothing ran. Give a command name and its parameters.' },
    };
  }
  if (CATALOGUE_NAMES.includes(name)) return { kind: 'handled', commandName: name, answer: { kind: 'catalogue' } };
  const definition = findCommand(name);
  if (definition === undefined) return misunderstood(command);
  const checked = checkParameters(definition, readTags(definition, rest, isCommandName));
  return checked.kind === 'valid'
    ? { kind: 'plan', commandName: definition.name, cmdParameters: checked.parameters }
    : { kind: 'error', commandName: definition.name, message: checked.message };
}

function isCommandName(name: string): boolean {
  return findCommand(name) !== undefined;
}

function misunderstood(command: string): CommandPlan {
  const candidates = COMMANDS.map((definition) => definition.name);
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
