/**
 * The table of finish reasons: why a provider ended a reply before the model was done.
 *
 * Gateways put their own word into `finish_reason`, and the provider's beside it. Google's endpoint for chat
 * completions puts both into one: `function_call_filter: UNEXPECTED_TOOL_CALL`. Each word is looked up.
 */

import type { FailureType } from '../evaluation/index.ts';
import { UnusableReplyError, reportedError } from './failures.ts';
import { contentFiltered, malformedReply } from './reply.ts';
import { toFields } from './reply-reader.ts';

interface ReasonRow {
  readonly type: FailureType;
  /** Words in lower case. */
  readonly reasons: readonly string[];
  /** True if the reason makes only an empty reply unusable. @default it makes every reply unusable */
  readonly isEmptyOnly?: true;
}

/** The first row with one of the reply's reasons applies. */
const FINISH_REASONS: readonly ReasonRow[] = [
  // The conversation lacks the signatures of Gemini's thoughts, so that repeating it never helps.
  { type: 'RequestRefused', reasons: ['missing_thought_signature'] },
  {
    type: 'MalformedReply',
    reasons: [
      ...['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls', 'malformed_response'],
      ...['function_call_filter', 'malformed_tool_use', 'malformed_model_output'],
    ],
  },
  {
    type: 'ContentFilter',
    reasons: [
      ...['content_filter', 'content_filtered', 'refusal', 'safety', 'recitation', 'language', 'blocklist'],
      ...['prohibited_content', 'spii', 'image_safety', 'image_prohibited_content', 'image_recitation'],
      ...['model_armor', 'guardrail_intervened', 'sensitive', 'error_toxic'],
    ],
  },
  {
    type: 'ModelUnavailable',
    reasons: ['error', 'insufficient_system_resource', 'network_error', 'abort'],
  },
  {
    type: 'ModelUnavailable',
    reasons: ['other', 'image_other', 'no_image', 'finish_reason_unspecified', 'unspecified'],
    isEmptyOnly: true,
  },
];

interface ReplyEnd {
  /** Reasons of the gateway and of the provider; values other than texts are ignored. */
  readonly reasons: readonly unknown[];
  /** Error that ended the reply. @default none */
  readonly error?: unknown;
  /** True for a reply with words or calls. */
  readonly saysSomething: boolean;
}

/** @throws UnusableReplyError for a reply that cannot be used, judged by its finish reasons */
export function requireGoodEnd(end: ReplyEnd): void {
  const failure = failedEnd(end);
  if (failure !== null) throw failure;
}

function failedEnd({ reasons, error, saysSomething }: ReplyEnd): UnusableReplyError | null {
  const given = reasons.filter((reason): reason is string => typeof reason === 'string' && reason !== '');
  const words = given.flatMap(splitReason);
  const row = FINISH_REASONS.find((each) => each.reasons.some((reason) => words.includes(reason)));
  if (row === undefined || (row.isEmptyOnly === true && saysSomething)) return null;
  const shown = given.at(-1) ?? '';
  if (row.type === 'MalformedReply') return malformedReply(`it ended with ${shown}`);
  if (row.type === 'ContentFilter') return contentFiltered();
  if (row.type !== 'ModelUnavailable')
    return new UnusableReplyError(row.type, `the provider ended the reply with ${shown}`);
  return reportedError({ code: shown, ...toFields(error) }, 'the provider ended the reply with an error');
}

/** @returns true if a text has more than white space */
export function hasText(text: string | null): boolean {
  return text !== null && text.trim() !== '';
}

/** Most characters of a reason to read. */
const MAX_REASON_CHARS = 200;

/** Splits a reason: `content_filter: FinishReason.SAFETY` into `content_filter` and `safety`. */
function splitReason(reason: string): string[] {
  const parts = reason.slice(0, MAX_REASON_CHARS).split(/[\s:.,]+/);
  return parts.map((part) => part.toLowerCase().replaceAll('-', '_'));
}
