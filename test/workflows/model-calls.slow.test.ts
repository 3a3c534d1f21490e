import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentError, type CompletionRequest } from '../../src/agents/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { UsageLedger, type CompleteInput, type EpisodeInput } from '../../src/episode/index.ts';
import { FailureType, TranscriptSender, type TaskQueues, type CompleteOutput } from '../../src/evaluation/index.ts';
import { asAgentError, outcomeOf, modelCalls } from '../../workflows/testing.ts';

interface Made {
  readonly provider: string;
  readonly summary: string;
  readonly input: CompleteInput;
}

const made: Made[] = [];
let answer: (input: CompleteInput) => Promise<CompleteOutput> = () => Promise.resolve(output());

vi.mock('../../workflows/activities.ts', () => ({
  proxyModelCalls: (_queues: TaskQueues, provider: string) => ({
    complete: {
      executeWithOptions: ({ summary }: { summary: string }, [input]: [CompleteInput]) => {
        made.push({ provider, summary, input });
        return answer(input);
      },
    },
  }),
}));

beforeEach(() => {
  made.length = 0;
  answer = () => Promise.resolve(output());
});

function output(changes: Partial<CompleteOutput> = {}): CompleteOutput {
  return {
    message: { role: 'assistant', content: 'Hello.' },
    finishReason: 'stop',
    usage: { promptTokens: 10, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: 0.5,
    latencyMs: 1,
    servedModel: 'played',
    fingerprint: null,
    requestId: null,
    attempt: 1,
    ...changes,
  };
}

const episode: EpisodeInput = {
  run: { runId: 'r', logDir: '/nowhere' },
  episode: { taskId: 0, trial: 0 },
  config: {
    env: 'retail',
    split: 'test',
    pack: { name: 'p', digest: 'd', path: '/p' },
    strategy: 'fastworkflow',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    agentModel: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    roleModels: { 'agent/planner': { provider: 'mistral', model: 'small', temperature: 0.7 } },
    userStrategy: 'llm',
    userModel: { provider: 'openai', model: 'gpt-4o-mini', temperature: null },
    maxSteps: 30,
    seed: 10,
    maxRetries: 3,
    episodeTimeoutMs: 1_000,
  },
  queues: { main: 'q', llm: 'q-llm' },
  indexed: false,
};

function request(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return { role: 'agent', thread: 't', messages: [{ role: 'user', content: 'Hi' }], ...changes };
}

function failed(type: string, message = 'too long'): ActivityFailure {
  const cause = ApplicationFailure.nonRetryable(message, type);
  return new ActivityFailure('Activity task failed', 'complete', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
}

describe('a model call', () => {
  it('is made by its role’s model, on the queue of that model’s provider', async () => {
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    await complete(request());
    await complete(request({ role: 'agent/planner' }));
    await complete(request({ role: 'user' }));
    expect(made.map(({ provider, input: { model } }) => [provider, model.model, model.temperature])).toEqual([
      ['openai', 'gpt-4o', 0],
      ['mistral', 'small', 0.7],
      ['openai', 'gpt-4o-mini', null],
    ]);
  });

  it('is booked to its role, with what that role’s model costs', async () => {
    answer = ({ model }) => Promise.resolve(output({ costUsd: model.provider === 'mistral' ? 0.01 : 0.5 }));
    const ledger = new UsageLedger();
    const complete = modelCalls(episode, new TranscriptSender(), ledger);
    for (const role of ['agent/planner', 'agent', 'agent/extraction', 'agent/planner'] as const) {
      await complete(request({ role }));
    }
    expect(ledger.roles().map(({ role, calls, costUsd }) => [role, calls, costUsd])).toEqual([
      ['agent/planner', 2, 0.02],
      ['agent', 1, 0.5],
      ['agent/extraction', 1, 0.5],
    ]);
  });

  it('is shown with the strategy’s summary, cut to what Temporal keeps, and keeps its own name for providers', async () => {
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    await complete(request());
    await complete(request({ summary: 'think 3' }));
    await complete(request({ summary: 'x'.repeat(101) }));
    expect(made.map(({ summary }) => summary)).toEqual(['agent call 1', 'think 3', `${'x'.repeat(99)}…`]);
    expect(made.map(({ input }) => input.call)).toEqual(['agent 1', 'agent 2', 'agent 3']);
  });

  it('names the fields that its reply must have, and gives back what they say', async () => {
    answer = () => Promise.resolve(output({ fields: { order_id: '#W1' } }));
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    const { fields } = await complete(request({ replyFields: 'get_order_details', format: 'json' }));
    expect(fields).toEqual({ order_id: '#W1' });
    await complete(request());
    expect(made.map(({ input }) => input.replyFields)).toEqual(['get_order_details', undefined]);
    expect(made[1]?.input).not.toHaveProperty('replyFields');
  });
});

describe('a model call that failed', () => {
  it.each([
    [FailureType.ContextOverflow, 'context_overflow'],
    [FailureType.ContentFilter, 'content_filter'],
  ])('with %s is the model’s doing, which a strategy may answer', async (type, kind) => {
    answer = () => Promise.reject(failed(type));
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    const error: unknown = await complete(request()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ kind, message: 'too long' });
    expect(outcomeOf(error)).toEqual({ kind: 'agent_error', error: kind, message: 'too long' });
  });

  it('for any other reason stays what it is', async () => {
    const refused = failed(FailureType.NotAuthorised, '401');
    answer = () => Promise.reject(refused);
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    await expect(complete(request())).rejects.toBe(refused);
    expect(outcomeOf(refused)).toMatchObject({ kind: 'infrastructure_error', error: FailureType.NotAuthorised });
    const bug = new TypeError('a bug');
    expect(asAgentError(bug)).toBe(bug);
  });

  it('because the conversation was too long is followed by a shorter one, of which only what is new is sent', async () => {
    const store = new TranscriptStore();
    const seen: unknown[] = [];
    let isFull = true;
    answer = ({ transcript }) => {
      seen.push(store.resolve('e', transcript));
      return isFull ? Promise.reject(failed(FailureType.ContextOverflow)) : Promise.resolve(output());
    };
    const complete = modelCalls(episode, new TranscriptSender(), new UsageLedger());
    const prompt = (...parts: string[]) => request({ messages: [{ role: 'user', content: parts }] });
    await expect(complete(prompt('query', 'cycle 0', 'cycle 1'))).rejects.toBeInstanceOf(AgentError);
    isFull = false;
    await complete(prompt('query', 'cycle 1'));
    await complete(prompt('query', 'cycle 1', 'cycle 2'));
    expect(seen.slice(1)).toEqual([
      [{ role: 'user', content: ['query', 'cycle 1'] }],
      [{ role: 'user', content: ['query', 'cycle 1', 'cycle 2'] }],
    ]);
    expect(made.map(({ input: { transcript } }) => [transcript.keep, transcript.items.length])).toEqual([
      [0, 3],
      [1, 1],
      [2, 1],
    ]);
  });

  it('on a worker that then turns out not to know the conversation is made with the whole shorter one', async () => {
    const sender = new TranscriptSender();
    const complete = modelCalls(episode, sender, new UsageLedger());
    const prompt = (...parts: string[]) => request({ messages: [{ role: 'user', content: parts }] });
    answer = () => Promise.reject(failed(FailureType.ContextOverflow));
    await complete(prompt('query', 'cycle 0', 'cycle 1')).catch(() => undefined);
    answer = ({ transcript }) =>
      transcript.keep > 0 ? Promise.reject(failed(FailureType.TranscriptMissing)) : Promise.resolve(output());
    await complete(prompt('query', 'cycle 1'));
    expect(made.at(-1)?.input.transcript).toMatchObject({
      keep: 0,
      items: [{ role: 'user', content: ['query'] }, { more: 'cycle 1' }],
    });
    expect(made.at(-1)?.input.call).toBe('agent 2');
  });
});
