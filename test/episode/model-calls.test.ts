import { beforeEach, describe, expect, it } from 'vitest';
import { AgentError, type CompletionRequest } from '../../src/agents/index.ts';
import {
  CallHolder,
  UsageLedger,
  toOutcome,
  type CompleteInput,
  type EpisodeContext,
} from '../../src/episode/index.ts';
import { asAgentError, modelCalls } from '../../src/episode/testing.ts';
import { FailureType, TranscriptSender, type HeldCall } from '../../src/evaluation/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { reply } from './models.ts';
import { failing, PlayedFailure, readPlayedFailure, stagedConfig, type Cast } from './stage.ts';

const made: { readonly summary: string; readonly input: CompleteInput }[] = [];
const answered = () => Promise.resolve(reply({ role: 'assistant', content: 'Hello.' }, { costUsd: 0.5 }));
let answer: (input: CompleteInput) => ReturnType<Cast['complete']> = answered;

beforeEach(() => {
  made.length = 0;
  answer = answered;
});

const config = await stagedConfig({
  strategy: 'fastworkflow',
  agentModel: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
  roleModels: { 'agent/planner': { provider: 'mistral', model: 'small', temperature: 0.7 } },
  userModel: { provider: 'openai', model: 'gpt-4o-mini', temperature: null },
});

function openCalls(changes: Partial<EpisodeContext['input']> = {}, holder?: CallHolder) {
  const unused = () => Promise.reject(new Error('this activity is not tried'));
  const context: EpisodeContext = {
    input: {
      ...{ run: { runId: 'r', logDir: '/nowhere' }, episode: { taskId: 0, trial: 0 }, config },
      ...{ queues: { main: 'q', llm: 'q-llm' }, indexed: false },
      ...changes,
    },
    ports: {
      activities: {
        complete: (summary, input) => {
          made.push({ summary, input: structuredClone(input) });
          return answer(input);
        },
        ...{ forward: unused, agentTurn: unused, start: unused, step: unused, grade: unused, record: unused },
      },
      display: { now: () => 0, show: () => undefined },
      readFailure: readPlayedFailure,
      openScope: () => ({ run: (work) => work(), cancel: () => undefined }),
      uuid: () => '1',
      wait: () => Promise.resolve(),
    },
    sender: new TranscriptSender(),
    ledger: new UsageLedger(),
    holder,
  };
  return { complete: modelCalls(context), context };
}

function request(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return { role: 'agent', thread: 't', messages: [{ role: 'user', content: 'Hi' }], ...changes };
}

const prompt = (...parts: string[]) => request({ messages: [{ role: 'user', content: parts }] });

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('a model call', () => {
  it('is made by its role’s model, on the queue of that model’s provider', async () => {
    const { complete } = openCalls();
    await complete(request());
    await complete(request({ role: 'agent/planner' }));
    await complete(request({ role: 'user' }));
    expect(made.map(({ input: { model } }) => [model.provider, model.model, model.temperature])).toEqual([
      ['openai', 'gpt-4o', 0],
      ['mistral', 'small', 0.7],
      ['openai', 'gpt-4o-mini', null],
    ]);
  });

  it('is booked to its role, with what that role’s model costs', async () => {
    answer = async ({ model }) => ({ ...(await answered()), costUsd: model.provider === 'mistral' ? 0.01 : 0.5 });
    const { complete, context } = openCalls();
    for (const role of ['agent/planner', 'agent', 'agent/extraction', 'agent/planner'] as const) {
      await complete(request({ role }));
    }
    expect(context.ledger.roles().map(({ role, calls, costUsd }) => [role, calls, costUsd])).toEqual([
      ['agent/planner', 2, 0.02],
      ['agent', 1, 0.5],
      ['agent/extraction', 1, 0.5],
    ]);
  });

  it('is shown with the strategy’s summary, cut to what Temporal keeps, and keeps its own name for providers', async () => {
    const { complete } = openCalls();
    await complete(request());
    await complete(request({ summary: 'think 3' }));
    await complete(request({ summary: 'x'.repeat(101) }));
    expect(made.map(({ summary }) => summary)).toEqual(['agent call 1', 'think 3', `${'x'.repeat(99)}…`]);
    expect(made.map(({ input }) => input.call)).toEqual(['agent 1', 'agent 2', 'agent 3']);
  });

  it('names the fields that its reply must have, and gives back what they say', async () => {
    answer = async () => ({ ...(await answered()), fields: { order_id: '#W1' } });
    const { complete } = openCalls();
    const { fields } = await complete(request({ replyFields: 'get_order_details', format: 'json' }));
    expect(fields).toEqual({ order_id: '#W1' });
    await complete(request());
    expect(made.map(({ input }) => input.replyFields)).toEqual(['get_order_details', undefined]);
  });

  it('ends the episode in a run without its model', async () => {
    const { complete } = openCalls({ config: { ...config, agentModel: null } });
    await expect(complete(request())).rejects.toMatchObject({ name: 'EpisodeError', type: FailureType.BadRequest });
  });
});

