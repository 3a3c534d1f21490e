/** Retries of model calls, and the delays before them. */

import { setTimeout as delay } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it, vi } from 'vitest';
import { createCompleteActivity, type CompleteDeps } from '../../activities/testing.ts';
import { EnvironmentServiceError } from '../../src/benchmarks/packs/index.ts';
import { AdaptiveLimits, limitedCallModel } from '../../src/models/index.ts';

import { TranscriptSender } from '../../src/evaluation/index.ts';
import { answerError, answerJson, completion, openaiEnv, type Answer, type FakeProvider } from '../models/helpers.ts';
import { attempt, depsFor, INFO, inputWith, serve, watchedLogger } from './complete-rig.ts';

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
    const keys = provider.requests.map((seen) => String(seen.headers['idempotency-key']).split('/').slice(1).join('/'));
    expect(keys).toEqual(['agent/5', 'agent/5/after-1', 'agent/5/after-2', 'agent/5/after-3']);
  });

  it('hands on what failed replies have cost once, with the result or the failure of the last attempt', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    const failing = answerJson({ choices: [{ finish_reason: 'error', message: { content: '' } }], usage });
    const filtered = answerJson({ choices: [{ finish_reason: 'content_filter', message: {} }], usage });
    const unread = answerJson({ choices: [{ finish_reason: 'content_filter', message: {} }] });
    const replies = { replies: 2, promptTokens: 2_000_000, completionTokens: 0, costUsd: 5, knownCostUsd: 5 };
    const calls = async (...answers: readonly Answer[]) => {
      const deps = depsFor(openaiEnv(await serve(...answers)));
      const first = await attempt(deps, inputWith());
      expect(first.failure?.details?.[0]).not.toHaveProperty('failedReplies');
      const second = await attempt(deps, inputWith(), { attempt: 2, heartbeatDetails: first.heartbeats.at(-1) });
      return attempt(deps, inputWith(), { attempt: 3, heartbeatDetails: second.heartbeats.at(-1) });
    };
    const good = answerJson(completion({ content: 'Hello.' }, { usage: { prompt_tokens: 0, completion_tokens: 1 } }));
    expect((await calls(failing, failing, good)).output).toMatchObject({
      usage: { promptTokens: 0 },
      failedReplies: replies,
    });
    const last = await calls(failing, failing, filtered);
    expect(last.failure).toMatchObject({ type: 'ContentFilter', nonRetryable: true });
    expect(last.failure?.details?.[0]).toMatchObject({
      apiFailures: 3,
      failedReplies: { ...replies, replies: 3, promptTokens: 3_000_000, costUsd: 7.5, knownCostUsd: 7.5 },
    });
    expect((await calls(failing, failing, unread)).failure?.details?.[0]).toMatchObject({
      failedReplies: { ...replies, replies: 3, costUsd: null },
    });
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

  it('is held at once where the provider asks for more than ten minutes, in a header or in words', async () => {
    const words = 'Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 2h31m12.3s.';
    const answers = [
      answerError(429, { message: words, code: 'rate_limit_exceeded' }),
      answerError(503, { message: 'maintenance' }, { 'retry-after': '3600' }),
    ];
    for (const answer of answers) {
      const { failure } = await attempt(depsFor(openaiEnv(await serve(answer))), inputWith());
      expect(failure?.nonRetryable).toBe(true);
    }
    const { failure } = await attempt(
      depsFor(openaiEnv(await serve(answerError(429, { message: 'Please try again in 9m.' })))),
      inputWith(),
    );
    expect(failure).toMatchObject({ nonRetryable: false, nextRetryDelay: 540_000 });
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
    expect(heartbeats).toMatchObject([{ apiFailures: 2 }]);
  });

  it.each([undefined, null, 'x', { apiFailures: 'many' }])(
    'takes attempts for lost that have left no count: %j',
    async (heartbeatDetails) => {
      const provider = await serve(busy);
      const info = { attempt: 4, heartbeatDetails };
      const { failure, heartbeats } = await attempt(depsFor(openaiEnv(provider)), inputWith(), info);
      expect(failure?.nonRetryable).toBe(false);
      expect(heartbeats).toMatchObject([{ apiFailures: 1 }]);
      expect(provider.requests[0]?.headers['idempotency-key']).toMatch(/\/agent\/5$/);
    },
  );

  it.each<[string, unknown, number]>([
    ['was lost after its request was sent', { attempt: 2, apiFailures: 0, sent: true }, 2],
    ['was lost like one before it', { attempt: 2, apiFailures: 0, sent: true, mayBePaid: 1 }, 3],
    ['was lost while it waited for its turn', { attempt: 2, apiFailures: 0, mayBePaid: 1 }, 2],
    ['was lost before its first heartbeat, like one before it', undefined, 3],
    ['was lost before its first heartbeat, after a 429', { attempt: 1, apiFailures: 0, rateLimited: 1 }, 2],
    ['was lost before its first heartbeat, after one that was sent', { attempt: 1, apiFailures: 0, sent: true }, 3],
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
    expect(heartbeats).toMatchObject([{ apiFailures: 3 }]);
    expect(provider.requests[0]?.headers['idempotency-key']).toMatch(/\/agent\/5\/after-2$/);
    const { output } = await attempt(depsFor(openaiEnv(await serve(answerJson(completion())))), whole);
    expect(output?.attempt).toBe(4);
  });
});

describe('beside an environment service that is away', () => {
  const away = depsFor(
    {},
    {
      findPack: () => Promise.reject(new EnvironmentServiceError('outage', 'no answer', { retryAfterMs: 7 })),
    },
  );

  it('is tried again as often as the run allows, and left to its episode then', async () => {
    const { failure, heartbeats } = await attempt(away);
    expect(failure).toMatchObject({ type: 'EnvironmentUnavailable', nonRetryable: false, nextRetryDelay: 7 });
    expect(heartbeats).toEqual([{ attempt: 1, apiFailures: 0, packMisses: 1 }]);
    const last = { attempt: 6, heartbeatDetails: { attempt: 5, apiFailures: 0, packMisses: 3, mayBePaid: 2 } };
    const { failure: final } = await attempt(away, inputWith(), last);
    expect(final).toMatchObject({ nonRetryable: true, details: [{ attempts: 2 }] });
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
    expect(Number(failure?.nextRetryDelay)).toBeGreaterThanOrEqual(299_000);
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
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date', 'performance'] });
    try {
      await attempt(deps);
      vi.advanceTimersByTime(601_000);
      const early = await attempt(deps, inputWith(), {
        attempt: 3,
        heartbeatDetails: { apiFailures: 0, rateLimited: 2 },
      });
      expect(early.failure?.nonRetryable).toBe(false);
      vi.advanceTimersByTime(601_000);
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
