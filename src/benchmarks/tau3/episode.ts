/** The messages and the end of a τ³-bench episode, as far as its grade depends on it. */

import { parseObject } from '../python/index.ts';
import type { TrajectoryMessage } from '../trajectory.ts';
import type { ToolCall } from './call.ts';
import { FIRST_AGENT_MESSAGE } from './prompts.ts';
import type { Termination } from './turns.ts';

/** A message of a conversation in order; the results of tool calls follow the message that made them. */
export type EpisodeMessage =
  | {
      readonly role: 'assistant' | 'user';
      readonly text: string | null;
      readonly calls?: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly text: string };

export interface PlayedEpisode {
  /** All of them, the agent's first one included. */
  readonly messages: readonly EpisodeMessage[];
  readonly termination: Termination;
}

/** The reference grades only episodes that were ended by the agent or the user; others score 0. */
export function isFinished({ termination }: PlayedEpisode): boolean {
  return termination === 'user_stop' || termination === 'agent_stop';
}

/**
 * The messages of a recorded conversation, with the agent's first one, which our records leave out; a system prompt is
 * none of them. A call whose arguments are no JSON object is left out: it was never made.
 */
export function episodeMessages(messages: readonly TrajectoryMessage[]): EpisodeMessage[] {
  const said = messages.flatMap(({ role, content, tool_calls: made }): EpisodeMessage[] => {
    const text = typeof content === 'string' && content !== '' ? content : null;
    if (role === 'tool') return [{ role, text: text ?? '' }];
    if (role !== 'assistant' && role !== 'user') return [];
    const calls = (made ?? []).flatMap((call): ToolCall[] => {
      const args = parseObject(call.function?.arguments ?? '');
      return call.function && args !== null ? [{ name: call.function.name, arguments: args }] : [];
    });
    return [calls.length === 0 ? { role, text } : { role, text, calls }];
  });
  return said[0]?.role === 'user' ? [{ role: 'assistant', text: FIRST_AGENT_MESSAGE }, ...said] : said;
}

/** The tool calls of both sides, each with the side that made it. */
export function callsOf({ messages }: PlayedEpisode): ToolCall[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? [] : (message.calls ?? []).map((call) => ({ ...call, requestor: message.role })),
  );
}

/** The texts that the agent said. */
export function agentTexts({ messages }: PlayedEpisode): string[] {
  return messages.flatMap((message) => (message.role === 'assistant' && message.text !== null ? [message.text] : []));
}
