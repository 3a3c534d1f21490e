import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, type MetricMeter, type MetricTags } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { logActivities, measureActivities } from '../../../src/temporal/telemetry/index.ts';
import { toModelCall, describeActivitySpan } from '../../../src/temporal/telemetry/testing.ts';
import type { JudgeInput, JudgeOutput } from '../../../src/evaluation/index.ts';

const MODEL = { provider: 'openai', model: 'gpt-4o', temperature: 0 };
const EPISODE = { taskId: 17, trial: 2 };
const COMPLETE = { call: 'agent 3', role: 'agent', episode: EPISODE, model: MODEL, format: 'text', seed: 10 };
const FORWARD = { call: 'agent 7', episode: EPISODE, wire: 'chat', model: MODEL };
const REPLY = { servedModel: 'gpt-4o-2024-08-06', finishReason: 'stop', latencyMs: 1500, costUsd: 0.02 };
const USAGE = { promptTokens: 900, completionTokens: 40, cachedTokens: 300, reasoningTokens: 8 };
const CONVENTIONAL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': REPLY.servedModel,
};
const JUDGE: JudgeInput = {
  source: { kind: 'run', run: { runId: 'nightly', logDir: '/logs' } },
  episode: { ...EPISODE, index: null, isInfrastructure: false },
  judge: { model: MODEL, maxRetries: 1, callTimeoutMs: 60_000 },
  question: 'author',
  attempt: 1,
};
const VERDICT: JudgeOutput = { answer: null, calls: 1, ...USAGE, ...REPLY };

/** Values that each counter and histogram was given, by name. */
const measured: Record<string, [number, MetricTags][]> = {};
const instrument = (name: string) => {
  const take = (value: number, tags: MetricTags = {}) => void (measured[name] ??= []).push([value, tags]);
  return { add: take, record: take, set: take };
};
const meter = {
  createCounter: instrument,
  createHistogram: instrument,
  createGauge: instrument,
} as unknown as MetricMeter;
const measure = measureActivities(meter);

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

beforeEach(() => {
  for (const name of Object.keys(measured)) Reflect.deleteProperty(measured, name);
  exporter.reset();
});
afterAll(() => {
  trace.disable();
  context.disable();
});

/** Does an activity under one of the interceptors; gives what was logged. */
async function doing(
  intercept: ActivityInterceptorsFactory,
  activityType: string,
  input: unknown,
  work: () => Promise<unknown>,
) {
  const logged: [string, string, unknown][] = [];
  const to = (level: string) => (message: string, fields: unknown) => void logged.push([level, message, fields]);
  const log = { debug: to('debug'), info: to('info'), warn: to('warn') };
  const workflowExecution = { workflowId: 'nightly/errors', runId: 'd00d' };
  const info = { activityType, attempt: 1, activityId: '5', workflowExecution };
  const { inbound } = intercept({ info, log } as unknown as Context);
  const end = await inbound?.execute?.({ args: [input], headers: {} }, work).catch((error: unknown) => error);
  return { end, logged };
}

const answers = (output: unknown) => () => Promise.resolve(output);
const fails = (failure: ApplicationFailure) => () => Promise.reject(failure);
const RATE_LIMITED = ApplicationFailure.retryable('429 Slow down', 'RateLimited');
const GONE = ApplicationFailure.nonRetryable('task-17.trial-2 has no record any more', 'EpisodeGone');

describe("a judge's call", () => {
  it('has the cap of its question, and none where there is none', () => {
    expect(toModelCall('judge', JUDGE)).not.toHaveProperty('maxCompletionTokens');
    const capped = { ...JUDGE, judge: { ...JUDGE.judge, maxCompletionTokens: 300 } };
    expect(toModelCall('judge', capped)).toMatchObject({ role: 'judge', maxCompletionTokens: 300 });
    expect(toModelCall('step', JUDGE)).toBeNull();
  });
});

