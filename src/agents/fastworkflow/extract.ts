/** Turns what the agent did in a turn into the message to the customer. */

import { askForText } from './prompt/ask.ts';
import { signaturesFor } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';
import { trajectoryParts } from './trajectory.ts';

export async function extractAnswer({ session, options }: Workshop, turn: Turn): Promise<string> {
  const { texts } = await askForText(session, options, signaturesFor(options).extract, [
    ['user_query', turn.plannedQuery],
    ['trajectory', trajectoryParts(turn.cycles)],
  ]);
  return texts.get('final_answer') ?? '';
}
