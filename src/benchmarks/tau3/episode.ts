/** The messages and the end of an episode of τ³-bench, which decide its grade. */

import { parseObject } from '../python/index.ts';
import type { ActingMessage } from '../trajectory.ts';
import type { Tau3Call } from './call.ts';
import { FIRST_AGENT_MESSAGE } from './prompts.ts';
import type { Termination } from './turns.ts';

/** A message of a conversation; results of tool calls follow their message. */
export type EpisodeMessage =
  | {
      readonly role: 'assistant' | 'user';
      readonly text: string | null;
      readonly calls?: readonly Tau3Call[];
    }
  | { readonly role: 'tool'; readonly text: string };

export interface Tau3Episode {
  /** Messages in order, with the agent's first one. */
  readonly messages: readonly EpisodeMessage[];
  readonly termination: Termination;
}

/** True if the agent or the user ended the episode; the reference scores other episodes 0. */
export function isFinished({ termination }: Tau3Episode): boolean {
  return termination === 'user_stop' || termination === 'agent_stop';
}

/**
 * Reads the messages of a recorded conversation, adds the agent's first message, which our records lack, and drops
 * system prompts and calls whose arguments are not a JSON object.
 */
export function episodeMessages(messages: readonly ActingMessage[]): EpisodeMessage[] {
  const said = messages.flatMap(({ role, content, tool_calls: made }): EpisodeMessage[] => {
    const text = typeof content === 'string' && content !== '' ? content : null;
    if (role === 'tool') return [{ role, text: text ?? '' }];
    if (role !== 'assistant' && role !== 'user') return [];
    const calls = (made ?? []).flatMap((call): Tau3Call[] => {
      const args = parseObject(call.function?.arguments ?? '');
      return call.function && args !== null ? [{ name: call.function.name, arguments: args }] : [];
    });
    return [calls.length === 0 ? { role, text } : { role, text, calls }];
  });
  return said[0]?.role === 'user' ? [{ role: 'assistant', text: FIRST_AGENT_MESSAGE }, ...said] : said;
}

/** Returns the tool calls of both sides. */
export function listCalls({ messages }: Tau3Episode): Tau3Call[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? [] : (message.calls ?? []).map((call) => ({ ...call, requestor: message.role })),
  );
}

/** Returns the agent's messages. */
export function agentTexts({ messages }: Tau3Episode): string[] {
  return messages.flatMap((message) => (message.role === 'assistant' && message.text !== null ? [message.text] : []));
}
