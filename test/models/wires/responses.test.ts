/** The Responses wire against answers and requests in the form that OpenAI's documentation gives them. */

import { afterEach, expect, it } from 'vitest';
import type { AssistantMessage } from '../../../src/agents/index.ts';
import { createModelCaller, type ModelRequest } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import {
  answerError,
  answerJson,
  KEY,
  type Answer,
  openaiEnv,
  startFakeProvider,
  type FakeProvider,
} from '../helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const request: ModelRequest = {
  provider: 'openai',
  model: 'gpt-5.6',
  wire: 'responses',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
  ],
  temperature: null,
  idempotencyKey: 'run-1/5',
};
const options = { timeoutMs: 10_000 };

const reasoning = (id: string) => ({ id, type: 'reasoning', summary: [], encrypted_content: `gAAAA${id}+/==` });
const call = (id: string, args = '{"id": "1"}') => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name: 'look_up',
  arguments: args,
});
const words = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  ...more,
});
const toolCall = (id: string) =>
  ({ id, type: 'function', function: { name: 'look_up', arguments: '{"id": "1"}' } }) as const;
const result = (id: string) => ({ role: 'tool', tool_call_id: id, name: 'look_up', content: 'found' }) as const;

function response(output: readonly object[], more: object = {}) {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'gpt-5.6-2026-07-01',
    output,
    usage: {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 400, cache_write_tokens: 500 },
      output_tokens: 100,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 1100,
    },
    ...more,
  };
}

async function serve(answer: Answer) {
  const provider = await startFakeProvider(answer);
  open.push(provider);
  return { provider, callModel: createModelCaller((name) => resolveProvider(name, openaiEnv(provider))) };
}

/** The items that a message becomes in the request that follows the answer. */
async function handedBack(output: readonly object[], change: (message: AssistantMessage) => AssistantMessage) {
  const { provider, callModel } = await serve(answerJson(response(output)));
  const { message } = await callModel(request, options);
  await callModel({ ...request, messages: [change(message)] }, options);
  const input = provider.requests[1]?.body['input'] as readonly { readonly type: string }[];
  return input.filter(({ type }) => type !== 'function_call_output');
}

const keepCalls =
  (...ids: string[]) =>
  (message: AssistantMessage): AssistantMessage => {
    const { tool_calls: calls = [], ...rest } = message;
    const kept = calls.filter(({ id }) => ids.includes(id));
    return kept.length === 0 ? rest : { ...rest, tool_calls: kept };
  };

it('asks for a response that nobody stores, with its reasoning encrypted', async () => {
  const { provider, callModel } = await serve(answerJson(response([words('Hello')])));
  await callModel(
    {
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: 'Looking.', tool_calls: [toolCall('a')] },
        result('a'),
      ],
      tools: [{ type: 'function', function: { name: 'look_up', description: 'Looks up', parameters } }],
      maxCompletionTokens: 500,
      seed: 7,
      top_p: 0.9,
      reasoning_effort: 'high',
      format: 'json',
      extra_body: { reasoning: { summary: 'auto' }, service_tier: 'flex' },
    },
    options,
  );
  expect(provider.requests[0]?.url).toBe('/v1/responses');
  expect(provider.requests[0]?.headers['idempotency-key']).toBe('run-1/5');
  expect(provider.requests[0]?.body).toEqual({
    model: 'gpt-5.6',
    store: false,
    include: ['reasoning.encrypted_content'],
    input: [
      { type: 'message', role: 'system', content: 'Be kind.' },
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'message', role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'a', name: 'look_up', arguments: '{"id": "1"}' },
      { type: 'function_call_output', call_id: 'a', output: 'found' },
    ],
    tools: [{ type: 'function', name: 'look_up', description: 'Looks up', parameters, strict: false }],
    max_output_tokens: 500,
    top_p: 0.9,
    reasoning: { effort: 'high', summary: 'auto' },
    text: { format: { type: 'json_object' } },
    service_tier: 'flex',
  });
});

it('asks a model that does not reason for no reasoning', async () => {
  const { provider, callModel } = await serve(answerJson(response([words('Hello')])));
  await callModel({ ...request, model: 'gpt-4o', temperature: 0 }, options);
  expect(provider.requests[0]?.body).toMatchObject({ temperature: 0, store: false });
  expect(provider.requests[0]?.body).not.toHaveProperty('include');
});

it('a reply has words, calls and usage', async () => {
  const { callModel } = await serve(answerJson(response([reasoning('1'), words('One moment.'), call('a')])));
  const reply = await callModel(request, options);
  expect(reply).toMatchObject({
    message: {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [toolCall('a')],
      continuation: { provider: 'openai', model: 'gpt-5.6', wire: 'responses' },
    },
    finishReason: 'tool_calls',
    usage: {
      promptTokens: 1000,
      completionTokens: 100,
      cachedTokens: 400,
      cacheWriteTokens: 500,
      reasoningTokens: 30,
    },
    usageReported: true,
    servedModel: 'gpt-5.6-2026-07-01',
    requestId: 'req_1',
  });
});

