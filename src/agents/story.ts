/** The lines of an episode's story that every strategy has alike: what it did, and what came of it. */

import { dumpJson } from '../benchmark/python/index.ts';
import { RESPOND, type Action, type StepResult } from '../benchmark/index.ts';
import type { AgentSession } from './port.ts';

/** Tells of a step while it is taken: words to the customer are a reply, anything else is shown with its arguments. */
export async function tellStep(
  session: Pick<AgentSession, 'tell'>,
  action: Action,
  take: () => Promise<StepResult>,
): Promise<StepResult> {
  const isReply = action.name === RESPOND;
  session.tell(isReply ? { what: 'reply', text: wordsOf(action) } : { what: 'step', text: stepText(action) });
  const result = await take();
  session.tell({ what: isReply ? 'user' : 'observation', text: result.observation });
  return result;
}

/** `get_order_details {"order_id": "#W1"}` */
export function stepText({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(kwargs)}`;
}

/** What `respond` says, as text whatever the model put there. */
export function wordsOf({ kwargs }: Action): string {
  const content = kwargs.get('content') ?? '';
  return typeof content === 'string' ? content : dumpJson(content);
}
