/** Converts a record's messages to τ³-bench's form: arguments as objects, results with the side of the call. */

import { parseObject } from '../../python/index.ts';
import type { ExportedEpisode } from '../../results-format.ts';
import { FIRST_AGENT_MESSAGE } from '../prompts.ts';

type Messages = ExportedEpisode['trajectory'];
type ToolCall = NonNullable<Messages[number]['tool_calls']>[number];

/**
 * Drops the system prompt, because the file has the policy.
 * @param isGreeting true to add the agent's first message, which records leave out
 */
export function toTau2Messages(trajectory: Messages, isGreeting: boolean): object[] {
  let caller = 'assistant';
  const shown = trajectory.filter(({ role }) => role !== 'system');
  const greeting: Messages[number] = { role: 'assistant', content: FIRST_AGENT_MESSAGE };
  return (isGreeting && shown[0]?.role === 'user' ? [greeting, ...shown] : shown).map((message, turn_idx) => {
    if (message.role === 'tool') {
      const { tool_call_id: id, content } = message;
      return {
        role: 'tool',
        id,
        content,
        requestor: caller,
        error: typeof content === 'string' && content.startsWith('Error'),
        turn_idx,
      };
    }
    const { role, content, tool_calls: calls } = message;
    if (calls === undefined || calls.length === 0) return { role, content, turn_idx };
    caller = role;
    return {
      role,
      content: content === '' ? null : content,
      tool_calls: calls.map((call) => toolCall(call, caller)),
      turn_idx,
    };
  });
}

function toolCall({ id, function: { name, arguments: text } }: ToolCall, requestor: string): object {
  return { id, name, arguments: parseObject(text) ?? { raw: text }, requestor };
}
