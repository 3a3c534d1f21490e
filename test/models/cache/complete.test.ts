/** The `complete` activity with a response cache, against a provider that counts what it is asked. */

import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, describe, expect, it } from 'vitest';

import { createCompleteActivity } from '../../../activities/testing.ts';
import {
  cachedCallModel,
  toEndpoint,
  createModelCaller,
  createPricer,
  TranscriptStore,
} from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { UsageLedger, type CompleteInput } from '../../../src/episode/index.ts';
import { TranscriptSender, type CompleteOutput } from '../../../src/evaluation/index.ts';
import {
  answerError,
  answerJson,
  completion,
  openaiEnv,
  smallPack,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from '../helpers.ts';
import { filesBelow, scratchFolder, storeIn } from './helpers.ts';

const pack = smallPack();
const open: FakeProvider[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

async function serve(...answers: readonly Answer[]): Promise<FakeProvider> {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  return provider;
}

/** Makes a worker with that folder; each call of this is a worker of its own. */
function workerFor(
  provider: FakeProvider,
  folder: string,
  env = openaiEnv(provider),
): (input: CompleteInput) => Promise<CompleteOutput> {
  const resolve = (name: string) => resolveProvider(name, env);
  const complete = createCompleteActivity({
    findPack: () => Promise.resolve(pack),
    findStrategy: (name) => ({ name, label: 'P', solve: () => Promise.resolve('done') }),
    transcripts: new TranscriptStore(),
    callModel: cachedCallModel(createModelCaller(resolve), storeIn(folder), (name) => toEndpoint(resolve(name), '1.0')),
    priceCall: createPricer(() => undefined),
  });
  return (input) => new MockActivityEnvironment({ startToCloseTimeoutMs: 10_000 }).run(complete, input);
}

function inputWith(changes: Partial<CompleteInput> = {}): CompleteInput {
  return {
    call: 'agent 1',
    pack: pack.ref,
    split: 'test',
    episode: { taskId: 0, trial: 0 },
    strategy: 'probe',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    role: 'agent',
    model: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    transcript: new TranscriptSender().next('agent', [{ role: 'user', content: [{ ref: 'policy' }, ' Hello'] }]),
    tools: true,
    format: 'text',
    seed: 11,
    maxRetries: 3,
    cache: '0123456789abcdef',
    ...changes,
  };
}

describe('complete with a response cache', () => {
  it('calls the provider once for the same seed and trial; the second answer is marked and costs nothing', async () => {
    const provider = await serve(answerJson(completion()));
    const folder = scratchFolder();
    const first = await workerFor(provider, folder)(inputWith());
    const second = await workerFor(provider, folder)(inputWith());
    expect(provider.requests).toHaveLength(1);
    expect(first).toMatchObject({ costUsd: 0.003, attempt: 1 });
    expect(first).not.toHaveProperty('cached');
    expect(second).toEqual({ ...first, latencyMs: expect.any(Number) as number, costUsd: 0, cached: true });
  });

  it.each<[string, Partial<CompleteInput>]>([
    ['another trial', { episode: { taskId: 0, trial: 1 } }],
    ['another seed', { seed: 12 }],
    ['a later call', { call: 'agent 2' }],
    ['another configuration', { cache: 'fedcba9876543210' }],
  ])('calls the provider again for %s', async (_what, changes) => {
    const provider = await serve(answerJson(completion()));
    const work = workerFor(provider, scratchFolder());
    await work(inputWith());
    expect(await work(inputWith(changes))).toMatchObject({ costUsd: 0.003 });
    expect(provider.requests).toHaveLength(2);
  });

  it('never uses the answer of another server of the same provider and model', async () => {
    const servers = await Promise.all(['first', 'second'].map((content) => serve(answerJson(completion({ content })))));
    const folder = scratchFolder();
    const custom = inputWith({ model: { provider: 'custom', model: 'm', temperature: 0 } });
    for (let time = 0; time < 2; time += 1) {
      const replies = await Promise.all(
        servers.map((server) => workerFor(server, folder, { CUSTOM_BASE_URL: server.url })(custom)),
      );
      expect(replies.map(({ message }) => message.content)).toEqual(['first', 'second']);
    }
    expect(servers.map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  it('calls the provider every time if the run has no cache', async () => {
    const provider = await serve(answerJson(completion()));
    const folder = scratchFolder();
    const work = workerFor(provider, folder);
    const { cache, ...fresh } = inputWith();
    expect(cache).toBeDefined();
    await work(fresh);
    expect(await work(fresh)).toMatchObject({ costUsd: 0.003 });
    expect(provider.requests).toHaveLength(2);
    expect(filesBelow(folder)).toEqual([]);
  });

  it('calls the provider again after a failure', async () => {
    const provider = await serve(answerError(500, { message: 'busy' }), answerJson(completion()));
    const work = workerFor(provider, scratchFolder());
    await expect(work(inputWith())).rejects.toMatchObject({ type: 'ModelUnavailable' });
    expect(await work(inputWith())).toMatchObject({ costUsd: 0.003 });
    expect(await work(inputWith())).toMatchObject({ costUsd: 0, cached: true });
    expect(provider.requests).toHaveLength(2);
  });

  it('costs nothing if no price is known', async () => {
    const provider = await serve(answerJson(completion({ content: 'Hello.' }, { model: 'unheard-of' })));
    const work = workerFor(provider, scratchFolder());
    const input = inputWith({ model: { provider: 'openai', model: 'unheard-of', temperature: null } });
    expect(await work(input)).toMatchObject({ costUsd: null });
    expect(await work(input)).toMatchObject({ costUsd: 0 });
  });

  it('is counted separately in an episode’s costs, with all tokens and the paid cost', async () => {
    const provider = await serve(answerJson(completion()));
    const work = workerFor(provider, scratchFolder());
    const ledger = new UsageLedger();
    ledger.enter('agent', await work(inputWith()));
    ledger.enter('agent', await work(inputWith()));
    expect(ledger.roles()).toMatchObject([
      { calls: 2, cachedCalls: 1, promptTokens: 2000, completionTokens: 200, costUsd: 0.003, lastCallCostUsd: 0 },
    ]);
  });
});
