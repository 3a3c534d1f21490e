/** Commands about commands: the workflow answers them itself, without the environment. */

import type { Catalogue } from '../../catalogue/types.ts';
import type { HandledAnswer } from '../types.ts';

const ANSWERS: Readonly<Record<string, HandledAnswer>> = {
  what_can_i_do: { kind: 'catalogue' },
  intent_misunderstood: { kind: 'catalogue' },
  abort: { kind: 'text', text: 'command aborted' },
};

export interface CoreAnswer {
  readonly name: string;
  readonly answer: HandledAnswer;
}

/**
 * Knows a core command by its exact name, or by a text of the same words: `What can I do?`.
 * @returns null for anything else
 */
export function coreAnswer({ core }: Catalogue, text: string, token: string): CoreAnswer | null {
  const spoken = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  for (const name of [token, spoken]) {
    const own = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
    if (own !== undefined) return { name, answer: own };
    const offered = core.find((command) => command.name === name);
    if (offered !== undefined) return { name, answer: { kind: 'text', text: offered.answer } };
  }
  return null;
}
