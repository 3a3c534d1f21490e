/** Anthropic's Messages against a server as strict as the service. */

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../../../src/agents/index.ts';
import {
  createModelCaller,
  ModelCallError,
  TranscriptStore,
  type ExpandedMessage,
  type ModelRequest,
} from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { TranscriptSender } from '../../../src/evaluation/index.ts';
import { answerJson, startFakeProvider } from '../helpers.ts';
import { MESSAGES_KEY, startStrictMessages, type MessagesRequest, type Played } from './strict-messages.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const options = { timeoutMs: 10_000 };
const policy: ExpandedMessage = { role: 'system', content: 'Be kind. '.repeat(600) };
const asked: ExpandedMessage = { role: 'user', content: 'Hi' };
const request: ModelRequest = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  wire: 'messages',
  messages: [policy, asked],
  temperature: 0,
  maxCompletionTokens: 4096,
  idempotencyKey: 'run-1/5',
  tools: [
    {
      type: 'function',
      function: { name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } },
    },
  ],
};

async function serve(play: (request: MessagesRequest) => Played) {
  const server = await startStrictMessages(play);
  open.push(server);
  const env = { ANTHROPIC_API_KEY: MESSAGES_KEY, ANTHROPIC_BASE_URL: server.url };
  return { server, callModel: createModelCaller((name) => resolveProvider(name, env)) };
}

async function fail(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelCallError)) throw error;
  return error.failure;
}

/** Calls with one number each, then words. */
function playCalls(count: number) {
  let n = 0;
  return (): Played =>
    ++n > count
      ? { blocks: '[{"type": "text", "text": "Done."}]' }
      : {
          blocks: `[{"type": "text", "text": "Let me see."}, {"type": "tool_use", "id": "toolu_${String(n)}", "name": "look_up", "input": {"b": 131.0, "a": 12345678901234567890}}]`,
        };
}

/** Goes on until the model has no call left, as the tool-calling agent does. */
async function converse(callModel: ReturnType<typeof createModelCaller>, base: ModelRequest) {
  const messages = [...base.messages];
  for (;;) {
    const reply = await callModel({ ...base, messages }, options);
    messages.push(reply.message);
    const [call] = reply.message.tool_calls ?? [];
    if (call === undefined) return { messages, last: reply };
    messages.push({ role: 'tool', tool_call_id: call.id, name: call.function.name, content: 'found '.repeat(50) });
  }
}

const thinkers = [
  ['a budget', 'claude-sonnet-4-5'],
  ['an effort', 'claude-opus-4-8'],
] as const;

