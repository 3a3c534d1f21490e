/**
 * The table of failures: the meaning of a provider's answer, by its status, its codes and its words.
 *
 * A failure belongs to the model (malformed output, scored), to this conversation (too long or filtered; also scored,
 * for this episode only), to the account (key or quota: the run pauses), to the set-up (a refused request: the run
 * stops if nothing has worked yet), or is transient (waited for). Each row has a test.
 */

import type { FailureType } from '../evaluation/index.ts';

export interface ProviderAnswer {
  /** HTTP status, or the status in an error inside an answer; 0 without one. */
  readonly status: number;
  readonly codes: readonly string[];
  /** The error's text, of a bounded length. */
  readonly words: string;
}

interface FailureRow {
  /** Provider that sends it. The row also applies to other providers, because gateways pass messages on. */
  readonly by: string;
  /** @default none */
  readonly codes?: readonly string[];
  /** Parts of the text, ignoring case; `…` is a gap of at most 300 characters. @default none */
  readonly words?: readonly string[];
}

interface FailureGroup {
  readonly type: FailureType;
  /** Statuses to which the rows apply; 0 for an error inside an answer without a status. */
  readonly statuses: readonly number[];
  /** @default the status alone decides */
  readonly rows?: readonly FailureRow[];
}

/** Statuses of a bad request, and others that servers send instead. */
const REQUESTS = [0, 400, 403, 404, 413, 422, 500, 502, 503];

/** The first matching group applies. */
export const FAILURE_GROUPS: readonly FailureGroup[] = [
  {
    type: 'MalformedReply',
    statuses: REQUESTS,
    rows: [
      {
        by: 'Groq',
        codes: ['tool_use_failed', 'json_validate_failed', 'output_parse_failed'],
        words: ['failed to call a function', 'tool call validation failed'],
      },
      {
        by: 'Gemini',
        words: [
          ...['malformed_function_call', 'malformed function call'],
          ...['unexpected_tool_call', 'too_many_tool_calls', 'malformed_response'],
        ],
      },
      { by: 'Ollama', words: ['error parsing tool call', 'XML syntax error on line'] },
      { by: 'llama.cpp', words: ['failed to parse input at pos', 'failed to parse tool call arguments'] },
      { by: 'Bedrock', words: ['invalid sequence as part of ToolUse'] },
    ],
  },
  {
    // The conversation lacks the signatures of the model's thoughts, so that repeating it never helps.
    type: 'RequestRefused',
    statuses: REQUESTS,
    rows: [{ by: 'Gemini', words: ['missing_thought_signature'] }],
  },
  {
    // A request above the limit per minute never fits, however long it waits.
    type: 'QuotaExceeded',
    statuses: [413, 429],
    rows: [
      {
        by: 'OpenAI, Groq',
        words: ['request too large for … tokens per min', 'request too large for … tokens per day'],
      },
    ],
  },
  {
    type: 'ContextOverflow',
    statuses: REQUESTS,
    rows: [
      {
        by: 'OpenAI, Azure, Groq, Cerebras, DeepSeek',
        codes: ['context_length_exceeded'],
        words: ['context length', 'context window'],
      },
      { by: 'Anthropic', codes: ['request_too_large'], words: ['prompt is too long', 'exceed context limit'] },
      { by: 'Google', words: ['input token count'] },
      { by: 'Bedrock', words: ['input is too long', 'too many input tokens', 'too many tokens'] },
      { by: 'Mistral', words: ['too large for model with'] },
      { by: 'xAI', words: ['maximum prompt length'] },
      { by: 'Kimi', words: ['exceeded model token limit', 'input tokens exceeds max'] },
      { by: 'z.ai', codes: ['1261'], words: ['prompt exceeds max length'] },
      { by: 'Alibaba', words: ['range of input length should be'] },
      { by: 'GitHub Models', codes: ['tokens_limit_reached'], words: ['request body too large for … tokens'] },
      { by: 'TGI, Together', words: ['max_new_tokens` must be', 'must have less than … tokens'] },
      {
        by: 'vLLM',
        words: [
          'longer than the maximum model length',
          'model max length exceeded',
          'max_tokens must be at least 1, got -',
        ],
      },
      { by: 'SGLang', words: ['exceeds the maximum … tokens', "exceeds the model's maximum … tokens"] },
      { by: 'llama.cpp', codes: ['exceed_context_size_error'], words: ['context size'] },
      { by: 'LM Studio', words: ['when context the overflows', 'greater than the context length'] },
      { by: 'Ollama', words: ['input length exceeds', 'exceeds maximum context length'] },
      { by: 'LiteLLM', words: ['ContextWindowExceededError'] },
    ],
  },
  {
    type: 'ContentFilter',
    statuses: [0, 400, 403, 422, 500, 502, 503],
    rows: [
      {
        by: 'OpenAI, Azure',
        // OpenAI's `invalid_prompt` means a flagged prompt, never one of a wrong form.
        codes: ['content_filter', 'content_policy_violation', 'invalid_prompt'],
      },
      { by: 'OpenRouter', words: ['requires moderation', 'input was flagged', 'flagged_input'] },
      { by: 'Anthropic', words: ['content filtering policy'] },
      {
        by: 'Gemini',
        words: ['prohibited_content', 'finishReason: safety', 'finishReason: recitation', 'finishReason: blocklist'],
      },
      { by: 'xAI', words: ['content violates usage guidelines'] },
      { by: 'DeepSeek', words: ['content exists risk'] },
      { by: 'z.ai', codes: ['1301'] },
      { by: 'Alibaba', codes: ['data_inspection_failed'] },
      { by: 'LiteLLM', words: ['ContentPolicyViolationError'] },
    ],
  },
  { type: 'QuotaExceeded', statuses: [402] },
  {
    type: 'QuotaExceeded',
    statuses: [0, 400, 403, 429],
    rows: [
      {
        by: 'OpenAI',
        codes: ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'],
      },
      {
        by: 'Anthropic',
        codes: ['billing_error'],
        words: [
          'credit balance is too low',
          'reached your specified API usage limits',
          'extra usage is required for long context requests',
        ],
      },
      // A free tier that does not include the model.
      { by: 'Google', words: ['free_tier … limit: 0,'] },
      {
        by: 'xAI',
        words: ['used all available credits', 'run out of credits', "n't have any credits", 'monthly spending limit'],
      },
      { by: 'Kimi', codes: ['exceeded_current_quota_error'] },
      { by: 'DeepSeek, z.ai', codes: ['insufficient_balance', '1113'], words: ['insufficient balance'] },
      { by: 'OpenRouter', words: ['insufficient credits', 'key limit exceeded'] },
      { by: 'LiteLLM', codes: ['budget_exceeded'] },
    ],
  },
  {
    type: 'NotAuthorised',
    statuses: [0, 400, 404],
    rows: [
      { by: 'OpenAI, Groq', codes: ['invalid_api_key'], words: ['invalid API key'] },
      { by: 'Anthropic', codes: ['authentication_error'] },
      { by: 'Google', codes: ['API_KEY_INVALID'], words: ['API key not valid'] },
      { by: 'xAI', words: ['incorrect API key'] },
    ],
  },
  { type: 'NotAuthorised', statuses: [401, 403] },
  {
    // Waiting gives a machine no more memory, and an address no other API.
    type: 'RequestRefused',
    statuses: [0, 500],
    rows: [
      { by: 'Ollama', words: ['requires more system memory', 'model … not found'] },
      { by: 'LM Studio', words: ['unexpected endpoint or method', 'failed to load model'] },
      { by: 'llama.cpp', words: ['requires --jinja', 'unsupported param'] },
      { by: 'OpenAI', codes: ['invalid_request_error', 'model_not_found'] },
      { by: 'Anthropic', codes: ['not_found_error'] },
    ],
  },
  {
    type: 'ModelUnavailable',
    statuses: [0],
    rows: [
      { by: 'OpenAI, Anthropic', codes: ['server_error', 'api_error', 'overloaded_error', 'timeout_error'] },
      {
        by: 'OpenRouter, gateways',
        codes: ['internal_server_error'],
        words: ['overloaded', 'temporarily', 'try again later', 'timed out', 'internal server error', 'upstream'],
      },
    ],
  },
  {
    type: 'RateLimited',
    statuses: [0],
    rows: [{ by: 'OpenAI, Anthropic', codes: ['rate_limit_exceeded', 'rate_limit_error'] }],
  },
];

