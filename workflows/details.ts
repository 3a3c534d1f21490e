/** What a person reads in Temporal UI: activity summaries, and the conversation so far as Markdown. */

import type { CompletionRequest, Message, PromptContent } from '../src/agents/port.ts';
import type { Action, StepResult } from '../src/bench/types.ts';
import type { EpisodeInput } from '../src/wire/episode.ts';

/** Temporal keeps 200 bytes of a summary; four bytes a character at worst. */
const SUMMARY_CHARS = 100;
/** Temporal keeps 20 kB of details. */
const DETAILS_CHARS = 12_000;
const MESSAGE_CHARS = 600;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** `step 5: cancel_pending_order #W0000000`: the first text argument says most. */
export function stepSummary(index: number, action: Action): string {
  const first = [...action.kwargs.values()].find((value) => typeof value === 'string' && value !== '');
  const argument = typeof first === 'string' ? ` ${first}` : '';
  return cut(`step ${index}: ${action.name}${argument}`, SUMMARY_CHARS);
}

/** @param count numbers the calls of the agent, or of the user, from 1 */
export function callSummary({ role, summary }: CompletionRequest, count: number): string {
  return cut(summary ?? `${role} call ${count}`, SUMMARY_CHARS);
}

export function episodeSummary({ episode, config }: EpisodeInput): string {
  const { strategy, agentModel } = config;
  return cut(`task ${episode.taskId}, trial ${episode.trial}: ${strategy}, ${agentModel.model}`, SUMMARY_CHARS);
}

/** The newest part of the conversation that fits, one paragraph a message. */
export function conversationDetails(trajectory: readonly Message[], action: Action, result: StepResult): string {
  const latest = `**${result.source}** (after \`${action.name}\`): ${cut(result.observation, MESSAGE_CHARS)}`;
  const paragraphs = [latest];
  let length = latest.length;
  for (let i = trajectory.length - 1; i >= 0; i--) {
    const message = trajectory[i];
    if (message === undefined || message.role === 'system') continue;
    const paragraph = messageMarkdown(message);
    length += paragraph.length;
    if (length > DETAILS_CHARS) {
      paragraphs.unshift('…');
      break;
    }
    paragraphs.unshift(paragraph);
  }
  return paragraphs.join('\n\n');
}

function messageMarkdown(message: Message): string {
  switch (message.role) {
    case 'tool':
      return `**${message.name}**: ${cut(message.content, MESSAGE_CHARS)}`;
    case 'assistant': {
      const call = message.tool_calls?.[0];
      const text = message.content === null ? '' : cut(message.content, MESSAGE_CHARS);
      return call === undefined
        ? `**agent**: ${text}`
        : `**agent**: ${text} \`${call.function.name}(${cut(call.function.arguments, MESSAGE_CHARS)})\``;
    }
    case 'user':
    case 'system': {
      return `**${message.role}**: ${cut(textOf(message.content), MESSAGE_CHARS)}`;
    }
  }
}

/** What a worker fills in is shown by its name. */
function textOf(content: PromptContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : `‹${part.ref}›`)).join('');
}
