import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ApplicationFailure, CancelledFailure, type Info } from '@temporalio/activity';
import type { Logger, LogMetadata } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCompleteActivity, type CompleteDeps } from '../../activities/complete.ts';
import type { StrategyDefinition } from '../../src/agents/port.ts';
import { AdaptiveLimits, limitedCallModel } from '../../src/llm/adaptive-limit.ts';
import { createModelCaller, type CallModel } from '../../src/llm/client.ts';
import { ModelCallError } from '../../src/llm/failures.ts';
import { createPricer } from '../../src/llm/prices.ts';
import { resolveProvider, type Environment } from '../../src/llm/providers.ts';
import { TranscriptStore } from '../../src/llm/transcripts.ts';
import type { CompleteInput, CompleteOutput } from '../../src/wire/activities.ts';
import { TranscriptSender } from '../../src/wire/transcript.ts';
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
  smallPack,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from '../llm/helpers.ts';

const pack = smallPack();

const strategy: StrategyDefinition = {
  name: 'probe',
  label: 'P',
  solve: () => Promise.resolve('done'),
  texts: { rules: () => 'Rules.' },
  replyFields: (key, env) =>
    key === 'where' && env === pack.domain
      ? [
          { name: 'city', type: 'text' },
          { name: 'zips', type: 'list' },
        ]
      : undefined,
};

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

async function serve(...answers: readonly Answer[]): Promise<FakeProvider> {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  return provider;
}

function depsFor(env: Environment, changes: Partial<CompleteDeps> = {}): CompleteDeps {
  return {
    findPack: () => Promise.resolve(pack),
    findStrategy: (name) => (name === strategy.name ? strategy : undefined),
    transcripts: new TranscriptStore(),
    callModel: createModelCaller((name) => resolveProvider(name, env)),
    priceCall: createPricer(() => undefined),
    ...changes,
  };
}

const transcript = new TranscriptSender().next('agent', [
  { role: 'system', content: [{ ref: 'policy' }, ' ', { ref: 'strategy-text', key: 'rules' }] },
  { role: 'user', content: 'Hello' },
]);

function inputWith(changes: Partial<CompleteInput> = {}): CompleteInput {
  return {
    call: 'agent 5',
    pack: pack.ref,
    split: 'test',
    episode: { taskId: 0, trial: 0 },
    strategy: 'probe',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    role: 'agent',
    model: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    transcript,
    tools: true,
    format: 'text',
    seed: 11,
    maxRetries: 3,
    ...changes,
  };
}

const INFO: Partial<Info> = { heartbeatTimeoutMs: 20_000, startToCloseTimeoutMs: 40_000, activityId: '5' };

interface Ran {
  readonly output?: CompleteOutput;
  readonly failure?: ApplicationFailure;
  readonly heartbeats: readonly unknown[];
}

/** Writes nothing, and makes sure that what a worker's log would say holds no key. */
function watchedLogger(): Logger {
  const log = (message: string, meta?: LogMetadata) =>
    expect(inspect([message, meta], { depth: 8 })).not.toContain(KEY);
  return {
    log: (_level, message, meta) => log(message, meta),
    trace: log,
    debug: log,
    info: log,
    warn: log,
    error: log,
  };
}

