/** The activity `complete` beside a fake provider: one attempt at a time, and no key in anything that it leaves. */

import { inspect } from 'node:util';
import { ApplicationFailure, type Info } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Logger, LogMetadata } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { onTestFinished, expect } from 'vitest';
import { createCompleteActivity, type CompleteDeps } from '../../activities/testing.ts';
import type { StrategyDefinition } from '../../src/agents/index.ts';
import { createModelCaller, createPricer, TranscriptStore } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import type { CompleteInput } from '../../src/episode/index.ts';
import { TranscriptSender, type CompleteOutput } from '../../src/evaluation/index.ts';
import { KEY, smallPack, startFakeProvider, type Answer, type FakeProvider } from '../models/helpers.ts';

export const pack = smallPack();

export const strategy: StrategyDefinition = {
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

export async function serve(...answers: readonly Answer[]): Promise<FakeProvider> {
  const provider = await startFakeProvider(...answers);
  onTestFinished(() => provider.close());
  return provider;
}

export function depsFor(env: NodeJS.ProcessEnv, changes: Partial<CompleteDeps> = {}): CompleteDeps {
  return {
    findPack: () => Promise.resolve(pack),
    findStrategy: (name) => (name === strategy.name ? strategy : undefined),
    transcripts: new TranscriptStore(),
    callModel: createModelCaller((name) => resolveProvider(name, env)),
    priceCall: createPricer(() => undefined),
    ...changes,
  };
}

export const transcript = new TranscriptSender().next('agent', [
  { role: 'system', content: [{ ref: 'policy' }, ' ', { ref: 'strategy-text', key: 'rules' }] },
  { role: 'user', content: 'Hello' },
]);

export function inputWith(changes: Partial<CompleteInput> = {}): CompleteInput {
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

export const INFO: Partial<Info> = { heartbeatTimeoutMs: 20_000, startToCloseTimeoutMs: 40_000, activityId: '5' };

export interface Ran {
  readonly output?: CompleteOutput;
  readonly failure?: ApplicationFailure;
  readonly heartbeats: readonly unknown[];
}

/** Writes nothing, and makes sure that what a worker's log would say holds no key. */
export function watchedLogger(): Logger {
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
export async function attempt(
  deps: CompleteDeps,
  input = inputWith(),
  info: Partial<Info> = {},
  onHeartbeat: () => void = () => undefined,
  onDelivery: () => Promise<void> = () => Promise.resolve(),
): Promise<Ran> {
  const client = {
    withAbortSignal: (_signal: AbortSignal, work: () => unknown) => work(),
    activity: { heartbeat: onDelivery },
  } as unknown as Client;
  const environment = new MockActivityEnvironment({ ...INFO, ...info }, { logger: watchedLogger(), client });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => {
    heartbeats.push(details);
    onHeartbeat();
  });
  try {
    return { output: await environment.run(createCompleteActivity(deps), input), heartbeats };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    expect(`${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(KEY);
    expect(error.cause).toBeUndefined();
    return { failure: error, heartbeats };
  }
}

export function userPrompt(strategyName: string) {
  return new TranscriptSender().next('user', [
    { role: 'system', content: [{ ref: 'user-system', strategy: strategyName }] },
  ]);
}
