/** Turns what the agent did in a turn into the message to the customer. */

import { askWithTrajectory } from './overflow.ts';
import { fieldsOf } from './prompt/ask.ts';
import { signaturesFor } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';

export async function extractAnswer(shop: Workshop, turn: Turn): Promise<string> {
  const signature = signaturesFor(shop.options).extract;
  const answer = await askWithTrajectory(
    shop,
    turn,
    signature,
    (trajectory) => [
      ['user_query', turn.plannedQuery],
      ['trajectory', trajectory],
    ],
    'answer',
  );
  return fieldsOf(signature, answer).texts.get('final_answer') ?? '';
}