/** One attempt. Whatever it fails with must not hold the key anywhere. */
async function attempt(deps: CompleteDeps, input = inputWith(), info: Partial<Info> = {}): Promise<Ran> {
  const environment = new MockActivityEnvironment({ ...INFO, ...info }, { logger: watchedLogger() });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
  try {
    return { output: await environment.run(createCompleteActivity(deps), input), heartbeats };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    expect(`${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(KEY);
    expect(error.cause).toBeUndefined();
    return { failure: error, heartbeats };
  }
}

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
    expect(heartbeats).toEqual([{ attempt: 1, apiFailures: 0, sent: true }]);
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
    ['HTML', answerText('<html>', 200, 'text/html'), { type: 'ModelUnavailable', nonRetryable: false }],
    ['empty choices', answerJson({ choices: [] }), { type: 'ModelUnavailable', nonRetryable: false }],
    [
      '429',
      answerError(429, { message: 'slow down' }, { 'retry-after': '2' }),
      { type: 'RateLimited', nonRetryable: false, nextRetryDelay: 2000 },
    ],
    [
      '429 for an empty purse',
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
    expect(heartbeats.at(-1)).toMatchObject({ attempt: 1, apiFailures: 1 });
    expect(provider.requests).toHaveLength(1);
  });

  it('tells status and request id of a failure', async () => {
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
    expect(failure).toMatchObject({ type: 'ModelUnavailable', message: 'the provider did not answer in time' });
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
    expect(timeouts[0]).toBeGreaterThanOrEqual(startToCloseTimeoutMs / 2);
    expect(timeouts[0]).toBeLessThan(startToCloseTimeoutMs);
  });

  describe('after API failures', () => {
    const busy = answerError(500, { message: 'busy' });

    it('goes on for as many retries as were granted', async () => {
      const provider = await serve(busy);
      const deps = depsFor(openaiEnv(provider));
      let heartbeatDetails: unknown;
      const verdicts: unknown[] = [];
      for (let number = 1; number <= 4; number++) {
        const { failure, heartbeats } = await attempt(deps, inputWith(), { attempt: number, heartbeatDetails });
        heartbeatDetails = heartbeats.at(-1);
        verdicts.push(failure?.nonRetryable);
      }
      expect(verdicts).toEqual([false, false, false, true]);
      const keys = provider.requests.map((seen) =>
        String(seen.headers['idempotency-key']).split('/').slice(1).join('/'),
      );
      expect(keys).toEqual(['agent/5', 'agent/5/after-1', 'agent/5/after-2', 'agent/5/after-3']);
    });

    it('waits longer from one to the next, and as long as the provider asks where it does', async () => {
      const deps = (provider: FakeProvider) => depsFor(openaiEnv(provider), { random: () => 0.5 });
      const after = async (answer: Answer, apiFailures: number) => {
        const info = { attempt: 2, heartbeatDetails: { apiFailures } };
        return (await attempt(deps(await serve(answer)), inputWith({ maxRetries: 9 }), info)).failure;
      };
      expect(await after(busy, 0)).toMatchObject({ nextRetryDelay: 750 });
      expect(await after(busy, 1)).toMatchObject({ nextRetryDelay: 1_500 });
      expect(await after(busy, 8)).toMatchObject({ nextRetryDelay: 45_000 });
      const polite = answerError(429, { message: 'slow down' }, { 'retry-after': '7' });
      expect(await after(polite, 3)).toMatchObject({ nextRetryDelay: 7_000 });
    });

    it('fails at once where no retry was granted', async () => {
      const provider = await serve(busy);
      const { failure } = await attempt(depsFor(openaiEnv(provider)), inputWith({ maxRetries: 0 }));
      expect(failure?.nonRetryable).toBe(true);
    });

    it('does not count attempts that were lost with their worker', async () => {
      const provider = await serve(busy);
      const lost = { attempt: 9, heartbeatDetails: { apiFailures: 1 } };
      const { failure, heartbeats } = await attempt(depsFor(openaiEnv(provider)), inputWith(), lost);
      expect(failure?.nonRetryable).toBe(false);
      expect(heartbeats).toMatchObject([{ apiFailures: 1 }, { apiFailures: 2 }]);
    });

    it.each([undefined, null, 'x', { apiFailures: 'many' }])(
      'counts every attempt when the count is lost: %j',
      async (d) => {
        const provider = await serve(busy);
        const info = { attempt: 4, heartbeatDetails: d };
        const { failure } = await attempt(depsFor(openaiEnv(provider)), inputWith(), info);
        expect(failure?.nonRetryable).toBe(true);
      },
    );

    it.each<[string, unknown, number]>([
      ['was lost after its request was sent', { attempt: 2, apiFailures: 0, sent: true }, 2],
      ['was lost like one before it', { attempt: 2, apiFailures: 0, sent: true, mayBePaid: 1 }, 3],
      ['was lost while it waited for its turn', { attempt: 2, apiFailures: 0, mayBePaid: 1 }, 2],
      ['was lost before its first heartbeat', undefined, 1],
    ])('counts an attempt as possibly paid that %s', async (_what, heartbeatDetails, expected) => {
      const provider = await serve(answerJson(completion()));
      const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith(), { attempt: 3, heartbeatDetails });
      expect(output?.attempt).toBe(expected);
    });

    it.each<[string, Answer, number]>([
      ['a failure of the provider', busy, 2],
      ['a 429', answerError(429, { message: 'slow down' }), 1],
    ])('counts %s as possibly paid, or not', async (_what, answer, expected) => {
      const provider = await serve(answer, answerJson(completion()));
      const deps = depsFor(openaiEnv(provider));
      const heartbeatDetails = (await attempt(deps)).heartbeats.at(-1);
      expect((await attempt(deps, inputWith(), { attempt: 2, heartbeatDetails })).output?.attempt).toBe(expected);
    });

    it('goes on counting where an activity left off whose worker did not know the conversation', async () => {
      const provider = await serve(busy);
      const sender = new TranscriptSender();
      sender.next('agent', [{ role: 'user', content: '1' }]);
      const next = sender.next('agent', [
        { role: 'user', content: '1' },
        { role: 'user', content: '2' },
      ]);
      const lost = { attempt: 4, heartbeatDetails: { apiFailures: 2, mayBePaid: 2, sent: true } };
      const { failure } = await attempt(depsFor(openaiEnv(provider)), inputWith({ transcript: next }), lost);
      expect(failure?.details).toEqual([{ attempts: 3, apiFailures: 2 }]);
      expect(provider.requests).toEqual([]);

      const whole = inputWith({ transcript: sender.whole('agent'), earlier: { attempts: 3, apiFailures: 2 } });
      const { failure: third, heartbeats } = await attempt(depsFor(openaiEnv(provider)), whole);
      expect(third?.nonRetryable).toBe(false);
      expect(heartbeats).toMatchObject([{ apiFailures: 2 }, { apiFailures: 3 }]);
      expect(provider.requests[0]?.headers['idempotency-key']).toMatch(/\/agent\/5\/after-2$/);
      const { output } = await attempt(depsFor(openaiEnv(await serve(answerJson(completion())))), whole);
      expect(output?.attempt).toBe(4);
    });
  });

  describe('at a provider that answers 429', () => {
    const slowDown = answerError(429, { message: 'slow down' }, { 'retry-after': '1' });

    function limited(provider: FakeProvider): { readonly deps: CompleteDeps; readonly limits: AdaptiveLimits } {
      const deps = depsFor(openaiEnv(provider), { random: () => 0 });
      const limits = new AdaptiveLimits();
      return { deps: { ...deps, limits, callModel: limitedCallModel(deps.callModel, limits) }, limits };
    }

    it('retries without counting it, and without a charge', async () => {
      const provider = await serve(slowDown, answerJson(completion()));
      const { deps, limits } = limited(provider);
      const none = inputWith({ maxRetries: 0 });
      const { failure, heartbeats } = await attempt(deps, none);
      expect(failure).toMatchObject({ type: 'RateLimited', nonRetryable: false, nextRetryDelay: 1_000 });
      expect(heartbeats.at(-1)).toMatchObject({
        apiFailures: 0,
        rateLimited: 1,
        pace: { provider: 'openai', callsAtOnce: 1, rateLimited: 1 },
      });
      expect(heartbeats.at(-1)).not.toHaveProperty('sent');
      const { output } = await attempt(deps, none, { attempt: 2, heartbeatDetails: heartbeats.at(-1) });
      expect(output?.attempt).toBe(1);
      expect(limits.of('openai').refusedForMs()).toBe(0);
      const keys = provider.requests.map(({ headers }) => String(headers['idempotency-key']).split('/').at(-1));
      expect(keys).toEqual(['5', 'after-1']);
    });

    it('gives the attempt back when it has had no turn, and counts nothing', async () => {
      const provider = await serve(answerJson(completion()));
      const { deps, limits } = limited(provider);
      (await limits.of('openai').turn({ since: 0, patienceMs: 1 })).refused(3_600_000);
      const { failure, heartbeats } = await attempt(deps);
      expect(failure).toMatchObject({ type: 'NoTurn', nonRetryable: false });
      expect(Number(failure?.nextRetryDelay)).toBeGreaterThanOrEqual(3_590_000);
      expect(heartbeats.at(-1)).toMatchObject({ apiFailures: 0, turnWaits: 1 });
      expect(provider.requests).toEqual([]);
      const broken = { ...deps, callModel: () => Promise.reject(new TypeError('a bug')) };
      const later = { attempt: 50, heartbeatDetails: { apiFailures: 0, turnWaits: 49 } };
      expect((await attempt(broken, inputWith(), later)).failure?.nonRetryable).toBe(false);
    });

    it('beats while it waits for its turn, and obeys a cancel', async () => {
      const provider = await serve(answerJson(completion()));
      const { deps, limits } = limited(provider);
      (await limits.of('openai').turn({ since: 0, patienceMs: 1 })).refused(2_000);
      const info = { ...INFO, heartbeatTimeoutMs: 200, startToCloseTimeoutMs: 200_000 };
      const environment = new MockActivityEnvironment(info, { logger: watchedLogger() });
      const heartbeats: unknown[] = [];
      environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
      const call = environment.run(createCompleteActivity(deps), inputWith());
      const end = expect(call).rejects.toThrow(CancelledFailure);
      await delay(300);
      environment.cancel('CANCELLED');
      await end;
      expect(heartbeats.length).toBeGreaterThan(2);
      expect(heartbeats.at(-1)).toMatchObject({ attempt: 1, apiFailures: 0, pace: { waiting: 1 } });
      expect(provider.requests).toEqual([]);
    });

    it('fails when the provider has accepted nothing for long', async () => {
      const provider = await serve(slowDown);
      const { deps } = limited(provider);
      vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
      try {
        await attempt(deps);
        vi.setSystemTime(Date.now() + 601_000);
        const early = await attempt(deps, inputWith(), {
          attempt: 3,
          heartbeatDetails: { apiFailures: 0, rateLimited: 2 },
        });
        expect(early.failure?.nonRetryable).toBe(false);
        vi.setSystemTime(Date.now() + 601_000);
        const late = await attempt(deps, inputWith(), {
          attempt: 4,
          heartbeatDetails: { apiFailures: 0, rateLimited: 3 },
        });
        expect(late.failure).toMatchObject({ type: 'RateLimited', nonRetryable: true });
      } finally {
        vi.useRealTimers();
      }
    });
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
      expect(output).not.toHaveProperty('fields');
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
    const huge = { replyLimits: { contentChars: 9_000_000, toolArgumentChars: 9_000_000 } };

    it.each<[string, Record<string, unknown>, Partial<CompleteInput>, object]>([
      [
        '10 MB of content',
        { content: 'x'.repeat(10_000_000) },
        {},
        { part: 'content', size: 10_000_000, limit: 65_536 },
      ],
      ['a lower limit', { content: 'x'.repeat(50) }, { replyLimits: { contentChars: 49, toolArgumentChars: 49 } }, {}],
      [
        '5 MB of arguments',
        { content: null, tool_calls: calls(1, 'x'.repeat(5_000_000)) },
        {},
        { part: 'tool arguments' },
      ],
      ['1,000 tool calls', { content: null, tool_calls: calls(1000, '{}') }, {}, { part: 'tool calls', size: 1000 }],
      ['more than a history takes', { content: 'é'.repeat(800_000) }, huge, { part: 'bytes', limit: 1_500_000 }],
      ['much that JSON escapes', { content: '\u0001'.repeat(300_000) }, huge, { part: 'bytes' }],
    ])('keeps beginning, end, usage and cost: %s', async (_what, message, changes, excess) => {
      const provider = await serve(answerJson(completion(message)));
      const { output } = await attempt(depsFor(openaiEnv(provider)), inputWith({ replyFields: 'where', ...changes }));
      expect(output).toMatchObject({ tooLong: excess, costUsd: 0.003, usage: { promptTokens: 1000 } });
      expect(output).not.toHaveProperty('fields');
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

function userPrompt(strategyName: string) {
  return new TranscriptSender().next('user', [
    { role: 'system', content: [{ ref: 'user-system', strategy: strategyName }] },
  ]);
}
