/**
 * Asks a model what a command was meant to be: one call, which knows the agent's task and steps and uses no tools.
 *
 * Where several commands come into question it is shown these and no others; where it can be any, all their names.
 */

import type { PromptPart } from '../../port.ts';
import { commandMetadata } from '../catalogue/text.ts';
import { hasCompat } from '../compat.ts';
import { askWithTrajectory } from '../overflow.ts';
import { fieldsOf, UnreadableReply } from '../prompt/ask.ts';
import { signaturesFor } from '../prompt/signatures.ts';
import type { Turn, Workshop } from '../state.ts';
import type { Clarification } from './types.ts';

/** A command whose meaning is open. */
export interface OpenCommand {
  readonly text: string;
  /** Why it is open. */
  readonly message: string;
  /** The commands that come into question; null when it can be any. */
  readonly candidates: readonly string[] | null;
}

/** @returns null when no reply could be read */
export async function askClarifier(shop: Workshop, turn: Turn, open: OpenCommand): Promise<Clarification | null> {
  const signature = signaturesFor(shop.options).clarify;
  try {
    const answer = await askWithTrajectory(
      shop,
      turn,
      signature,
      (trajectory) => [
        ['original_command', open.text],
        ['error_message', errorParts(shop, open)],
        ['agent_inputs', `user_query: ${turn.plannedQuery}`],
        ['agent_trajectory', trajectory],
      ],
      `clarify: ${open.text.replace(/\s+/g, ' ').trim()}`,
    );
    const { texts } = fieldsOf(signature, answer);
    return {
      command: texts.get('clarified_command') ?? '',
      needsHuman: isYes(shop, texts.get('needs_human') ?? ''),
      question: texts.get('clarification_question') ?? '',
    };
  } catch (error) {
    if (error instanceof UnreadableReply) return null;
    throw error;
  }
}

/** The defect that can be brought back takes any word as yes, `False` too. */
function isYes({ options }: Workshop, flag: string): boolean {
  return hasCompat(options, 'fastworkflow-needs-human') ? flag !== '' : flag === 'true';
}

function errorParts({ catalogue, options }: Workshop, { message, candidates }: OpenCommand): PromptPart[] {
  if (candidates === null) return [message];
  return [message, `\n\nThe commands in question:\n\n${commandMetadata(catalogue, candidates, options)}`];
}