it.each([
  ['words', [words('Hello')], {}, 'Hello', 'stop'],
  ['a refusal', [words('', { content: [{ type: 'refusal', refusal: 'I cannot.' }] })], {}, 'I cannot.', 'stop'],
  ['two messages', [words('Looking.'), words('Done.')], {}, 'Looking.\n\nDone.', 'stop'],
  ['nothing', [], {}, null, 'stop'],
  [
    'a cut answer',
    [reasoning('1')],
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    null,
    'length',
  ],
  ['an answer that ended by itself', [words('So')], { status: 'incomplete' }, 'So', 'incomplete'],
])('gives %s and how it ended', async (_, output, more, content, finishReason) => {
  const { callModel } = await serve(answerJson(response(output, more)));
  expect(await callModel(request, options)).toMatchObject({ message: { content }, finishReason });
});

it.each([
  [
    'a filtered answer',
    answerJson(response([words('So')], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } })),
    { type: 'ContentFilter', retryable: false },
  ],
  [
    'a failed response',
    answerJson(response([], { status: 'failed', error: { code: 'server_error', message: 'The server broke.' } })),
    { type: 'ModelUnavailable', retryable: true, message: "the provider's response failed: The server broke." },
  ],
  [
    'a response that failed for its rate',
    answerJson(response([], { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })),
    { type: 'RateLimited', retryable: true },
  ],
  [
    'a flagged prompt',
    answerError(400, { message: 'Invalid prompt: it was flagged.', code: 'invalid_prompt', param: null }),
    { type: 'ContentFilter', retryable: false },
  ],
  [
    'a conversation that is too long',
    answerError(400, { message: 'Your input exceeds the context window of this model.', param: 'input' }),
    { type: 'ContextOverflow', retryable: false },
  ],
  [
    'a used-up quota',
    answerError(429, { message: 'You exceeded your current quota.', code: 'insufficient_quota' }),
    { type: 'QuotaExceeded', retryable: false },
  ],
  [
    'a server without the API',
    answerError(404, { message: 'Not Found' }),
    { type: 'RequestRefused', retryable: false, message: expect.stringContaining('Not Found') as string },
  ],
  [
    'a response that is still in progress',
    answerJson(response([], { status: 'in_progress' })),
    { type: 'ModelUnavailable', retryable: true },
  ],
  ['items that are none', answerJson(response([{ type: 'message' }])), { type: 'NotACompletion', retryable: true }],
])('books %s under its cause', async (_, answer, failure) => {
  const { callModel } = await serve(answer);
  await expect(callModel(request, options)).rejects.toMatchObject({ failure });
});

it('hands all items of a turn back as they came', async () => {
  const output = [reasoning('1'), words('One moment.', { phase: 'commentary' }), call('a'), reasoning('2'), call('b')];
  expect(await handedBack(output, (message) => message)).toEqual(output);
});

it('a request leaves out calls that did not count, and the reasoning that only they followed', async () => {
  const [first, second] = [call('a'), call('b')];
  expect(await handedBack([reasoning('1'), first, second], keepCalls('a'))).toEqual([reasoning('1'), first]);
  const apart = [reasoning('1'), first, reasoning('2'), second];
  expect(await handedBack(apart, keepCalls('a'))).toEqual([reasoning('1'), first]);
  expect(await handedBack(apart, keepCalls())).toEqual([]);
});

it('frees what followed left-out reasoning from it', async () => {
  const { id: _, status: __, ...plain } = call('b');
  expect(await handedBack([reasoning('1'), call('a'), call('b')], keepCalls('b'))).toEqual([plain]);
  expect(await handedBack([reasoning('1'), call('a'), words('Done.')], keepCalls())).toEqual([
    { type: 'message', role: 'assistant', content: 'Done.' },
  ]);
});

it('a request leaves out reasoning that nothing follows, or that has no content', async () => {
  expect(await handedBack([call('a'), reasoning('1')], (message) => message)).toEqual([call('a')]);
  const { id: _, status: __, ...plain } = call('a');
  const empty = { ...reasoning('1'), encrypted_content: null };
  expect(await handedBack([empty, call('a')], (message) => message)).toEqual([plain]);
});

it('a request has the text as the strategy left it, and no reasoning of another text', async () => {
  const items = [reasoning('1'), words('<think>x</think>Hello'), reasoning('2'), call('a')];
  expect(await handedBack(items, (message) => ({ ...message, content: 'Hello' }))).toEqual([
    { type: 'message', role: 'assistant', content: 'Hello' },
    reasoning('2'),
    call('a'),
  ]);
});

it('hands another model plain items', async () => {
  const { provider, callModel } = await serve(answerJson(response([reasoning('1'), words('Hello'), call('a')])));
  const { message } = await callModel(request, options);
  await callModel({ ...request, model: 'gpt-5.5', messages: [message, result('a')] }, options);
  expect(provider.requests[1]?.body['input']).toEqual([
    { type: 'message', role: 'assistant', content: 'Hello' },
    { type: 'function_call', call_id: 'a', name: 'look_up', arguments: '{"id": "1"}' },
    { type: 'function_call_output', call_id: 'a', output: 'found' },
  ]);
});

it('a reply keeps no item that quotes the key', async () => {
  const { callModel } = await serve(answerJson(response([reasoning('1'), words(`Your key is ${KEY}.`)])));
  const { message } = await callModel(request, options);
  expect(message).toEqual({ role: 'assistant', content: 'Your key is [redacted].' });
});

it('a call without a usable id gets one', async () => {
  const long = 'x'.repeat(10_000);
  const { callModel } = await serve(answerJson(response([call('a'), call('a'), call(''), call(long)])));
  const { message } = await callModel(request, options);
  expect(message.tool_calls?.map(({ id }) => id)).toEqual(['a', 'call_1', 'call_2', 'call_3']);
});
