/** Conversations of any format in the form of results files: one call per message, followed by its answer. */

import type { ResultsFileMessage } from '../../benchmarks/results.ts';
import { RESPOND } from '../../benchmarks/index.ts';

export interface RecordedMessage {
  readonly role: string;
  readonly content: string | null;
  readonly calls: readonly { readonly id: string | null; readonly name: string; readonly arguments: unknown }[];
  /** Id of the call that the message answers; null if it answers none. */
  readonly callId: string | null;
  readonly name: string | null;
}

/** Returns the text of a message's content, which is a text or a list of parts. */
export function contentText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((part: unknown) => {
    const { type, text, reasoning } = (part ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof text === 'string') return [text];
    if (typeof part === 'string') return [part];
    return typeof type === 'string' && reasoning === undefined ? [`[${type}]`] : [];
  });
  return texts.join('\n');
}

/** Converts messages; splits messages with several calls, because a results file has one call per message. */
export function toMessages(messages: readonly RecordedMessage[]): ResultsFileMessage[] {
  const said: ResultsFileMessage[] = [];
  const waiting = new Map<string | null, ResultsFileMessage>();
  for (const { role, content, calls, callId, name } of messages) {
    if (role === 'tool') {
      const call = waiting.get(callId);
      if (call !== undefined) said.push(call);
      waiting.delete(callId);
      said.push({ role, content, tool_call_id: callId, name });
      continue;
    }
    said.push(...waiting.values());
    waiting.clear();
    for (const [at, call] of calls.entries()) {
      const named = { name: call.name, arguments: toArguments(call.arguments) };
      waiting.set(call.id ?? `${String(said.length)}.${String(at)}`, {
        role,
        content: at === 0 ? content : null,
        tool_calls: [{ id: call.id, function: named }],
      });
    }
    if (calls.length === 0) said.push({ role, content });
  }
  return [...said, ...waiting.values()];
}

/** Returns arguments as JSON text of an object, because a results file has no other arguments. */
function toArguments(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (typeof value === 'string' && /^\s*\{/.test(value)) return value;
  return JSON.stringify(isObject ? value : { value });
}

/** Counts steps, turns and tools of a conversation; all null if the conversation was not recorded. */
export function countActions(messages: readonly ResultsFileMessage[]): {
  steps: number | null;
  turns: number | null;
  tools: string[];
} {
  if (messages.length === 0) return { steps: null, turns: null, tools: [] };
  const names = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ tool_calls: calls }) => calls?.[0]?.function?.name ?? RESPOND);
  return {
    steps: names.length,
    turns: names.filter((name) => name === RESPOND).length,
    tools: [...new Set(names.filter((name) => name !== RESPOND))],
  };
}
