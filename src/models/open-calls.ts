/**
 * Answers tool calls that have no output, which no API takes: a call that speaks to the user has the user's answer for its
 * output, any other an empty one.
 */

import type { ToolCall } from '../agents/index.ts';
import type { ExpandedMessage } from './types.ts';

/** The messages with an output for every call, before anything else is said. */
export function answerOpenCalls(messages: readonly ExpandedMessage[]): readonly ExpandedMessage[] {
  const answered: ExpandedMessage[] = [];
  const open = new Map<string, ToolCall>();
  const answer = ({ id, function: { name } }: ToolCall, content: string) => {
    open.delete(id);
    answered.push({ role: 'tool', tool_call_id: id, name, content });
  };
  const settle = () => {
    for (const call of [...open.values()]) answer(call, '');
  };
  for (const message of messages) {
    const [first] = open.values();
    if (message.role === 'user' && first !== undefined) {
      answer(first, message.content);
      continue;
    }
    if (message.role === 'tool') open.delete(message.tool_call_id);
    else settle();
    answered.push(message);
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) open.set(call.id, call);
  }
  settle();
  return answered;
}
