/** The activity `forward` beside a fake provider. */

import { ApplicationFailure, type Info } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment, defaultActivityInfo } from '@temporalio/testing';
import { describe, expect, it, vi } from 'vitest';
import { CallResults, createForwardActivity, type ForwardDeps } from '../../activities/testing.ts';
import {
  createForwarder,
  createPassThrough,
  createPricer,
  readRawRequest,
  TranscriptStore,
} from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import type { WireName } from '../../src/agents/index.ts';
import type { ForwardInput, ForwardOutput } from '../../src/agent-service/pure.ts';
import { EMPTY_CHAIN, TranscriptSender, applyDelta, type TranscriptDelta } from '../../src/evaluation/index.ts';
import {
  KEY,
  answerError,
  answerHalf,
  answerJson,
  answerNothing,
  answerReset,
  answerText,
  completion,
  openaiEnv,
  type Answer,
} from '../models/helpers.ts';
import { INFO, serve, watchedLogger } from './complete-rig.ts';

const BODY = '{"model":"asked","messages":[{"role":"user","content":"Hello"}],"temperature":1.0,"n_of_agent":3}';

function transcriptOf(body: string, wire: WireName = 'chat', headers = {}) {
  const request = readRawRequest(body, wire, headers);
  if (typeof request === 'string') throw new Error(request);
  return new TranscriptSender().next(
    'model/x',
    request.items.map((content) => ({ role: 'user', content })),
  );
}

function digestOf(whole: TranscriptDelta): string {
  return applyDelta(EMPTY_CHAIN, whole)?.digests.at(-1) ?? '';
}

function inputWith(changes: Partial<ForwardInput> = {}): ForwardInput {
  return {
    call: 'agent 5',
    episode: { taskId: 0, trial: 0 },
    wire: 'chat',
    model: { provider: 'openai', model: 'gpt-4o', temperature: null },
    transcript: transcriptOf(BODY),
    maxRetries: 3,
    ...changes,
  };
}

function depsFor(env: NodeJS.ProcessEnv): ForwardDeps {
  return {
    transcripts: new TranscriptStore(),
    forwardCall: createForwarder((name) => resolveProvider(name, env)),
    priceCall: createPricer(() => undefined),
  };
}

