/** Failures in the providers' own words, and what each means. */

import { afterEach, expect, it } from 'vitest';
import { createModelCaller } from '../../src/models/index.ts';
import { FAILURE_GROUPS, fits, judgeAnswer } from '../../src/models/testing.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const A_DAY = 86_400_000;
/** Longer than the longest wait. */
const RESET = String(Date.now() + 2 * A_DAY);

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

const BODIES: readonly [by: string, status: number, body: unknown, type: string, wait?: number][] = [
  // The model's own.
  [
    'Groq',
    400,
    error("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", {
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      failed_generation: '<function=f>',
    }),
    'MalformedReply',
  ],
  [
    'Groq, by a schema',
    400,
    error('tool call validation failed: parameters for tool f did not match schema', { code: 'tool_use_failed' }),
    'MalformedReply',
  ],
  [
    'Groq, in JSON mode',
    400,
    error("Failed to generate JSON. See 'failed_generation'.", { code: 'json_validate_failed' }),
    'MalformedReply',
  ],
  [
    'Ollama',
    500,
    error(`error parsing tool call: raw='{"a": ', err=unexpected end of JSON input`, { type: 'api_error' }),
    'MalformedReply',
  ],
  [
    'Ollama, of XML',
    500,
    error('XML syntax error on line 35: element <parameter> closed by </function>'),
    'MalformedReply',
  ],
  [
    'llama.cpp',
    500,
    error('Failed to parse input at pos 12: </tool_call>', { code: 500, type: 'server_error' }),
    'MalformedReply',
  ],
  [
    'Bedrock',
    400,
    {
      message:
        'Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.',
    },
    'MalformedReply',
  ],
  [
    'llama.cpp, of arguments',
    500,
    error('Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]', {
      code: 500,
      type: 'server_error',
    }),
    'MalformedReply',
  ],
  [
    'Gemini, by way of OpenRouter',
    200,
    error('Provider returned error', { code: 502, metadata: { raw: 'finishReason: MALFORMED_FUNCTION_CALL' } }),
    'MalformedReply',
  ],
  ...(
    [
      ['UNEXPECTED_TOOL_CALL', 'MalformedReply'],
      ['TOO_MANY_TOOL_CALLS', 'MalformedReply'],
      ['MALFORMED_RESPONSE', 'MalformedReply'],
      ['MISSING_THOUGHT_SIGNATURE', 'RequestRefused'],
      ['PROHIBITED_CONTENT', 'ContentFilter'],
      ['SAFETY', 'ContentFilter'],
      ['RECITATION', 'ContentFilter'],
      ['BLOCKLIST', 'ContentFilter'],
    ] as const
  ).map(([reason, type]): (typeof BODIES)[number] => [
    `Gemini, ${reason} by way of OpenRouter`,
    200,
    error('Provider returned error', { code: 502, metadata: { raw: `finishReason: ${reason}` } }),
    type,
  ]),
  // This conversation's.
  ['Ollama', 500, error('input exceeds maximum context length', { type: 'api_error' }), 'ContextOverflow'],
  [
    'llama.cpp',
    400,
    error('the request exceeds the available context size', { type: 'exceed_context_size_error' }),
    'ContextOverflow',
  ],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
    'ContextOverflow',
  ],
  [
    'Kimi',
    400,
    error('Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', {
      type: 'invalid_request_error',
    }),
    'ContextOverflow',
  ],
  [
    'TGI',
    422,
    {
      error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
      error_type: 'validation',
    },
    'ContextOverflow',
  ],
  [
    'vLLM',
    400,
    error('The decoder prompt (length 5000) is longer than the maximum model length of 4096.', {
      type: 'BadRequestError',
      code: 400,
    }),
    'ContextOverflow',
  ],
  [
    'OpenAI',
    400,
    error('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    }),
    'ContextOverflow',
  ],
  [
    'Anthropic',
    400,
    error('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', {
      type: 'invalid_request_error',
    }),
    'ContextOverflow',
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }, 'ContextOverflow'],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    'ContextOverflow',
  ],
  ['z.ai', 400, error('Prompt exceeds max length', { code: '1261' }), 'ContextOverflow'],
  [
    'Alibaba',
    400,
    error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]', {
      code: 'invalid_parameter_error',
    }),
    'ContextOverflow',
  ],
  [
    'GitHub Models',
    413,
    error('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' }),
    'ContextOverflow',
  ],
  [
    'vLLM, whose prompt leaves no token',
    400,
    { object: 'error', message: 'max_tokens must be at least 1, got -186.', type: 'BadRequestError', code: 400 },
    'ContextOverflow',
  ],
  [
    'SGLang',
    400,
    { object: 'error', message: 'Input length (9000 tokens) exceeds the maximum allowed length (8192 tokens).' },
    'ContextOverflow',
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    'ContextOverflow',
  ],
  [
    'LM Studio, with status 200',
    200,
    {
      error:
        'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    'ContextOverflow',
  ],
  ['LiteLLM', 400, error('litellm.ContextWindowExceededError', { code: '400' }), 'ContextOverflow'],
  [
    'Google, in a list',
    400,
    [
      error('The input token count (582632) exceeds the maximum number of tokens allowed (131072).', {
        code: 400,
        status: 'INVALID_ARGUMENT',
      }),
    ],
    'ContextOverflow',
  ],
  [
    'OpenRouter, for what is behind it',
    400,
    error('Provider returned error', {
      code: 400,
      metadata: { raw: '{"error":{"message":"prompt is too long: 210000 tokens"}}' },
    }),
    'ContextOverflow',
  ],
  [
    'OpenRouter',
    403,
    error('Your input was flagged', {
      code: 403,
      metadata: { reasons: ['violence'], flagged_input: 'kill the order' },
    }),
    'ContentFilter',
  ],
  ['xAI', 403, { code: 'permission-denied', error: 'Content violates usage guidelines.' }, 'ContentFilter'],
  [
    'Azure',
    400,
    error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
      code: 'content_filter',
    }),
    'ContentFilter',
  ],
  [
    'Anthropic',
    400,
    error('Output blocked by content filtering policy', { type: 'invalid_request_error' }),
    'ContentFilter',
  ],
  ['z.ai', 400, error('系统检测到输入或生成内容可能包含不安全或敏感内容', { code: '1301' }), 'ContentFilter'],
  [
    'Alibaba',
    400,
    error('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
    'ContentFilter',
  ],
  ['LiteLLM', 400, error('litellm.ContentPolicyViolationError: flagged', { code: '400' }), 'ContentFilter'],
  ['DeepSeek', 400, error('Content Exists Risk', { type: 'invalid_request_error' }), 'ContentFilter'],
  // The account's.
  [
    'Groq',
    413,
    error(
      'Request too large for model `m` in organization `o` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    'QuotaExceeded',
  ],
  [
    'OpenAI',
    429,
    error('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.', {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'QuotaExceeded',
  ],
  [
    'OpenRouter',
    402,
    error('This request requires more credits, or fewer max_tokens.', { code: 402 }),
    'QuotaExceeded',
  ],
  [
    'xAI',
    403,
    {
      code: 'permission-denied',
      error: 'Your team has either used all available credits or reached its monthly spending limit.',
    },
    'QuotaExceeded',
  ],
  [
    'OpenAI, of a new account',
    429,
    error('You exceeded your current quota, please check your plan and billing details.', {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
    'QuotaExceeded',
  ],
  [
    'Anthropic, until next month',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.',
      },
    },
    'QuotaExceeded',
  ],
  [
    'Anthropic, for long prompts',
    429,
    error('Extra usage is required for long context requests.', { type: 'rate_limit_error' }),
    'QuotaExceeded',
  ],
  [
    'Google, of a free tier without the model',
    429,
    [
      error(
        'You exceeded your current quota.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-2.5-pro\nPlease retry in 20.04466179s.',
        { code: 429, status: 'RESOURCE_EXHAUSTED' },
      ),
    ],
    'QuotaExceeded',
    20_045,
  ],
  ['OpenRouter, of a key', 403, error('Key limit exceeded (total limit).', { code: 403 }), 'QuotaExceeded'],
  ['LiteLLM', 400, error('Budget has been exceeded!', { type: 'budget_exceeded', code: '400' }), 'QuotaExceeded'],
  ['Anthropic', 200, error('invalid x-api-key', { type: 'authentication_error' }), 'NotAuthorised'],
  ['xAI', 400, { code: 'invalid-argument', error: 'Incorrect API key provided: x***y.' }, 'NotAuthorised'],
  [
    'xAI, of a new team',
    403,
    { error: "Your newly created team doesn't have any credits or licenses yet." },
    'QuotaExceeded',
  ],
  ['Kimi', 429, error('Your account is suspended', { type: 'exceeded_current_quota_error' }), 'QuotaExceeded'],
  ['z.ai', 429, error('Insufficient balance or no resource package.', { code: '1113' }), 'QuotaExceeded'],
  [
    'Google',
    400,
    [error('API key not valid. Please pass a valid API key.', { code: 400, status: 'INVALID_ARGUMENT' })],
    'NotAuthorised',
  ],
  // Passing, with the wait in the words.
  [
    'Groq, for a day',
    429,
    error(
      'Rate limit reached for model `m` on tokens per day (TPD): Limit 100000, Used 99000, Requested 2000. Please try again in 7m12.5s.',
      { code: 'rate_limit_exceeded' },
    ),
    'RateLimited',
    432_500,
  ],
  ['Azure', 429, error('Please retry after 26 seconds.', { code: '429' }), 'RateLimited', 26_000],
  [
    'Google',
    429,
    [
      error('You exceeded your current quota, please check your plan and billing details.', {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        details: [{ retryDelay: '37s' }],
      }),
    ],
    'RateLimited',
    37_000,
  ],
  [
    'OpenRouter, for a day',
    429,
    error('Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day', {
      code: 429,
      metadata: { headers: { 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': RESET } },
    }),
    'RateLimited',
    A_DAY,
  ],
  [
    'OpenAI, for a day',
    429,
    error(
      'Rate limit reached for gpt-4o-mini on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.',
      { type: 'requests', code: 'rate_limit_exceeded' },
    ),
    'RateLimited',
    432_000,
  ],
  [
    'GitHub Models, for a day',
    429,
    error('Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 56370 seconds before retrying.', {
      code: 'RateLimitReached',
    }),
    'RateLimited',
    56_370_000,
  ],
  ['Kimi', 429, error('request reached max RPM: 3, please try again after 1 seconds'), 'RateLimited', 1_000],
  ['OpenAI, of a response', 200, error('The server had an error', { code: 'server_error' }), 'ModelUnavailable'],
  ['OpenRouter', 200, error('Upstream error from Chutes: Internal error'), 'ModelUnavailable'],
  ['Groq, without capacity', 498, error('Flex tier capacity exceeded'), 'ModelUnavailable'],
  [
    'llama.cpp, at its start',
    503,
    error('Loading model', { type: 'unavailable_error', code: 503 }),
    'ModelUnavailable',
  ],
  // The set-up's.
  ['Ollama', 500, error('model requires more system memory (9.1 GiB) than is available (4.2 GiB)'), 'RequestRefused'],
  ['LM Studio', 200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }, 'RequestRefused'],
  [
    'llama.cpp, without templates',
    500,
    error('tools param requires --jinja flag', { code: 500, type: 'server_error' }),
    'RequestRefused',
  ],
  ['OpenAI', 200, error('The model `m` does not exist', { code: 'model_not_found' }), 'RequestRefused'],
  ['Anthropic', 200, error('model: m', { type: 'not_found_error' }), 'RequestRefused'],
  [
    'FastChat, with status 200',
    200,
    { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 40303 },
    'ContextOverflow',
  ],
  ['z.ai, with status 200', 200, { code: 1113, msg: 'Insufficient balance', success: false }, 'QuotaExceeded'],
  ['LM Studio, of words that nobody knows', 200, { error: 'The red light is on' }, 'NotACompletion'],
  ['a server that lacks the API', 501, error('Not implemented'), 'RequestRefused'],
  ['a gateway, with status 200', 200, error('Invalid API key', { type: 'authentication_error' }), 'NotAuthorised'],
  ['a gateway of another status', 200, error('Too many', { code: 429 }), 'RateLimited'],
];

it.each(BODIES)('%s with status %i: %j', async (_by, status, body, type, wait) => {
  const provider = await startFakeProvider(answerJson(body, status));
  open.push(provider);
  const callModel = createModelCaller((name) => resolveProvider(name, { CUSTOM_BASE_URL: provider.url }));
  const request = { provider: 'custom', model: 'm', messages: [], temperature: null, idempotencyKey: 'k' };
  await expect(callModel(request, { timeoutMs: 10_000 })).rejects.toMatchObject({
    failure: {
      type,
      retryable: ['ModelUnavailable', 'RateLimited', 'NotACompletion'].includes(type),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  });
});

it('finds words around a gap with line breaks', () => {
  const words = 'Request too large for m\n\nLimit on tokens per min';
  expect(judgeAnswer({ status: 429, codes: [], words }).type).toBe('QuotaExceeded');
});

it('shows each row by a body', () => {
  const answers = BODIES.map(([, , body]) => ({ status: 0, codes: valuesOf(body), words: JSON.stringify(body) }));
  const unshown = FAILURE_GROUPS.flatMap(({ rows = [] }) => rows).filter(
    (row) => !answers.some((answer) => fits(row, answer)),
  );
  expect(unshown).toEqual([]);
});

function valuesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesOf);
}