/** Returns the failure's type, and true if no group matches, so that the provider's own retry hint applies. */
export function judgeAnswer(answer: ProviderAnswer): { readonly type: FailureType; readonly isByStatus: boolean } {
  for (const { type, statuses, rows } of FAILURE_GROUPS) {
    if (!statuses.includes(answer.status)) continue;
    if (rows?.some((row) => fits(row, answer)) !== false) return { type, isByStatus: false };
  }
  return { type: byStatus(answer.status), isByStatus: true };
}

/** @returns true if one of the row's codes or words is in the answer */
export function fits(row: FailureRow, { codes, words }: ProviderAnswer): boolean {
  return row.codes?.some((code) => codes.includes(code)) === true || toPattern(row)?.test(words) === true;
}

const patterns = new Map<FailureRow, RegExp | undefined>();

function toPattern(row: FailureRow): RegExp | undefined {
  if (patterns.has(row)) return patterns.get(row);
  const alternatives = row.words?.map((part) =>
    part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/ … /g, '.{0,300}?'),
  );
  const pattern = alternatives === undefined ? undefined : new RegExp(alternatives.join('|'), 'is');
  patterns.set(row, pattern);
  return pattern;
}

function byStatus(status: number): FailureType {
  if (status === 429) return 'RateLimited';
  // Groq's 498 means too little capacity. A server that has not implemented something (501) will not have it later
  // either.
  if (status === 0 || status === 408 || status === 409 || status === 425 || status === 498) return 'ModelUnavailable';
  return status >= 500 && status !== 501 ? 'ModelUnavailable' : 'RequestRefused';
}
