/** The messages and the end of a τ³-bench episode, as far as its grade depends on it. */

import type { ToolCall } from './call.ts';
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
