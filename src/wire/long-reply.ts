/**
 * Bounds a model's reply before it enters a workflow's history. Of a reply that is longer than its run allows only the
 * beginning and the end are kept, with its size: every reader of replies may rely on the bound.
 */

import type { AssistantMessage, CallRole } from '../agents/index.ts';

/** Lengths in characters (UTF-16 code units). */
export interface ReplyLimits {
  readonly contentChars: number;
  /** Of all tool calls of a reply together, their names and ids included. */
  readonly toolArgumentChars: number;
}

/** The longest replies in the benchmark's published trajectories have 1,300 characters. */
export const DEFAULT_REPLY_LIMITS: ReplyLimits = { contentChars: 65_536, toolArgumentChars: 262_144 };

/** Only the first call counts for any strategy. */
export const MAX_TOOL_CALLS = 128;

/** What is kept of a reply that is too long: so many characters of its beginning, and of its end. */
const KEPT_CHARS = 2_000;

/** By what a reply is too long. `bytes`: what it takes as JSON is more than a workflow's history takes. */
export interface ReplyExcess {
  readonly part: 'content' | 'tool arguments' | 'tool calls' | 'bytes';
  readonly size: number;
  readonly limit: number;
}

/** A reply that was too long, as an episode's record keeps it. */
export interface LongReply extends ReplyExcess {
  readonly role: CallRole;
  /** Its beginning and its end. */
  readonly excerpt: string;
}

/** @returns undefined for a reply within its limits */
export function excessOf(message: AssistantMessage, limits: ReplyLimits): ReplyExcess | undefined {
  const calls = message.tool_calls ?? [];
  const argumentChars = calls.reduce(
    (sum, { id, function: called }) => sum + id.length + called.name.length + called.arguments.length,
    0,
  );
  const sizes: readonly ReplyExcess[] = [
    { part: 'content', size: (message.content ?? '').length, limit: limits.contentChars },
    { part: 'tool arguments', size: argumentChars, limit: limits.toolArgumentChars },
    { part: 'tool calls', size: calls.length, limit: MAX_TOOL_CALLS },
  ];
  return sizes.find(({ size, limit }) => size > limit);
}

/** The reply's beginning and end as one text, tool calls written out. */
export function excerptOf({ content, tool_calls: calls = [] }: AssistantMessage): string {
  const parts = [
    ...(content === null || content === '' ? [] : [content]),
    ...calls.map(({ function: called }) => `${called.name} ${called.arguments}`),
  ];
  return beginningAndEnd(parts.join('\n'));
}

/** The message with the beginning and end of its reasoning where that is longer than content may be: nobody acts on it. */
export function withShortReasoning(message: AssistantMessage, { contentChars }: ReplyLimits): AssistantMessage {
  const { reasoning_content: reasoning } = message;
  if (reasoning === undefined || reasoning.length <= contentChars) return message;
  return { ...message, reasoning_content: beginningAndEnd(reasoning) };
}

function beginningAndEnd(text: string): string {
  if (text.length <= 2 * KEPT_CHARS) return text;
  const left = text.length - 2 * KEPT_CHARS;
  // A pair of code units that a cut has split would be no valid text.
  const head = text.slice(0, KEPT_CHARS).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-KEPT_CHARS).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}

/** One sentence for the episode's outcome: what was too long, and the setting that allows more. */
export function excessSentence({ part, size, limit }: ReplyExcess): string {
  switch (part) {
    case 'content':
      return `the model's reply has ${size} characters; the run allows ${limit} (--max-reply-chars)`;
    case 'tool arguments':
      return `the tool calls of the model's reply have ${size} characters; the run allows ${limit} (--max-tool-argument-chars)`;
    case 'tool calls':
      return `the model's reply has ${size} tool calls; at most ${limit} are read`;
    case 'bytes':
      return `the model's reply takes ${size} bytes; a workflow's history takes ${limit}`;
  }
}
