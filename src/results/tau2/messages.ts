/** Messages of a record in τ³-bench's form: calls with their arguments as objects, results with the side that called. */

import { parseObject } from '../../benchmark/python/index.ts';
import type { EpisodeRecord } from '../log/index.ts';

type RecordedMessage = EpisodeRecord['trajectory'][number];
type RecordedCall = NonNullable<Extract<RecordedMessage, { role: 'assistant' }>['tool_calls']>[number];

/** The system prompt is no message of a simulation; its policy is the file's. */
export function messagesOf(trajectory: readonly RecordedMessage[]): object[] {
  let caller = 'assistant';
  return trajectory
    .filter(({ role }) => role !== 'system')
    .map((message, turn_idx) => {
      if (message.role === 'tool') {
        const { tool_call_id: id, content } = message;
        return { role: 'tool', id, content, requestor: caller, error: content.startsWith('Error'), turn_idx };
      }
      const { role, content } = message;
      const calls = 'tool_calls' in message ? message.tool_calls : undefined;
      if (calls === undefined || calls.length === 0) return { role, content, turn_idx };
      caller = role;
      return { role, content, tool_calls: calls.map((call) => toolCall(call, caller)), turn_idx };
    });
}

function toolCall({ id, function: { name, arguments: text } }: RecordedCall, requestor: string): object {
  return { id, name, arguments: parseObject(text) ?? { raw: text }, requestor };
}