async function attempt(
  deps: ForwardDeps,
  input = inputWith(),
  info: Partial<Info> = {},
): Promise<{ readonly output?: ForwardOutput; readonly failure?: ApplicationFailure }> {
  const environment = new MockActivityEnvironment({ ...INFO, ...info }, { logger: watchedLogger() });
  try {
    return { output: await environment.run(createForwardActivity(deps), input) };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    expect(`${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(KEY);
    return { failure: error };
  }
}

const TOOL_CALL = { id: 'call_1', type: 'function', function: { name: 'x', arguments: '{"order_id": ' } };

describe('forward', () => {
  it('sends the agent’s request to the provider, and hands the answer on with its price', async () => {
    const reply = JSON.stringify(completion({ content: null, tool_calls: [TOOL_CALL] }, { odd: 131 }, 'tool_calls'));
    const text = reply.replace('"odd":131', '"odd": 131.0');
    const provider = await serve(answerText(text));
    const { output } = await attempt(depsFor(openaiEnv(provider)));
    expect(output).toEqual({
      status: 200,
      body: text,
      servedModel: 'gpt-4o-2024-08-06',
      finishReason: 'tool_calls',
      usage: { promptTokens: 1000, completionTokens: 100, cachedTokens: 400, reasoningTokens: 30 },
      costUsd: 0.003,
      latencyMs: expect.any(Number) as number,
      attempt: 1,
    });
    const [{ url, headers, body }] = provider.requests as [(typeof provider.requests)[number]];
    expect(url).toBe('/v1/chat/completions');
    expect(body).toEqual({ ...(JSON.parse(BODY) as object), model: 'gpt-4o' });
    expect(headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(headers['idempotency-key']).toBe('00000000-0000-0000-0000-000000000000/agent/5');
  });

  it('speaks Responses', async () => {
    const reply = {
      ...{ id: 'r', object: 'response', status: 'completed', model: 'gpt-4o' },
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
      usage: { input_tokens: 1000, output_tokens: 100, input_tokens_details: { cached_tokens: 400 } },
    };
    const provider = await serve(answerJson(reply));
    const asked = '{"model":"asked","input":[{"role":"user","content":"Hello"}],"reasoning":{"effort":"low"}}';
    const transcript = transcriptOf(asked, 'responses');
    const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ wire: 'responses', transcript }));
    expect(output).toMatchObject({ status: 200, body: JSON.stringify(reply), finishReason: 'stop', costUsd: 0.003 });
    expect(provider.requests[0]).toMatchObject({
      url: '/v1/responses',
      body: { ...(JSON.parse(asked) as object), model: 'gpt-4o' },
    });
  });

  it('speaks Anthropic’s Messages, in the agent’s version', async () => {
    const reply = {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'tool_use' },
      content: [{ type: 'tool_use', id: 't', name: 'x', input: { a: 1 } }],
      usage: { input_tokens: 1000, output_tokens: 100 },
    };
    const provider = await serve(answerJson(reply));
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url };
    const asked = '{"model":"asked","max_tokens":10,"messages":[{"role":"user","content":"Hello"}]}';
    const transcript = transcriptOf(asked, 'messages', { 'anthropic-version': '2025-01-01', 'anthropic-beta': 'b' });
    const model = { provider: 'anthropic', model: 'claude-sonnet-4-5', temperature: null };
    const { output } = await attempt(depsFor(env), inputWith({ wire: 'messages', transcript, model }));
    expect(output).toMatchObject({ status: 200, body: JSON.stringify(reply), finishReason: 'tool_calls' });
    expect(output?.costUsd).toBeGreaterThan(0);
    const [seen] = provider.requests;
    expect(seen).toMatchObject({ url: '/v1/messages', body: { ...(JSON.parse(asked) as object), model: model.model } });
    expect(seen?.headers).toMatchObject({ 'anthropic-version': '2025-01-01', 'anthropic-beta': 'b', 'x-api-key': KEY });
  });

  it.each<[string, Answer, number]>([
    ['an unknown field', answerError(400, { message: `bad ${KEY}`, type: 'invalid_request_error' }), 400],
    ['an unknown model', answerError(404, { message: 'no such model', code: 'model_not_found' }), 404],
    ['a large body', answerError(413, { message: 'large' }), 413],
    ['a wrong type', answerError(422, { message: 'wrong' }), 422],
    ['a full context', answerError(400, { message: 'long', code: 'context_length_exceeded' }), 400],
    ['a full context of a local server', answerError(500, { message: 'the context window is full' }), 400],
    ['a filtered prompt', answerError(400, { message: 'no', code: 'content_filter' }), 400],
    ['a text', answerText('"no such path"', 404), 404],
    ['a page of what is between', answerText('<html>', 404, 'text/html'), 404],
  ])('hands on a refusal of the request: %s', async (_what, answer, status) => {
    const provider = await serve(answer);
    const model = { provider: 'openai', model: 'of-unknown-price', temperature: null };
    const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ model }));
    expect(output).toMatchObject({ status, costUsd: 0, finishReason: 'error' });
    expect(JSON.parse(output?.body ?? '')).toMatchObject({ error: { message: expect.any(String) as string } });
    expect(output?.body).not.toContain(KEY);
  });

  it.each<[string, Answer, Partial<ApplicationFailure>]>([
    ['500', answerError(500, { message: `oops ${KEY}` }), { type: 'ModelUnavailable', nonRetryable: false }],
    ['a reset', answerReset, { type: 'ModelUnavailable', nonRetryable: false }],
    ['half an answer', answerHalf, { type: 'ModelUnavailable', nonRetryable: false }],
    ['HTML', answerText('<html>', 200, 'text/html'), { type: 'NotACompletion', nonRetryable: false }],
    ['an error of what is behind', answerJson({ error: { code: 502, message: 'x' } }), { type: 'ModelUnavailable' }],
    [
      '429',
      answerError(429, { message: 'slow' }, { 'retry-after': '2' }),
      { type: 'RateLimited', nextRetryDelay: 2000 },
    ],
    ['no credit', answerError(429, { code: 'insufficient_quota' }), { type: 'QuotaExceeded', nonRetryable: true }],
    ['401', answerError(401, { message: `bad key ${KEY}` }), { type: 'NotAuthorised', nonRetryable: true }],
    ['403', answerError(403, { message: 'no' }), { type: 'NotAuthorised', nonRetryable: true }],
    [
      'a refusal that may pass',
      answerError(400, { message: 'busy' }, { 'x-should-retry': 'true' }),
      { type: 'RequestRefused', nonRetryable: false },
    ],
    [
      'an address that has moved',
      answerError(301, {}, { location: 'https://models.example/v1' }),
      { type: 'RequestRefused', nonRetryable: true },
    ],
  ])('fails as any call does: %s', async (_what, answer, expected) => {
    const { failure } = await attempt(depsFor(openaiEnv(await serve(answer))));
    expect(failure).toMatchObject(expected);
  });

  it.each([
    ['a reply whose message is none', { ...completion(), choices: [{ message: 'Hello' }] }, 'unknown'],
    ['a filtered reply', completion({ content: null }, {}, 'content_filter'), 'content_filter'],
    [
      'arguments that nobody can read',
      completion({ content: null, tool_calls: [{ function: { name: 'x', arguments: 3 } }] }),
      'unknown',
    ],
  ])('hands on %s', async (_what, reply, finishReason) => {
    const { output } = await attempt(depsFor(openaiEnv(await serve(answerJson(reply)))));
    expect(output).toMatchObject({ status: 200, body: JSON.stringify(reply), finishReason, costUsd: 0.003 });
  });

  it('has the cost that OpenRouter reports', async () => {
    const reply = completion({}, { usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.25 } });
    const provider = await serve(answerJson(reply));
    const env = { OPENROUTER_API_KEY: KEY, OPENROUTER_BASE_URL: provider.url };
    const model = { provider: 'openrouter', model: 'openai/gpt-4o', temperature: null };
    expect((await attempt(depsFor(env), inputWith({ model }))).output?.costUsd).toBe(0.25);
  });

  it('hands on a response that is made in the background', async () => {
    const provider = await serve(answerJson({ id: 'r', object: 'response', status: 'queued', output: [] }));
    const transcript = transcriptOf('{"model":"asked","input":"Hello","background":true}', 'responses');
    const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ wire: 'responses', transcript }));
    expect(output).toMatchObject({ status: 200, finishReason: 'unknown' });
  });

  it.each([
    ['no history takes', 1_600_000, 0.003],
    ['nobody reads to its end', 17_000_000, null],
  ])('pays for a reply that %s, and says so to the agent', async (_what, length, costUsd) => {
    const provider = await serve(answerJson(completion({ content: 'x'.repeat(length) })));
    const { output } = await attempt(depsFor(openaiEnv(provider)));
    expect(output).toMatchObject({ status: 502, costUsd });
    expect(JSON.parse(output?.body ?? '')).toMatchObject({ error: { code: 'ReplyTooLong' } });
  });

  it('asks the episode for the conversation when this process does not have it', async () => {
    const provider = await serve(answerJson(completion()));
    const whole = transcriptOf(BODY);
    const query = vi.fn(() => Promise.resolve(whole));
    const client = {
      workflow: { getHandle: () => ({ query }) },
      withAbortSignal: (_: AbortSignal, work: () => unknown) => work(),
    } as unknown as Client;
    const environment = new MockActivityEnvironment(INFO, { logger: watchedLogger(), client });
    const transcript = { thread: whole.thread, keep: whole.items.length, digest: digestOf(whole), items: [] };
    const deps = depsFor(openaiEnv(provider));
    const results = new CallResults();
    const left = results.open(defaultActivityInfo);
    for (const call of ['agent 5', 'agent 6']) {
      const forward = createForwardActivity(deps, results);
      const output: ForwardOutput = await environment.run(forward, inputWith({ call, transcript }));
      expect(left.take(call)).toEqual({ status: 200, body: output.body });
    }
    expect(query.mock.calls).toEqual([['callTranscript', 'agent 5']]);
    expect(provider.requests[1]?.body['messages']).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  describe('ends', () => {
    const request = {
      provider: 'custom',
      model: 'm',
      wire: 'chat',
      items: ['{"model":"m"}'],
      idempotencyKey: 'k',
    } as const;
    const forwardTo = async (answer: Answer) => {
      const { url } = await serve(answer);
      return createForwarder((name) => resolveProvider(name, { CUSTOM_BASE_URL: url }));
    };

    it('with the reason of who gives it up', async () => {
      const forwardCall = await forwardTo(answerNothing);
      const onSent = vi.fn();
      const abort = new AbortController();
      const call = forwardCall(request, { signal: abort.signal, timeoutMs: 60_000, onSent });
      abort.abort(new Error('nobody waits any more'));
      await expect(call).rejects.toThrow('nobody waits any more');
      expect(onSent).toHaveBeenCalledTimes(1);
    });

    it('with its time', async () => {
      const forwardCall = await forwardTo(answerNothing);
      await expect(forwardCall(request, { timeoutMs: 50 })).rejects.toMatchObject({ failure: { isTimeout: true } });
    });
  });

  it('has a key that names the failures before', async () => {
    const provider = await serve(answerJson(completion()));
    await attempt(depsFor(openaiEnv(provider)), inputWith(), {
      attempt: 2,
      heartbeatDetails: { attempt: 1, apiFailures: 1, mayBePaid: 1 },
    });
    expect(provider.requests[0]?.headers['idempotency-key']).toMatch(/agent\/5\/after-1$/);
  });
});

describe('what is passed through', () => {
  it('has the provider’s key and address', async () => {
    const provider = await serve(answerJson({ data: [], said: KEY }), answerError(400, { message: `bad ${KEY}` }));
    const passThrough = createPassThrough((name) => resolveProvider(name, openaiEnv(provider)));
    const request = {
      provider: 'openai',
      api: 'openai',
      method: 'post',
      path: '/embeddings?a=1',
      body: '{"n":1.0}',
    } as const;
    const answer = await passThrough(request);
    expect(answer).toMatchObject({ status: 200, body: '{"data":[],"said":"[redacted]"}' });
    expect(provider.requests[0]).toMatchObject({ url: '/v1/embeddings?a=1', body: { n: 1 } });
    expect(provider.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
    const refused = await passThrough(request);
    expect(refused.status).toBe(400);
    expect(refused.body).not.toContain(KEY);
    await passThrough({ ...request, api: 'anthropic', path: '/v1/messages/count_tokens' });
    expect(provider.requests[2]).toMatchObject({ url: '/v1/messages/count_tokens', headers: { 'x-api-key': KEY } });
  });
});
