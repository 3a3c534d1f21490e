/** The result of a model call: its reply with its cost, within the limits of an episode's history. */

import { separateReasoning, type AssistantMessage } from '../agents/index.ts';
import {
  REPLY_LIMITS,
  findExcess,
  type CompleteOutput,
  type FailedReplies,
  type ReplyExcess,
} from '../evaluation/index.ts';
import type { ModelReply } from './reply.ts';

/** Largest output in bytes, half a megabyte below Temporal's largest payload. */
export const MAX_OUTPUT_BYTES = 1_500_000;

interface ResultContext {
  readonly costUsd: number | null;
  /** Number of attempts that may have been paid, this one included. */
  readonly attempt: number;
  readonly failedReplies?: FailedReplies;
  /** Reads the fields of a reply in JSON. @default it has none */
  readonly readFields?: (content: string | null) => CompleteOutput['fields'];
}

/**
 * Makes the result of a reply. A reply that is too long is paid, so it has its usage, and the workflow turns it into an
 * error.
 */
export function toResult(
  { usageReported: _, reportedCostUsd: _reported, ...reply }: ModelReply,
  { costUsd, attempt, failedReplies, readFields }: ResultContext,
): CompleteOutput {
  const message = withShortReasoning(separateReasoning(reply.message));
  const result: CompleteOutput = { ...reply, message, costUsd, failedReplies, attempt };
  const excess = findExcess(message, REPLY_LIMITS);
  if (excess !== undefined) return cutMessage(result, excess);
  const whole = { ...result, fields: readFields?.(message.content) };
  // A reply within its limits may still be too large as JSON, which writes some characters as six.
  const size = Buffer.byteLength(JSON.stringify(whole));
  return size <= MAX_OUTPUT_BYTES ? whole : cutMessage(result, { part: 'bytes', size, limit: MAX_OUTPUT_BYTES });
}

function cutMessage(result: CompleteOutput, tooLong: ReplyExcess): CompleteOutput {
  return { ...result, message: { role: 'assistant', content: excerptReply(result.message) }, tooLong };
}

/** Characters kept of the beginning, and of the end, of a reply that is too long. */
const KEPT_CHARS = 2_000;

/** Returns the reply's beginning and end as one text, with its tool calls. */
export function excerptReply({ content, tool_calls: calls = [] }: AssistantMessage): string {
  const parts = [
    ...(content === null || content === '' ? [] : [content]),
    ...calls.map(({ function: called }) => `${called.name} ${called.arguments}`),
  ];
  return beginningAndEnd(parts.join('\n'));
}

/** Shortens reasoning longer than content may be to its beginning and end; nothing depends on it. */
export function withShortReasoning(message: AssistantMessage): AssistantMessage {
  const { reasoning_content: reasoning } = message;
  if (reasoning === undefined || reasoning.length <= REPLY_LIMITS.contentChars) return message;
  return { ...message, reasoning_content: beginningAndEnd(reasoning) };
}

function beginningAndEnd(text: string): string {
  if (text.length <= 2 * KEPT_CHARS) return text;
  const left = text.length - 2 * KEPT_CHARS;
  // A cut can split a pair of code units, which would make the text invalid.
  const head = text.slice(0, KEPT_CHARS).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-KEPT_CHARS).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
