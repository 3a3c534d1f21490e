import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import {
  cachedCallModel,
  cachedForwardCall,
  CompletionStore,
  forwardReplySchema,
  ModelCallError,
  type ForwardCall,
  type CallModel,
  type ModelRequest,
  type ModelReply,
} from '../../../src/models/index.ts';
import type { ForwardReply, ForwardRequest } from '../../../src/models/testing.ts';
import { filesBelow, FRESH, replyWith, REQUEST, SCOPE, scratchFolder, storeIn } from './helpers.ts';

const OPTIONS = { timeoutMs: 10_000 };
const FAILURE = new ModelCallError({ type: 'RateLimited', retryable: true, message: '429 slow down' });

/** A model that answers as it is told, call by call: the fingerprint counts them. */
function fakeModel(...answers: readonly (Partial<ModelReply> | Error)[]) {
  const calls: { request: ModelRequest; timeoutMs: number }[] = [];
  const callModel: CallModel = (request, { timeoutMs }) => {
    calls.push({ request, timeoutMs });
    const answer = answers[calls.length - 1] ?? {};
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(replyWith({ fingerprint: `call ${String(calls.length)}`, ...answer }));
  };
  return { calls, callModel };
}

/** A model that answers when it is told to. */
function waitingModel() {
  const open: { answer: (reply: ModelReply) => void; fail: (error: unknown) => void }[] = [];
  const callModel: CallModel = (_request, { signal }) =>
    new Promise((resolve, reject) => {
      open.push({ answer: resolve, fail: reject });
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { open, callModel };
}

function cached(callModel: CallModel, folder = scratchFolder()): CallModel {
  return cachedCallModel(callModel, storeIn(folder), () => null);
}

const inTrial = (trial: number): ModelRequest => ({
  ...REQUEST,
  cache: { ...SCOPE, episode: { taskId: SCOPE.episode.taskId, trial } },
});

/** Lets everything go on that waits for nothing but the disk. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a model call with a cache', () => {
  it('is made once for the same seed and trial, in this process and in later ones', async () => {
    const folder = scratchFolder();
    const model = fakeModel();
    const call = cached(model.callModel, folder);
    const first = await call(REQUEST, OPTIONS);
    const second = await call({ ...REQUEST, idempotencyKey: 'another-run' }, OPTIONS);
    const later = await cached(model.callModel, folder)(REQUEST, OPTIONS);
    expect(model.calls).toHaveLength(1);
    expect(first).toEqual(replyWith({ fingerprint: 'call 1' }));
    for (const reply of [second, later]) {
      expect(reply).toEqual({ ...first, latencyMs: expect.any(Number) as number, cached: true });
      expect(reply.latencyMs).toBeLessThan(900);
    }
  });

  it('is made again for another trial, seed or task, whose answers must be own samples', async () => {
    const model = fakeModel();
    const call = cached(model.callModel);
    await call(inTrial(0), OPTIONS);
    const others = [
      inTrial(1),
      { ...REQUEST, seed: 12 },
      { ...REQUEST, cache: { ...SCOPE, episode: { taskId: 4, trial: 0 } } },
    ];
    for (const request of others) expect(await call(request, OPTIONS)).not.toHaveProperty('cached');
    expect(model.calls).toHaveLength(4);
    for (const request of others) expect(await call(request, OPTIONS)).toHaveProperty('cached', true);
    expect(model.calls).toHaveLength(4);
  });

  it('is made again if an episode repeats the request', async () => {
    const model = fakeModel();
    const call = cached(model.callModel);
    const again = { ...REQUEST, cache: { ...SCOPE, call: 'agent 2' } };
    expect((await call(REQUEST, OPTIONS)).fingerprint).toBe('call 1');
    expect((await call(again, OPTIONS)).fingerprint).toBe('call 2');
    expect((await call(again, OPTIONS)).fingerprint).toBe('call 2');
  });

  it('is always made, and stores nothing, if the request does not use the cache', async () => {
    const folder = scratchFolder();
    const model = fakeModel();
    const call = cached(model.callModel, folder);
    await call(FRESH, OPTIONS);
    await call(FRESH, OPTIONS);
    expect(model.calls).toHaveLength(2);
    expect(filesBelow(folder)).toEqual([]);
  });

  it('is never answered by a failure', async () => {
    const folder = scratchFolder();
    const model = fakeModel(FAILURE, FAILURE);
    const call = cached(model.callModel, folder);
    await expect(call(REQUEST, OPTIONS)).rejects.toBe(FAILURE);
    await expect(call(REQUEST, OPTIONS)).rejects.toBe(FAILURE);
    expect(filesBelow(folder)).toEqual([]);
    expect((await call(REQUEST, OPTIONS)).fingerprint).toBe('call 3');
    expect((await call(REQUEST, OPTIONS)).fingerprint).toBe('call 3');
  });

  it.each<[string, Partial<ModelReply>]>([
    ['that was cut short', { finishReason: 'length' }],
    ['that was cut short, in Anthropic’s words', { finishReason: 'max_tokens' }],
    ['that says nothing', { message: { role: 'assistant', content: '' } }],
    ['without content and calls', { message: { role: 'assistant', content: null } }],
  ])('is never answered by a reply %s', async (_what, answer) => {
    const folder = scratchFolder();
    const model = fakeModel(answer, answer);
    const call = cached(model.callModel, folder);
    await call(REQUEST, OPTIONS);
    expect(await call(REQUEST, OPTIONS)).not.toHaveProperty('cached');
    expect(model.calls).toHaveLength(2);
    expect(filesBelow(folder)).toEqual([]);
  });

  it('stores no key, message or address on disk', async () => {
    const folder = scratchFolder();
    const call = cachedCallModel(fakeModel().callModel, storeIn(folder), () => 'http://gateway/v1?key=sk-secret-123');
    await call(REQUEST, OPTIONS);
    const texts = filesBelow(folder).map((path) => `${path}\n${readFileSync(path, 'utf8')}`);
    expect(texts).toHaveLength(1);
    expect(texts.join()).not.toMatch(/secret|gateway|kind|look_up/);
  });
});

describe('concurrent equal calls', () => {
  it('become one paid call', async () => {
    const model = waitingModel();
    const call = cached(model.callModel);
    const calls = [1, 2, 3, 4].map(() => call(REQUEST, OPTIONS));
    await until(() => model.open.length > 0);
    model.open[0]?.answer(replyWith());
    const replies = await Promise.all(calls);
    expect(model.open).toHaveLength(1);
    expect(replies.filter((reply) => reply.cached === true)).toHaveLength(3);
  });

  it('stay several if their trials differ', async () => {
    const model = waitingModel();
    const call = cached(model.callModel);
    const calls = [0, 1, 2].map((trial) => call(inTrial(trial), OPTIONS));
    await until(() => model.open.length === 3);
    for (const { answer } of model.open) answer(replyWith());
    expect((await Promise.all(calls)).filter((reply) => reply.cached === true)).toEqual([]);
  });

  it('fail independently', async () => {
    const model = waitingModel();
    const call = cached(model.callModel);
    const [first, second, third] = [1, 2, 3].map(() => call(REQUEST, OPTIONS));
    await until(() => model.open.length === 1);
    model.open[0]?.fail(FAILURE);
    await expect(first).rejects.toBe(FAILURE);
    await until(() => model.open.length === 2);
    model.open[1]?.answer(replyWith({ fingerprint: 'second try' }));
    expect(await second).not.toHaveProperty('cached');
    expect(await third).toMatchObject({ fingerprint: 'second try', cached: true });
  });

  it('have only the rest of their time after waiting for another', async () => {
    const model = waitingModel();
    const timeouts: number[] = [];
    const call = cached((request, options) => {
      timeouts.push(options.timeoutMs);
      return model.callModel(request, options);
    });
    const first = call(REQUEST, OPTIONS);
    await until(() => model.open.length === 1);
    const second = call(REQUEST, OPTIONS);
    const waitedMs = 60;
    await new Promise((resolve) => setTimeout(resolve, waitedMs));
    model.open[0]?.fail(FAILURE);
    await expect(first).rejects.toBe(FAILURE);
    await until(() => model.open.length === 2);
    model.open[1]?.answer(replyWith({}));
    await second;
    expect(timeouts[0]).toBeGreaterThan(OPTIONS.timeoutMs - 50);
    expect(timeouts[1]).toBeLessThanOrEqual(OPTIONS.timeoutMs - waitedMs + 2);
  });

  it('are canceled independently', async () => {
    const model = waitingModel();
    const call = cached(model.callModel);
    const [leader, waiter] = [new AbortController(), new AbortController()];
    const first = call(REQUEST, { ...OPTIONS, signal: leader.signal });
    const second = call(REQUEST, { ...OPTIONS, signal: waiter.signal });
    const third = call(REQUEST, OPTIONS);
    await until(() => model.open.length === 1);

    const reason = new Error('cancelled');
    waiter.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(model.open).toHaveLength(1);

    leader.abort(reason);
    await expect(first).rejects.toBe(reason);
    await until(() => model.open.length === 2);
    model.open[1]?.answer(replyWith());
    expect(await third).not.toHaveProperty('cached');
  });

  it('of two processes are both made, and one answer is stored', async () => {
    const folder = scratchFolder();
    const models = [fakeModel({ fingerprint: 'one' }), fakeModel({ fingerprint: 'other' })];
    await Promise.all(models.map((model) => cached(model.callModel, folder)(REQUEST, OPTIONS)));
    expect(filesBelow(folder)).toHaveLength(1);
    const later = await cached(fakeModel(FAILURE).callModel, folder)(REQUEST, OPTIONS);
    expect(later.cached).toBe(true);
    expect(['one', 'other']).toContain(later.fingerprint);
  });
});

describe("an agent's own request", () => {
  const request: ForwardRequest = {
    ...{ provider: 'openai', model: 'gpt-4o', wire: 'chat', idempotencyKey: 'run/agent/1', cache: SCOPE },
    items: ['{"model":"gpt-4o","temperature":0}', '{"role":"user","content":"Hello"}'],
  };
  const { usage } = replyWith();
  const answer = { status: 200, body: '{"choices":[]}', servedModel: 'm', finishReason: 'stop', usage };

  /** Answers as told, call by call, and counts the calls. */
  function answering(folder: string, ...answers: readonly Partial<ForwardReply>[]) {
    let calls = 0;
    const store = new CompletionStore({ schema: forwardReplySchema, folder, warn: () => undefined });
    const forward: ForwardCall = () => {
      calls += 1;
      return Promise.resolve({ ...answer, usageReported: true, latencyMs: 9, ...answers[calls - 1] });
    };
    return { ask: cachedForwardCall(forward, store, () => null), calls: () => calls };
  }

  it('is answered from the earlier one, whole and unchanged, in another process too', async () => {
    const folder = scratchFolder();
    const first = answering(folder, { body: '{"choices":[{"odd":1}]}', reportedCostUsd: 0.1 });
    expect(await first.ask(request, OPTIONS)).not.toHaveProperty('cached');
    const later = answering(folder);
    const again = { ...request, idempotencyKey: 'another-run/agent/1' };
    expect(await later.ask(again, OPTIONS)).toMatchObject({ body: '{"choices":[{"odd":1}]}', cached: true });
    expect(later.calls()).toBe(0);
  });

  it('is made if any part of it differs, or without the cache', async () => {
    const { ask, calls } = answering(scratchFolder());
    await ask(request, OPTIONS);
    const { cache: _, ...uncached } = request;
    await ask(uncached, OPTIONS);
    await ask({ ...request, wire: 'responses' }, OPTIONS);
    await ask({ ...request, items: [...request.items, '{}'] }, OPTIONS);
    await ask({ ...request, cache: { ...SCOPE, call: 'agent 2' } }, OPTIONS);
    expect(calls()).toBe(5);
  });

  it('is repeated if it was refused or cut short', async () => {
    const { ask, calls } = answering(scratchFolder(), { status: 400 }, { finishReason: 'max_tokens' });
    for (const times of [1, 2, 3, 3]) {
      await ask(request, OPTIONS);
      expect(calls()).toBe(times);
    }
  });
});
