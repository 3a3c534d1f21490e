/** Replaces identifiers of calls that cannot be sent. */

import type { ExpandedMessage } from '../types.ts';

/**
 * Returns the conversation with other identifiers of calls and of their results; a result belongs to the last call with
 * its id.
 * @param rename gives a call's identifier; `number` counts the calls from 1
 */
export function withCallIds(
  messages: readonly ExpandedMessage[],
  rename: (id: string, number: number, used: ReadonlySet<string>) => string,
): ExpandedMessage[] {
  const sent = new Map<string, string>();
  const used = new Set<string>();
  let count = 0;
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { ...message, tool_call_id: sent.get(message.tool_call_id) ?? message.tool_call_id };
    }
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
    const calls = message.tool_calls.map((call) => {
      count += 1;
      const id = rename(call.id, count, used);
      used.add(id);
      sent.set(call.id, id);
      return { ...call, id };
    });
    return { ...message, tool_calls: calls };
  });
}
