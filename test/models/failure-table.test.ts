/** Failures in the providers' own words, and what each means. */

import { afterEach, expect, it } from 'vitest';
import { createModelCaller } from '../../src/models/client.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

it.each<[by: string, status: number, body: unknown, type: string, wait?: number]>([
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
  ['a server that lacks the API', 501, error('Not implemented'), 'RequestRefused'],
  ['a gateway, with status 200', 200, error('Invalid API key', { type: 'authentication_error' }), 'NotAuthorised'],
  ['a gateway of another status', 200, error('Too many', { code: 429 }), 'RateLimited'],
])('%s with status %i: %j', async (_by, status, body, type, wait) => {
  const provider = await startFakeProvider(answerJson(body, status));
  open.push(provider);
  const callModel = createModelCaller((name) => resolveProvider(name, { CUSTOM_BASE_URL: provider.url }));
  const request = { provider: 'custom', model: 'm', messages: [], temperature: null, idempotencyKey: 'k' };
  await expect(callModel(request, { timeoutMs: 10_000 })).rejects.toMatchObject({
    failure: {
      type,
      retryable: type === 'ModelUnavailable' || type === 'RateLimited',
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  });
});
