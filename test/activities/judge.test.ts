import { ApplicationFailure, type Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterEach, describe, expect, it } from 'vitest';

import { createJudgeActivity, createVerdictActivities } from '../../activities/testing.ts';
import { createModelCaller, createPricer } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { createFailureReader, readVerdicts, verdictPlace, type UseFailures } from '../../src/results/judge/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import type { JudgeInput, RecordVerdictInput } from '../../src/evaluation/index.ts';
import {
  answerError,
  answerJson,
  answerText,
  completion,
  KEY,
  openaiEnv,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from '../models/helpers.ts';
import { record, scratchLog } from '../results/fixtures.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const readFailures = createFailureReader({
  findPack: () => Promise.resolve(undefined),
  warn: (sentence) => expect.fail(sentence),
});

const useFailures: UseFailures = async (source, _, work) => {
  const judged = source.kind === 'run' ? { ...source, log: new RunLog(source.run) } : source;
  return work(await readFailures(judged), verdictPlace(judged));
};

/** A run log with one failed episode, and a provider that gives these answers. */
async function stage(...answers: readonly Answer[]) {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  const log = scratchLog();
  await log.writeEpisode(record(3, 0, { reward: 0, grade: null }));
  const env = openaiEnv(provider);
  const judge = createJudgeActivity(
    {
      callModel: createModelCaller((name) => resolveProvider(name, env)),
      priceCall: createPricer(() => undefined),
      random: () => 0,
    },
    useFailures,
  );
  const source = { kind: 'run', run: { runId: log.runId, logDir: log.logDir } } as const;
  const settings = {
    model: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    maxRetries: 1,
    callTimeoutMs: 60_000,
  };
  const episode = { taskId: 3, trial: 0, index: null, isInfrastructure: false };
  const input: JudgeInput = { source, judge: settings, episode, question: 'author', attempt: 1 };
  return { provider, log, judge, input };
}

const INFO: Partial<Info> = { heartbeatTimeoutMs: 20_000, startToCloseTimeoutMs: 40_000, activityId: '5' };

function attempt<T, Input>(activity: (input: Input) => Promise<T>, input: Input, info: Partial<Info> = {}): Promise<T> {
  return new MockActivityEnvironment({ ...INFO, ...info }, { logger: new DefaultLogger('ERROR', () => undefined) }).run(
    activity,
    input,
  );
}

async function failureOf(promise: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await promise.then(
    () => expect.fail('it does not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApplicationFailure)) throw error;
  expect(`${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(KEY);
  return error;
}

const ANSWER =
  '```json\n{"classification": "B", "description": "It paid.", "quotes": ["That is 10.", "never said"]}\n```';

describe('the judge', () => {
  it('asks for JSON, reads it leniently, and prices the call', async () => {
    const { provider, judge, input } = await stage(answerJson(completion({ content: ANSWER })));
    expect(await attempt(judge, input)).toMatchObject({
      answer: { choice: 'agent', description: 'It paid.', quotes: ['That is 10.'], unfoundQuotes: 1 },
      calls: 1,
      costUsd: expect.any(Number) as number,
    });
    const [request] = provider.requests;
    expect(request?.body).toMatchObject({ model: 'gpt-4o', temperature: 0, response_format: { type: 'json_object' } });
    expect(JSON.stringify(request?.body)).not.toContain(KEY);
  });

  it('says that an answer cannot be read, which has been paid for all the same, and what it was', async () => {
    const { judge, input } = await stage(
      answerJson(completion({ content: 'The agent, I think.' })),
      answerJson(completion({ content: '{"author": "ag' }, {}, 'length')),
    );
    expect(await attempt(judge, input)).toMatchObject({
      answer: null,
      unread: '"The agent, I think."',
      calls: 1,
      costUsd: expect.any(Number) as number,
    });
    expect((await attempt(judge, input)).unread).toBe(
      String.raw`"{\"author\": \"ag" (cut by the token limit; raise it with --max-completion-tokens)`,
    );
  });

  it('fails as every model call does: for good when its retries are used up, or none can help', async () => {
    const { judge, input } = await stage(
      answerText('busy', 503),
      answerText('busy', 503),
      answerError(401, { message: 'Incorrect API key' }),
    );
    expect(await failureOf(attempt(judge, input))).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    const info = { attempt: 2, heartbeatDetails: { apiFailures: 1 } };
    expect(await failureOf(attempt(judge, input, info))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: true,
    });
    expect(await failureOf(attempt(judge, input))).toMatchObject({ type: 'NotAuthorised', nonRetryable: true });
  });

  it('asks nothing about an episode that has not failed any more', async () => {
    const { provider, judge, input, log } = await stage();
    await log.writeEpisode(record(3, 0, { workflowRunId: 'other' }));
    expect(await failureOf(attempt(judge, input))).toMatchObject({ type: 'EpisodeGone', nonRetryable: true });
    expect(provider.requests).toEqual([]);
  });
});

describe('recordVerdict', () => {
  it('writes the same when it is done again, and nothing when the episode is gone', async () => {
    const { input, log } = await stage();
    const { recordVerdict } = createVerdictActivities(useFailures);
    const answer = { choice: 'agent', description: 'It paid.', quotes: [], unfoundQuotes: 0 } as const;
    const spent = { calls: 2, promptTokens: 10, completionTokens: 2, costUsd: 0.5 };
    const { source, judge, episode } = input;
    const verdict: RecordVerdictInput = {
      source,
      judge,
      episode,
      author: answer,
      fault: { ...answer, choice: 'other' },
      problem: null,
      spent,
    };
    await attempt(recordVerdict, verdict);
    const first = await readVerdicts(log, (sentence) => expect.fail(sentence));
    expect(first).toMatchObject([{ author: 'agent', faultType: 'other', costUsd: 0.5 }]);
    await attempt(recordVerdict, verdict);
    expect(await readVerdicts(log, (sentence) => expect.fail(sentence))).toEqual(first);
    await log.archiveEpisode({ taskId: 3, trial: 0 });
    expect(await failureOf(attempt(recordVerdict, verdict))).toMatchObject({ type: 'EpisodeGone' });
  });
});

describe('findFailures', () => {
  it('goes through all pages, and no further than it is asked to', async () => {
    const { input, log } = await stage();
    for (const taskId of [5, 6, 7]) await log.writeEpisode(record(taskId, 0, { reward: 0, grade: null }));
    await log.writeEpisode(record(4, 0));
    const { findFailures } = createVerdictActivities(useFailures);
    const { source, judge } = input;
    const find = async (from: number, most: number | null, page: number) => {
      const { episodes, next } = await attempt(findFailures, { source, judge, from, most, page });
      return [episodes.map(({ taskId }) => taskId), next];
    };
    expect(await find(0, null, 2)).toEqual([[3, 5], 3]);
    expect(await find(3, null, 2)).toEqual([[6, 7], null]);
    expect(await find(0, 3, 10)).toEqual([[3, 5, 6], null]);
    expect(await find(0, 0, 10)).toEqual([[], null]);
  });
});
