/** The lines of the live transcript that all strategies write: each action, and its result. */

import { dumpJson } from '../benchmark/python/index.ts';
import { RESPOND, type Action, type StepResult } from '../benchmark/index.ts';
import type { AgentSession } from './port.ts';

/** Tells of a step while it is taken: words to the customer are a reply, anything else is shown with its arguments. */
export async function transcribeStep(
  session: Pick<AgentSession, 'tell'>,
  action: Action,
  take: () => Promise<StepResult>,
): Promise<StepResult> {
  const isReply = action.name === RESPOND;
  session.tell(isReply ? { what: 'reply', text: replyText(action) } : { what: 'step', text: formatAction(action) });
  const result = await take();
  session.tell({ what: isReply ? 'user' : 'observation', text: result.observation });
  return result;
}

/** `get_order_details {"order_id": "#W1"}` */
export function formatAction({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(kwargs)}`;
}

/** Content of `respond`, as text whatever the model put there. */
export function replyText({ kwargs }: Action): string {
  const content = kwargs.get('content') ?? '';
  return typeof content === 'string' ? content : dumpJson(content);
}