describe('a conversation', () => {
  it('has native tools and system blocks, and the numbers of a call as the model wrote them', async () => {
    const { server, callModel } = await serve(playCalls(1));
    const { messages, last } = await converse(callModel, request);
    expect(server.refusals).toEqual([]);
    expect(messages[2]).toMatchObject({
      content: 'Let me see.',
      tool_calls: [{ function: { arguments: '{"b": 131.0, "a": 12345678901234567890}' } }],
    });
    expect(messages[2]).not.toHaveProperty('continuation');
    expect(server.bodies[1]).toContain('"input": {"b": 131.0, "a": 12345678901234567890}');
    expect(server.requests[0]).toMatchObject({ temperature: 0, max_tokens: 4096, tools: [{ name: 'look_up' }] });
    expect(last).toMatchObject({ finishReason: 'stop', message: { content: 'Done.' }, requestId: 'req_2' });
  });

  it.each(thinkers)("has the model's thoughts with their signatures, for thinking by %s", async (_, model) => {
    const { server, callModel } = await serve(playCalls(3));
    const { messages } = await converse(callModel, { ...request, model, reasoning_effort: 'high' });
    expect(server.refusals).toEqual([]);
    expect(server.requests).toHaveLength(4);
    expect((messages[2] as AssistantMessage).continuation?.data).toContain('"signature"');
    const sent = server.requests[3]?.messages.filter(({ role }) => role === 'assistant');
    expect(sent?.map(({ content }) => content.map(({ type }) => type))).toEqual(
      Array.from({ length: 3 }, () => ['thinking', 'text', 'tool_use']),
    );
    expect(server.requests[3]).not.toHaveProperty('temperature');
    expect(server.headers[0]?.['anthropic-beta']).toBe(
      model === 'claude-sonnet-4-5' ? 'interleaved-thinking-2025-05-14' : undefined,
    );
  });

  it('is sent byte for byte again by another worker', async () => {
    const { server, callModel } = await serve(playCalls(3));
    const thinking = { ...request, reasoning_effort: 'high' };
    const { messages } = await converse(callModel, thinking);
    const sender = new TranscriptSender();
    sender.next('agent', messages.slice(0, 4));
    const delta = sender.next('agent', messages.slice(0, 6));
    const cold = new TranscriptStore();
    expect(cold.resolve('agent', delta)).toBeUndefined();
    const whole = cold.resolve('agent', JSON.parse(JSON.stringify(sender.whole('agent'))) as typeof delta);
    await callModel({ ...thinking, messages: whole as ExpandedMessage[] }, options);
    expect(server.refusals).toEqual([]);
    expect(server.bodies[2]).toContain('"signature"');
    expect(server.bodies.at(-1)).toBe(server.bodies[2]);
  });

  it('reads from the cache what the call before wrote to it', async () => {
    const { server, callModel } = await serve(playCalls(3));
    const replies: Usage[] = [];
    const { messages } = await converse(async (...call) => {
      const reply = await callModel(...call);
      replies.push(reply.usage);
      return reply;
    }, request);
    expect(messages).toHaveLength(9);
    expect(server.refusals).toEqual([]);
    const [first, second, third] = replies as unknown as [Usage, Usage, Usage];
    expect(first.cachedTokens).toBe(0);
    expect(first.cacheWriteTokens).toBe(first.promptTokens);
    expect(second.cachedTokens).toBe(first.promptTokens);
    expect(third.cachedTokens).toBe(second.promptTokens);
  });

  it('writes only the system text to the cache if it has one call', async () => {
    const { server, callModel } = await serve(playCalls(0));
    const { tools: _, ...single } = request;
    await callModel(single, options);
    expect(server.requests[0]?.messages[0]?.content).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(server.requests[0]?.system?.[0]).toHaveProperty('cache_control');
  });

  it('leaves out the calls that did not count', async () => {
    const two = `[{"type": "tool_use", "id": "a", "name": "look_up", "input": {}},
      {"type": "tool_use", "id": "b", "name": "look_up", "input": {}}]`;
    const { server, callModel } = await serve(({ messages }) =>
      messages.length > 2 ? playCalls(0)() : { blocks: two },
    );
    const thinking = { ...request, reasoning_effort: 'low' };
    const { message } = await callModel(thinking, options);
    const kept = { ...message, tool_calls: message.tool_calls?.slice(0, 1) ?? [] };
    const result = { role: 'tool', tool_call_id: 'a', name: 'look_up', content: '' } as const;
    await callModel({ ...thinking, messages: [policy, asked, kept, result] }, options);
    const { tool_calls: _, ...none } = message;
    await callModel({ ...thinking, messages: [policy, asked, none, asked] }, options);
    expect(server.refusals).toEqual([]);
    expect(server.requests[1]?.messages[1]?.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    expect(server.requests[2]?.messages[1]?.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });

  it('is converted if another provider began it', async () => {
    const { server, callModel } = await serve(playCalls(0));
    const call = (id: string, args = '{"a": 1.0}') =>
      ({ id, type: 'function', function: { name: 'look_up', arguments: args } }) as const;
    const messages: ExpandedMessage[] = [
      { role: 'assistant', content: ' ' },
      { role: 'user', content: '' },
      { role: 'assistant', content: null, tool_calls: [call('functions.look_up:0')] },
      { role: 'tool', tool_call_id: 'functions.look_up:0', name: 'look_up', content: 'one' },
      { role: 'assistant', content: null, tool_calls: [call('functions.look_up:0', '[1e999]')] },
      { role: 'tool', tool_call_id: 'functions.look_up:0', name: 'look_up', content: 'two' },
      { role: 'assistant', content: null, tool_calls: [call('c', '{"a": 1e999}')] },
      { role: 'user', content: 'That is all?' },
      { role: 'assistant', content: null, tool_calls: [call('c')] },
      { role: 'assistant', content: 'Well' },
      { role: 'tool', tool_call_id: 'z', name: 'look_up', content: 'nobody asked' },
    ];
    await callModel({ ...request, reasoning_effort: 'high', messages }, options);
    expect(server.refusals).toEqual([]);
    expect(server.bodies[0]).toContain('{"a": 1.0}');
  });
});

it('the wire accepts every conversation that it wrote', { timeout: 60_000 }, async () => {
  let played: Played = { blocks: '[]' };
  const { server, callModel } = await serve(() => played);
  const word = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '\n'));
  const block = fc.oneof(
    word.map((text) => ({ type: 'text', text })),
    fc.dictionary(fc.string(), fc.jsonValue()).map((input) => ({ type: 'tool_use', name: 'look_up', input })),
  );
  let ids = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(block, { maxLength: 4 }), fc.nat(3), word), { maxLength: 4 }),
      fc.constantFrom('none', 'high'),
      async (turns, reasoning_effort) => {
        const messages: ExpandedMessage[] = [policy, asked];
        for (const [said, kept, answer] of turns) {
          const blocks = said.map((item) => (item.type === 'text' ? item : { id: `t${String(ids++)}`, ...item }));
          played = { blocks: JSON.stringify(blocks) };
          const { message } = await callModel({ ...request, reasoning_effort, messages }, options);
          const calls = message.tool_calls?.slice(0, kept) ?? [];
          const { tool_calls: _, ...rest } = message;
          messages.push(calls.length === 0 ? rest : { ...rest, tool_calls: calls });
          for (const { id } of calls)
            messages.push({ role: 'tool', tool_call_id: id, name: 'look_up', content: answer });
          if (calls.length === 0) messages.push({ role: 'user', content: answer });
        }
        expect(server.refusals).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

describe('an answer', () => {
  const body = (content: unknown, top: Record<string, unknown> = {}) => ({
    type: 'message',
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 5 },
    ...top,
  });

  async function answered(answer: unknown, status = 200, headers: Record<string, string> = {}) {
    const provider = await startFakeProvider(answerJson(answer, status, headers));
    open.push(provider);
    const env = { ANTHROPIC_API_KEY: MESSAGES_KEY, ANTHROPIC_OPENAI_BASE_URL: provider.url };
    return createModelCaller((name) => resolveProvider(name, env))(request, options);
  }

  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'pause_turn'],
  ])('that ended by %s has the reason %s', async (stop_reason, finishReason) => {
    expect(await answered(body([], { stop_reason }))).toMatchObject({ finishReason, message: { content: null } });
  });

  it('counts what was read from the cache and written to it as parts of the prompt', async () => {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 4000,
      cache_creation_input_tokens: 200,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
    };
    expect((await answered(body([], { usage }))).usage).toEqual({
      promptTokens: 4203,
      cachedTokens: 4000,
      cacheWriteTokens: 200,
      completionTokens: 50,
      reasoningTokens: 20,
    });
  });

  const error = (type: string, message: string) => ({ type: 'error', error: { type, message } });
  it.each([
    [
      400,
      error('invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'),
      'ContextOverflow',
      false,
    ],
    [
      400,
      error('invalid_request_error', 'input length and `max_tokens` exceed context limit'),
      'ContextOverflow',
      false,
    ],
    [400, error('invalid_request_error', 'Your credit balance is too low to access the API'), 'QuotaExceeded', false],
    [403, error('billing_error', 'Pay first'), 'QuotaExceeded', false],
    [400, error('invalid_request_error', 'temperature: no'), 'RequestRefused', false],
    [401, error('authentication_error', 'invalid x-api-key'), 'NotAuthorised', false],
    [429, error('rate_limit_error', 'slowly'), 'RateLimited', true],
    [500, error('api_error', 'oh'), 'ModelUnavailable', true],
    [529, error('overloaded_error', 'Overloaded'), 'ModelUnavailable', true],
    [200, body([], { stop_reason: 'refusal' }), 'ContentFilter', false],
    [200, { type: 'message' }, 'NotACompletion', true],
  ])('of status %i fails as its cause says: %j', async (status, answer, type, retryable) => {
    expect(await fail(answered(answer, status))).toMatchObject({ type, retryable });
  });

  it("has the provider's delay, and its message without the wrapping", async () => {
    const failure = await fail(
      answered(error('rate_limit_error', `Use ${MESSAGES_KEY} less`), 429, { 'retry-after': '7' }),
    );
    expect(failure).toMatchObject({ retryAfterMs: 7000, status: 429 });
    expect(failure.message).toMatch(/^429 Use \S*redacted\S* less$/i);
  });
});

it('a call stops waiting if it is aborted', async () => {
  const { callModel } = await serve(() => new Promise<Played>(() => undefined) as never);
  const reason = new Error('enough');
  const call = callModel(request, { ...options, signal: AbortSignal.abort(reason) });
  await expect(call).rejects.toBe(reason);
});

type Usage = Awaited<ReturnType<ReturnType<typeof createModelCaller>>>['usage'];