describe('a model call that failed', () => {
  it.each([
    [FailureType.ContextOverflow, 'context_overflow'],
    [FailureType.ContentFilter, 'content_filter'],
  ])('with %s is the model’s doing, which a strategy may answer', async (type, kind) => {
    answer = failing(type, 'too long');
    const error = await caught(openCalls().complete(request()));
    expect(error).toBeInstanceOf(AgentError);
    expect(toOutcome(error, undefined)).toEqual({ kind: 'agent_error', error: kind, message: 'too long' });
  });

  it('for any other reason stays what it is', async () => {
    const refused = new PlayedFailure(FailureType.NotAuthorised, '401');
    answer = () => Promise.reject(refused);
    await expect(openCalls().complete(request())).rejects.toBe(refused);
    expect(toOutcome(refused, refused.failure)).toMatchObject({
      ...{ kind: 'infrastructure_error', error: FailureType.NotAuthorised },
    });
    const bug = new TypeError('a bug');
    expect([asAgentError(bug, undefined), toOutcome(bug, undefined)]).toEqual([bug, undefined]);
  });

  it('because the conversation was too long is followed by a shorter one, of which only what is new is sent', async () => {
    const store = new TranscriptStore();
    const seen: unknown[] = [];
    let isFull = true;
    answer = ({ transcript }) => {
      seen.push(store.resolve('e', transcript));
      return isFull ? failing(FailureType.ContextOverflow)() : answered();
    };
    const { complete } = openCalls();
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
    const { complete } = openCalls();
    answer = failing(FailureType.ContextOverflow);
    await complete(prompt('query', 'cycle 0', 'cycle 1')).catch(() => undefined);
    const missed = failing(FailureType.TranscriptMissing, '', { attempts: 2, apiFailures: 1 });
    answer = ({ transcript }) => (transcript.keep > 0 ? missed() : answered());
    await complete(prompt('query', 'cycle 1'));
    expect(made.at(-1)?.input).toMatchObject({
      call: 'agent 2',
      earlier: { attempts: 2, apiFailures: 1 },
      transcript: { keep: 0, items: [{ role: 'user', content: ['query'] }, { more: 'cycle 1' }] },
    });
  });

  it('after paid replies enters these once, also where it fails', async () => {
    const usage = { promptTokens: 7, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    const failedReplies = { ...usage, replies: 1, costUsd: 0.25, knownCostUsd: 0.25 };
    answer = failing(FailureType.ContentFilter, 'withheld', { failedReplies });
    const { complete, context } = openCalls();
    await caught(complete(request()));
    expect(context.ledger.roles()).toMatchObject([{ role: 'agent', calls: 0, promptTokens: 7, costUsd: 0.25 }]);
  });
});

describe('a held model call', () => {
  const AWAY = { outageTimeoutMs: 60_000 };

  /** A sweep that answers each held call. @param release undefined: there is no sweep any more */
  function holderWith(release?: { readonly again: boolean; readonly isAgentsFault?: true }) {
    const held: HeldCall[] = [];
    const reports: string[] = [];
    let shown = '';
    const input = { ...openCalls().context.input, config: { ...config, ...AWAY } };
    const waiting = {
      ...{ now: () => 0, show: (markdown: string) => void (shown = markdown) },
      until: (isMet: () => boolean) => (isMet() ? Promise.resolve() : Promise.reject(new Error('it waits for ever'))),
    };
    const holder: CallHolder = new CallHolder(input, waiting, {
      reportHeld: (call) => {
        held.push(call);
        if (release !== undefined) holder.release({ call: call.call, ...release });
        return Promise.resolve(release !== undefined);
      },
      reportAnswered: ({ call }) => {
        reports.push(call);
        return Promise.resolve(true);
      },
    });
    return { ...openCalls({ config: input.config }, holder), held, reports, shown: () => shown };
  }

  it('is made again when the sweep releases it, once at a time, and its answer is reported', async () => {
    let failures = 2;
    const away = failing(FailureType.ModelUnavailable, '503', { apiFailures: 4, status: 503 });
    answer = () => (failures-- > 0 ? away() : answered());
    const { complete, held, reports, shown } = holderWith({ again: true });
    await complete(request());
    expect(held).toMatchObject([
      { call: 'agent 1', provider: 'openai', failure: FailureType.ModelUnavailable, status: 503 },
      { earlier: { attempts: 4, apiFailures: 4 } },
    ]);
    expect(made.map(({ input }) => [input.maxRetries, input.earlier?.apiFailures])).toEqual([
      [3, undefined],
      [0, 4],
      [0, 4],
    ]);
    expect(reports).toEqual(['agent 1']);
    expect(shown()).toContain('**waits for openai** to make agent 1 again: ModelUnavailable: 503');
    expect(shown()).toContain('`npx tauflow cancel r task-0.trial-0` ends the episode');
  });

  it.each([
    ['that the sweep gives up', { again: false }, { failure: { type: FailureType.ModelUnavailable } }],
    ['of a sweep that has ended', undefined, { failure: { type: FailureType.ModelUnavailable } }],
    ["that is the agent's fault", { again: false, isAgentsFault: true as const }, { kind: 'agent_failed' }],
  ])('%s fails', async (_, release, error) => {
    answer = failing(FailureType.ModelUnavailable, '503');
    await expect(holderWith(release).complete(request())).rejects.toMatchObject(error);
  });

  it('reports an answer also where the provider refuses only that request', async () => {
    let failures = 0;
    answer = () => failing(failures++ === 0 ? FailureType.ModelUnavailable : FailureType.ContextOverflow)();
    const { complete, held, reports } = holderWith({ again: true });
    await expect(complete(request())).rejects.toBeInstanceOf(AgentError);
    expect([held.length, reports]).toEqual([1, ['agent 1']]);
  });
});