describe.each([
  ['complete', COMPLETE, { ...REPLY, usage: USAGE }, 'agent', 'agent 3'],
  ['judge', JUDGE, VERDICT, 'judge', 'judge author'],
  ['forward', FORWARD, { ...REPLY, usage: USAGE, status: 200, body: '{}' }, 'agent', 'agent 7'],
])("a model's call by %s", (type, input, output, role, call) => {
  const tags = { provider: 'openai', model: 'gpt-4o', role };

  it('is counted, with its tokens, time and cost', async () => {
    expect((await doing(measure, type, input, answers(output))).end).toBe(output);
    expect(measured).toEqual({
      tauflow_model_calls: [[1, { ...tags, outcome: 'ok' }]],
      tauflow_model_tokens: [
        [900, { ...tags, direction: 'input' }],
        [40, { ...tags, direction: 'output' }],
      ],
      tauflow_model_call_latency_seconds: [[1.5, tags]],
      tauflow_model_call_cost_usd: [[0.02, tags]],
      'gen_ai.client.token.usage': [
        [900, { ...CONVENTIONAL, 'gen_ai.token.type': 'input' }],
        [40, { ...CONVENTIONAL, 'gen_ai.token.type': 'output' }],
      ],
      'gen_ai.client.operation.duration': [[1.5, CONVENTIONAL]],
    });
  });

  it('that fails is counted by the kind of its failure', async () => {
    expect((await doing(measure, type, input, fails(RATE_LIMITED))).end).toBe(RATE_LIMITED);
    expect(measured).toEqual({ tauflow_model_calls: [[1, { ...tags, outcome: 'RateLimited' }]] });
  });

  it('that another version has answered goes through', async () => {
    for (const intercept of [measure, describeActivitySpan]) {
      expect((await doing(intercept, type, input, answers({ text: 'yes' }))).end).toEqual({ text: 'yes' });
    }
    expect(measured).toEqual({});
  });

  it('has a span of its own', async () => {
    await doing(describeActivitySpan, type, input, answers(output));
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('chat gpt-4o');
    expect(span?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.conversation.id': 'nightly/errors',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.cache_read.input_tokens': 300,
      'tau.role': role,
      'tau.call': call,
      'tau.task': 17,
      'tau.trial': 2,
      'tau.cost_usd': 0.02,
    });
    expect(span?.attributes['gen_ai.request.seed']).toBe(type === 'complete' ? 10 : undefined);
  });

  it('is logged, with its episode, at DEBUG when it goes well and as a warning before it is made again', async () => {
    const fields = { task: 17, trial: 2, call, role, provider: 'openai', model: 'gpt-4o' };
    expect((await doing(logActivities, type, input, answers(output))).logged).toEqual([
      ['debug', 'model called', fields],
    ]);
    expect((await doing(logActivities, type, input, fails(RATE_LIMITED))).logged).toEqual([
      [
        'warn',
        'model call failed and will be made again',
        expect.objectContaining({ ...fields, failure: 'RateLimited' }),
      ],
    ]);
  });
});

it('a provider has the name that the conventions prescribe', async () => {
  const input = { ...COMPLETE, model: { ...MODEL, provider: 'azure', top_p: 0.9 } };
  for (const intercept of [measure, describeActivitySpan]) {
    await doing(intercept, 'complete', input, answers({ usage: USAGE, ...REPLY }));
  }
  expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
    'gen_ai.provider.name': 'azure.ai.openai',
    'gen_ai.request.top_p': 0.9,
  });
  expect(measured['gen_ai.client.operation.duration']?.[0]?.[1]).toMatchObject({
    'gen_ai.provider.name': 'azure.ai.openai',
  });
});

it('an episode that has run again is no call of its judge', async () => {
  await doing(measure, 'judge', JUDGE, fails(GONE));
  expect(measured).toEqual({});
});

it('an activity without a model call is not measured', async () => {
  await doing(measure, 'grade', { pack: null }, answers({ kind: 'graded', ...REPLY, ...USAGE }));
  expect(measured).toEqual({});
});
