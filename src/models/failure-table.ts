/**
 * The table of failures: the meaning of a provider's answer, by its status, its codes and its words.
 *
 * A failure is the model's own (malformed output, scored), this conversation's (too long, filtered: scored as well, and
 * this episode alone), the account's (key or quota: the run pauses), passing (waited for), or the set-up's (a refused
 * request: the run stops if nothing has worked yet). docs/providers.md has them; each row is a test.
 */

import type { FailureType } from '../wire/index.ts';

export interface ProviderAnswer {
  /** HTTP's, or the one that an error inside an answer names; 0 where there is none. */
  readonly status: number;
  /** Codes and types of the error. */
  readonly codes: readonly string[];
  /** The error's text, of a bounded length. */
  readonly words: string;
}

interface FailureRow {
  readonly type: FailureType;
  /** Any of them. @default none */
  readonly codes?: readonly string[];
  /** @default none */
  readonly words?: RegExp;
  /** Statuses at which codes or words count. @default any but 401 and 402 */
  readonly statuses?: (status: number) => boolean;
}

const isAt =
  (...statuses: readonly number[]) =>
  (status: number) =>
    statuses.includes(status);

/** Statuses of an error inside an answer that names none, of a bad request, and of what servers send in its place. */
const REQUESTS = isAt(0, 400, 403, 404, 413, 422, 500, 502, 503);

/** The first that fits holds. */
const ROWS: readonly FailureRow[] = [
  // Groq; Gemini by way of OpenRouter; Ollama, llama.cpp and Bedrock say it in words, the local servers with status 500.
  {
    type: 'MalformedReply',
    codes: ['tool_use_failed', 'json_validate_failed', 'malformed_function_call', 'output_parse_failed'],
    words:
      /failed to call a function|tool call validation failed|error parsing tool call|failed to parse input at pos|failed to parse tool call arguments|invalid sequence as part of tooluse|xml syntax error on line|malformed[_ ]function[_ ]call/i,
    statuses: REQUESTS,
  },
  // OpenAI and Groq: no wait makes a limit per minute larger than it is.
  {
    type: 'QuotaExceeded',
    words: /request too large for .{0,300}\btokens per (?:min|day)/is,
    statuses: isAt(413, 429),
  },
  // OpenAI, llama.cpp, Anthropic, Google, Mistral, xAI, Kimi, TGI, vLLM, SGLang, Bedrock, z.ai, LM Studio, Ollama.
  {
    type: 'ContextOverflow',
    codes: ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large', '1261'],
    words:
      /maximum context length|context (?:length|window|size|limit)|prompt is too long|input is too long|too many (?:input )?tokens|input token count|exceeds? the (?:model's )?max(?:imum)?\b.{0,200}\btokens|maximum prompt length|model token limit|model max length exceeded|max_new_tokens. must be|must have less than \d+ tokens|maximum model length|input tokens exceeds? max|prompt exceeds max length|context the overflows/i,
    statuses: REQUESTS,
  },
  // OpenAI, Azure, OpenRouter, xAI, Anthropic, DeepSeek, z.ai, Alibaba.
  {
    type: 'ContentFilter',
    codes: [
      'content_filter',
      'content_policy_violation',
      // OpenAI's for a prompt that was flagged, never for one of a wrong form.
      'invalid_prompt',
      'data_inspection_failed',
      '1301',
    ],
    words:
      /flagged_input|input was flagged|content violates usage guidelines|content filtering policy|content exists risk|requires moderation/i,
    statuses: isAt(0, 400, 403, 422),
  },
  { type: 'QuotaExceeded', statuses: isAt(402) },
  // Anthropic, xAI, DeepSeek, Kimi, z.ai.
  {
    type: 'QuotaExceeded',
    codes: [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_not_active',
      'billing_error',
      'exceeded_current_quota_error',
      'insufficient_balance',
      '1113',
    ],
    words:
      /credit balance is too low|used all available credits|run out of credits|n't have any credits|insufficient (?:balance|credits|funds)|monthly spending limit/i,
    statuses: isAt(0, 400, 403, 429),
  },
  // Google and xAI refuse a key with 400.
  {
    type: 'NotAuthorised',
    codes: ['authentication_error', 'invalid_api_key', 'API_KEY_INVALID'],
    words: /api key not valid|(?:incorrect|invalid) api key/i,
    statuses: isAt(0, 400, 404),
  },
  { type: 'NotAuthorised', statuses: isAt(401, 403) },
  // Ollama and LM Studio: no wait gives a machine more memory, or an address another API.
  {
    type: 'RequestRefused',
    codes: ['invalid_request_error', 'not_found_error', 'model_not_found'],
    words: /requires more system memory|unexpected endpoint or method|failed to load model|model .{0,100}not found/i,
    statuses: isAt(0, 500),
  },
  { type: 'RateLimited', codes: ['rate_limit_error', 'rate_limit_exceeded'], statuses: isAt(0) },
];

/** Type of the failure, and true where the status alone says it, so that a provider's own word on repeating it counts. */
export function judgeAnswer(answer: ProviderAnswer): { readonly type: FailureType; readonly isByStatus: boolean } {
  const row = ROWS.find((known) => fits(known, answer));
  if (row !== undefined) return { type: row.type, isByStatus: row.type === 'NotAuthorised' };
  return { type: byStatus(answer.status), isByStatus: true };
}

function fits({ codes, words, statuses }: FailureRow, answer: ProviderAnswer): boolean {
  if (statuses?.(answer.status) === false) return false;
  if (codes === undefined && words === undefined) return true;
  return codes?.some((code) => answer.codes.includes(code)) === true || words?.test(answer.words) === true;
}

function byStatus(status: number): FailureType {
  if (status === 429) return 'RateLimited';
  // Groq's 498 is for capacity. What a server has not implemented (501) it will not have in a minute either.
  if (status === 0 || status === 408 || status === 409 || status === 425 || status === 498) return 'ModelUnavailable';
  return status >= 500 && status !== 501 ? 'ModelUnavailable' : 'RequestRefused';
}
