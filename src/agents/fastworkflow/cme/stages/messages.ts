/** What the agent reads when it stays open which command it meant. */

import type { Catalogue } from '../../catalogue/types.ts';

export const EMPTY_COMMAND = 'The command was empty, so nothing ran. Give a command name and its parameters.';

/** @param candidates the likeliest first */
export function ambiguityMessage(text: string, candidates: readonly string[]): string {
  const problem =
    candidates.length === 1
      ? `'${shown(text)}' does not name a command in full, so nothing ran; ${candidates.join('')} may be meant.`
      : `'${shown(text)}' can mean several commands, so nothing ran: ${candidates.join(', ')}.`;
  return [
    problem,
    'Give the one that is meant by its whole name, with its parameters in tags; what_can_i_do lists all commands.',
  ].join('\n');
}

export function misunderstandingMessage(text: string, { commands }: Catalogue): string {
  return [
    `No command is understood from '${shown(text)}', so nothing ran.`,
    `The command must start with one of these names: ${commands.map(({ name }) => name).join(', ')}.`,
  ].join('\n');
}

/**
 * @param message why it is open
 * @param question what the clarifier wants to know; `''` for nothing in particular
 */
export function escalationMessage(text: string, message: string, question: string): string {
  return question === ''
    ? `${message}\nUse ask_user to find out what is wanted, then give a complete command.`
    : `It is not clear which command '${shown(text)}' means, so nothing ran.\nUse ask_user with this question: ${question}`;
}

/** The first line of what the agent wrote, as far as it helps to recognise it. */
function shown(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
