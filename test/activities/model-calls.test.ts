import { type ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it, vi } from 'vitest';
import { createCompleteActivity } from '../../activities/testing.ts';

import { ModelCallError, type CallModel } from '../../src/models/index.ts';

import type { CompleteInput } from '../../src/episode/index.ts';
import { CALL_SLACK_MS, TranscriptSender } from '../../src/evaluation/index.ts';
import {
  answerError,
  answerHalf,
  answerJson,
  answerNothing,
  answerReset,
  answerText,
  completion,
  KEY,
  openaiEnv,
  type Answer,
} from '../models/helpers.ts';
import { attempt, depsFor, INFO, inputWith, serve, userPrompt, watchedLogger } from './complete-rig.ts';

describe('complete', () => {
  it('fills the prompts in, asks the model and prices the answer', async () => {
    const provider = await serve(answerJson(completion()));
    const { output, heartbeats } = await attempt(depsFor(openaiEnv(provider)));
    expect(output).toEqual({
      message: { role: 'assistant', content: 'Hello.' },
      finishReason: 'stop',
      usage: { promptTokens: 1000, completionTokens: 100, cachedTokens: 400, reasoningTokens: 30 },
      costUsd: 0.003,
      latencyMs: expect.any(Number) as number,
      servedModel: 'gpt-4o-2024-08-06',
      fingerprint: 'fp_1',
      requestId: 'req_1',
      attempt: 1,
    });
    expect(provider.requests[0]?.body).toMatchObject({
      model: 'gpt-4o',
      temperature: 0,
      seed: 11,
      messages: [
        { role: 'system', content: 'Be kind. Rules.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'look_up' } }],
    });
    expect(provider.requests[0]?.headers['idempotency-key']).toBe('00000000-0000-0000-0000-000000000000/agent/5');
    // It has ended long before a worker's death would have to be noticed.
    expect(heartbeats).toEqual([]);
  });

  it('says that its request was sent when the call lasts, and at once where it has said that it was not', async () => {
    const provider = await serve(answerJson(completion()));
    const deps = depsFor(openaiEnv(provider));
    let hear = (): void => undefined;
    const heard = new Promise<void>((resolve) => (hear = resolve));
    const lasting: CallModel = async (request, options) => {
      await options.onSent?.();
      await heard;
      return deps.callModel(request, { ...options, onSent: undefined });
    };
    const quick = { heartbeatTimeoutMs: 200 };
    const { heartbeats } = await attempt({ ...deps, callModel: lasting }, inputWith(), quick, hear);
    expect(heartbeats[0]).toEqual({ attempt: 1, apiFailures: 0, sent: true });
    const queued: CallModel = (request, options) => {
      options.turn?.onWaiting?.();
      return deps.callModel(request, options);
    };
    const { heartbeats: both } = await attempt({ ...deps, callModel: queued }, inputWith());
    expect(both).toEqual([
      { attempt: 1, apiFailures: 0 },
      { attempt: 1, apiFailures: 0, sent: true },
    ]);
  });

  it('sends no request before the server has taken the heartbeat that says so', async () => {
    const provider = await serve(answerJson(completion()));
    const deps = depsFor(openaiEnv(provider));
    const sent: number[] = [];
    const deliver = vi.fn(() => {
      sent.push(provider.requests.length);
      return sent.length === 1 ? Promise.reject(new Error('14 UNAVAILABLE')) : Promise.resolve();
    });
    const queued: CallModel = (request, options) => {
      options.turn?.onWaiting?.();
      return deps.callModel(request, options);
    };
    await attempt({ ...deps, callModel: queued }, inputWith(), {}, undefined, deliver);
    expect(sent).toEqual([0, 0]);
    expect(deliver).toHaveBeenLastCalledWith(expect.anything(), { attempt: 1, apiFailures: 0, sent: true });
    expect(provider.requests).toHaveLength(1);
  });

  it('takes the reasoning out of the content, and does not send it back', async () => {
    const provider = await serve(answerJson(completion({ content: '<think>Say hello?</think>\nHello.' })));
    const said = { role: 'assistant' as const, content: 'Hi.', reasoning_content: 'Say hi?' };
    const grown = new TranscriptSender().next('agent', [said, { role: 'user', content: 'Again' }]);
    const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ transcript: grown }));
    expect(output?.message).toEqual({ role: 'assistant', content: 'Hello.', reasoning_content: 'Say hello?' });
    expect(provider.requests[0]?.body['messages']).toEqual([
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'Again' },
    ]);
  });

  it('offers no tools where none are asked for', async () => {
    const provider = await serve(answerJson(completion()));
    await attempt(depsFor(openaiEnv(provider)), inputWith({ tools: false, format: 'json' }));
    expect(provider.requests[0]?.body).not.toHaveProperty('tools');
    expect(provider.requests[0]?.body['response_format']).toEqual({ type: 'json_object' });
  });

  it.each<[string, Answer, Partial<ApplicationFailure>]>([
    ['500', answerError(500, { message: `oops ${KEY}` }), { type: 'ModelUnavailable', nonRetryable: false }],
    ['a reset', answerReset, { type: 'ModelUnavailable', nonRetryable: false }],
    ['half an answer', answerHalf, { type: 'ModelUnavailable', nonRetryable: false }],
    ['HTML', answerText('<html>', 200, 'text/html'), { type: 'NotACompletion', nonRetryable: false }],
    ['empty choices', answerJson({ choices: [] }), { type: 'ModelUnavailable', nonRetryable: false }],
    [
      '429',
      answerError(429, { message: 'slow down' }, { 'retry-after': '2' }),
      { type: 'RateLimited', nonRetryable: false, nextRetryDelay: 2000 },
    ],
    [
      '429 for an exhausted quota',
      answerError(429, { message: 'no credit', code: 'insufficient_quota' }),
      { type: 'QuotaExceeded', nonRetryable: true },
    ],
    ['401', answerError(401, { message: `bad key ${KEY}` }), { type: 'NotAuthorised', nonRetryable: true }],
    ['400', answerError(400, { message: 'bad' }), { type: 'RequestRefused', nonRetryable: true }],
    [
      'a full context',
      answerError(400, { message: 'long', code: 'context_length_exceeded' }),
      { type: 'ContextOverflow', nonRetryable: true },
    ],
    [
      'a filtered reply',
      answerJson(completion({ content: null }, {}, 'content_filter')),
      { type: 'ContentFilter', nonRetryable: true },
    ],
  ])('turns %s into a typed failure', async (_what, answer, expected) => {
    const provider = await serve(answer);
    const { failure, heartbeats } = await attempt(depsFor(openaiEnv(provider)));
    expect(failure).toMatchObject(expected);
    // Only of one that is tried again, the next attempt has to know.
    expect(heartbeats).toMatchObject(expected.nonRetryable ? [] : [{ attempt: 1, apiFailures: 1 }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('reports status and request id of a failure', async () => {
    const provider = await serve(answerError(503, { message: 'busy' }));
    const { failure } = await attempt(depsFor(openaiEnv(provider)));
    expect(failure?.message).toBe('503 busy');
    expect(failure?.details).toEqual([{ apiFailures: 1, status: 503, requestId: 'req_1' }]);
  });

  it('ends a call that hangs before Temporal does', async () => {
    const provider = await serve(answerNothing);
    // Of a deadline without room for a turn the call has half.
    const startToCloseTimeoutMs = 400;
    const { failure } = await attempt(depsFor(openaiEnv(provider)), inputWith(), { startToCloseTimeoutMs });
    expect(failure).toMatchObject({
      type: 'ModelUnavailable',
      message: 'the provider did not answer within 0.2 s (--call-timeout sets the time)',
    });
    await provider.abandoned;
  });

  it.each([400, 5_000, 30_000, 600_000])('has a deadline below Temporal’s of %d ms', async (startToCloseTimeoutMs) => {
    const timeouts: number[] = [];
    const callModel: CallModel = (_request, { timeoutMs }) => {
      timeouts.push(timeoutMs);
      return Promise.reject(new ModelCallError({ type: 'ModelUnavailable', retryable: true, message: 'busy' }));
    };
    await attempt(depsFor({}, { callModel }), inputWith(), { startToCloseTimeoutMs });
    expect(timeouts).toHaveLength(1);
    expect(timeouts[0]).toBeGreaterThan(0);
    expect(timeouts[0]).toBeLessThan(startToCloseTimeoutMs);
  });

  it.each([4_000, 60_000, 600_000, 86_400_000])('has a deadline of the %d ms that were asked for', async (askedMs) => {
    const timeouts: number[] = [];
    const callModel: CallModel = (_request, { timeoutMs }) => {
      timeouts.push(timeoutMs);
      return Promise.reject(new ModelCallError({ type: 'ModelUnavailable', retryable: true, message: 'busy' }));
    };
    await attempt(depsFor({}, { callModel }), inputWith(), { startToCloseTimeoutMs: askedMs + CALL_SLACK_MS });
    expect(timeouts).toEqual([askedMs]);
  });

  it('asks for the whole conversation when it does not know what came before', async () => {
    const provider = await serve(answerJson(completion()));
    const deps = depsFor(openaiEnv(provider));
    const sender = new TranscriptSender();
    sender.next('agent', [{ role: 'user', content: '1' }]);
    const grown = sender.next('agent', [
      { role: 'user', content: '1' },
      { role: 'user', content: '2' },
    ]);
    const { failure } = await attempt(deps, inputWith({ transcript: grown }));
    expect(failure).toMatchObject({ type: 'TranscriptMissing', nonRetryable: true });
    expect(provider.requests).toEqual([]);
    await attempt(deps, inputWith({ transcript: sender.whole('agent') }));
    await attempt(deps, inputWith({ transcript: grown }));
    expect(provider.requests.map((seen) => seen.body['messages'])).toEqual([
      [
        { role: 'user', content: '1' },
        { role: 'user', content: '2' },
      ],
      [
        { role: 'user', content: '1' },
        { role: 'user', content: '2' },
      ],
    ]);
  });

  it('leaves a call for another worker when it has not the pack', async () => {
    const { failure } = await attempt(depsFor({}, { findPack: () => Promise.resolve(undefined) }));
    expect(failure?.type).toBe('PackUnavailable');
    expect(failure?.nonRetryable).toBeFalsy();
  });

  it.each<[string, Partial<CompleteInput>]>([
    ['a strategy', { strategy: 'unheard-of' }],
    ['a task', { episode: { taskId: 99, trial: 0 }, transcript: userPrompt('llm') }],
    ["a user strategy's texts", { transcript: userPrompt('unheard-of') }],
  ])('fails for good when there is no such thing as %s', async (_what, changes) => {
    const { failure } = await attempt(depsFor({}), inputWith(changes));
    expect(failure).toMatchObject({ type: 'PromptUnavailable', nonRetryable: true });
  });

  it('says which key is not set', async () => {
    const { failure } = await attempt(depsFor({}));
    expect(failure).toMatchObject({ type: 'MissingKey', nonRetryable: true });
    expect(failure?.message).toMatch(/^OPENAI_API_KEY is not set/);
  });

  describe('of a reply that must have fields', () => {
    const input = inputWith({ tools: false, format: 'json', replyFields: 'where' });
    const said = (content: string | null) => answerJson(completion({ content }));

    it('says what they are', async () => {
      const provider = await serve(said('```json\n{"city": "Ulm", "zips": [0012, 98765432109876543210]}\n```'));
      const { output } = await attempt(depsFor(openaiEnv(provider)), input);
      expect(output?.fields).toEqual({ city: 'Ulm', zips: ['0012', '98765432109876543210'] });
      expect(output?.message.content).toContain('```');
    });

    it.each(['In Ulm.', '{"town": "Ulm"}', null])('says that %j has none', async (content) => {
      const provider = await serve(said(content));
      const { output, failure } = await attempt(depsFor(openaiEnv(provider)), input);
      expect(failure).toBeUndefined();
      expect(output?.fields).toBeNull();
    });

    it('says nothing where none were asked for', async () => {
      const provider = await serve(said('{"city": "Ulm"}'));
      const { output } = await attempt(depsFor(openaiEnv(provider)));
      expect(output?.fields).toBeUndefined();
    });

    it('fails for good, before anything is paid, when the strategy does not know them', async () => {
      const provider = await serve(said('{"city": "Ulm"}'));
      const unknown = inputWith({ replyFields: 'when' });
      const { failure } = await attempt(depsFor(openaiEnv(provider)), unknown);
      expect(failure).toMatchObject({ type: 'PromptUnavailable', nonRetryable: true });
      expect(failure?.message).toBe('the strategy probe has no reply fields "when" for retail');
      expect(provider.requests).toEqual([]);
    });
  });

  describe('of a reply that is too long', () => {
    const calls = (count: number, text: string) =>
      Array.from({ length: count }, (_, i) => ({ id: `c${i}`, function: { name: 'look_up', arguments: text } }));

    it.each<[string, Record<string, unknown>, object]>([
      ['10 MB of content', { content: 'x'.repeat(10_000_000) }, { part: 'content', size: 10_000_000, limit: 65_536 }],
      ['5 MB of arguments', { content: null, tool_calls: calls(1, 'x'.repeat(5_000_000)) }, { part: 'tool arguments' }],
      ['1,000 tool calls', { content: null, tool_calls: calls(1000, '{}') }, { part: 'tool calls', size: 1000 }],
      [
        'more than a history takes, because JSON escapes it',
        { content: null, tool_calls: calls(1, '\u0001'.repeat(262_000)) },
        { part: 'bytes', limit: 1_500_000 },
      ],
    ])('keeps beginning, end, usage and cost: %s', async (_what, message, excess) => {
      const provider = await serve(answerJson(completion(message)));
      const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ replyFields: 'where' }));
      expect(output).toMatchObject({ tooLong: excess, costUsd: 0.003, usage: { promptTokens: 1000 } });
      expect(output?.fields).toBeUndefined();
      expect(output?.message).not.toHaveProperty('tool_calls');
      expect(JSON.stringify(output).length).toBeLessThan(30_000);
      expect(provider.requests).toHaveLength(1);
    });

    it('ends a body that is larger than any reply, without another attempt', async () => {
      const provider = await serve(answerText('x'.repeat(17 * 1024 * 1024)));
      const { failure } = await attempt(depsFor(openaiEnv(provider)));
      expect(failure).toMatchObject({ type: 'ReplyTooLong', nonRetryable: true });
      expect(failure?.message).toBe("the provider's answer is larger than 16777216 bytes");
    });
  });

  describe('with a cap on tokens', () => {
    it('sends it', async () => {
      const provider = await serve(answerJson(completion()));
      await attempt(depsFor(openaiEnv(provider)), inputWith({ maxCompletionTokens: 4096 }));
      expect(provider.requests[0]?.body['max_completion_tokens']).toBe(4096);
    });

    it.each([
      ['agent', '--max-completion-tokens'],
      ['user', '--user-max-completion-tokens'],
    ] as const)('names the flag of the role %s where the provider refuses it', async (role, flag) => {
      const refusal = answerError(400, { message: "Unsupported parameter: 'max_completion_tokens'" });
      const provider = await serve(refusal);
      const input = inputWith({ maxCompletionTokens: 4096, role });
      const { failure } = await attempt(depsFor(openaiEnv(provider)), input);
      expect(failure).toMatchObject({ type: 'RequestRefused', nonRetryable: true });
      expect(failure?.message).toContain(`(set ${flag} to a lower number, or to none)`);
    });
  });

  it('gives a fault of its own a bounded number of attempts', async () => {
    const broken = depsFor({}, { callModel: () => Promise.reject(new TypeError('a bug')) });
    const first = await attempt(broken);
    expect(first.failure).toMatchObject({ type: 'TypeError', nonRetryable: false });
    expect((await attempt(broken, inputWith(), { attempt: 4 })).failure?.nonRetryable).toBe(true);
  });

  it('aborts the request when it is cancelled', async () => {
    const provider = await serve(answerNothing);
    const environment = new MockActivityEnvironment(INFO, { logger: watchedLogger() });
    const arrived = provider.arrived();
    const call = environment.run(createCompleteActivity(depsFor(openaiEnv(provider))), inputWith());
    await arrived;
    environment.cancel('CANCELLED');
    await expect(call).rejects.toThrow(CancelledFailure);
    await provider.abandoned;
    expect(provider.requests).toHaveLength(1);
  });
});
