/** A client’s sight of sweeps and episodes: how far they are, what they answer, and why nothing answers. */

import { hostname } from 'node:os';
import { ServiceError, WorkflowNotFoundError, defaultPayloadConverter, type Client } from '@temporalio/client';
import { DefaultFailureConverter } from '@temporalio/common';
import { describe, expect, it, vi } from 'vitest';
import {
  askEpisode,
  describePace,
  findPaces,
  limitHint,
  fetchProgress,
  silenceReason,
} from '../../src/temporal/client/index.ts';
import { msToTs } from '../../src/temporal/sdk-internals/index.ts';
import { NO_TOTALS, type SweepProgress } from '../../src/evaluation/index.ts';

const progress = (changes: Partial<SweepProgress>): SweepProgress => ({
  ...NO_TOTALS,
  total: 1_000,
  numTrials: 1,
  again: false,
  running: 0,
  lanes: [],
  maxConcurrency: 10,
  paused: false,
  status: 'running',
  open: [],
  recent: [],
  ...changes,
});

/** A client that knows what each workflow answers to its query. */
function clientOf(answers: Readonly<Record<string, SweepProgress | Error>>): Client {
  const query = (workflowId: string) => {
    const answer = answers[workflowId];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { workflow: { getHandle: (id: string) => ({ query: () => query(id) }) } } as unknown as Client;
}

function failed(code: number): ServiceError {
  const cause = Object.assign(new Error('no'), { code, details: 'no', metadata: {} });
  return new ServiceError('no', { cause });
}

describe('the progress of a sweep with lanes', () => {
  const sweep = progress({ ended: 5, lanes: ['lane-0', 'lane-1'] });
  const lane = progress({ ended: 40, running: 6 });

  it('is the sum of what it and its lanes have done', async () => {
    const client = clientOf({ sweep, 'lane-0': lane, 'lane-1': lane });
    expect(await fetchProgress(client, 'sweep')).toMatchObject({ ended: 85, running: 12, total: 1_000 });
  });

  it.each([
    ['the server has not started', new WorkflowNotFoundError('no', 'lane-1', undefined)],
    ['no worker has begun', failed(9)],
  ])('is reported without a lane that %s', async (_, error) => {
    const client = clientOf({ sweep, 'lane-0': lane, 'lane-1': error });
    expect(await fetchProgress(client, 'sweep')).toMatchObject({ ended: 45, running: 6 });
  });

  it('is not reported while a lane is silent, which has figures of its own', async () => {
    const late = failed(4);
    await expect(fetchProgress(clientOf({ sweep, 'lane-0': lane, 'lane-1': late }), 'sweep')).rejects.toBe(late);
    const client = clientOf({ sweep, 'lane-0': lane, 'lane-1': lane });
    expect(await fetchProgress(client, 'sweep')).toMatchObject({ ended: 85 });
  });
});

const ADDRESS = '127.0.0.1:7233';

/** A client whose server says who polls, or does not answer. */
function clientWith(workers: readonly string[] | null, buildId = ''): Client {
  const deploymentOptions = { deploymentName: buildId === '' ? '' : 'evaluation', buildId };
  const lastAccessTime = msToTs(Date.now());
  const pollers = (workers ?? []).map((identity) => ({ identity, lastAccessTime, deploymentOptions }));
  const describeTaskQueue = () =>
    workers === null
      ? Promise.reject(Object.assign(new Error('late'), { code: 4, details: 'late', metadata: {} }))
      : Promise.resolve({ pollers });
  return {
    options: { namespace: 'default' },
    workflowService: { describeTaskQueue },
    withDeadline: (_deadline: number, work: () => unknown) => work(),
  } as unknown as Client;
}

describe('why nothing answers', () => {
  const reason = (workers: readonly string[] | null, server: Parameters<typeof silenceReason>[0]['server'] = null) =>
    silenceReason({ client: clientWith(workers), server, address: ADDRESS }, 'tauflow');

  it('is that no worker listens only where the server says so', async () => {
    expect(await reason([])).toBe('no worker listens on tauflow; one is started with `npx tauflow worker`');
    const three = ['1@elsewhere', '2@elsewhere', `${process.pid}@${hostname()}`];
    expect(await reason(three)).toBe(
      '3 workers listen on tauflow and did not answer in time; they or the server are busy',
    );
  });

  it('may be that the workers are of another build than the run', async () => {
    const client = clientWith(['1@elsewhere'], '2026-11-22');
    expect(await silenceReason({ client, server: null, address: ADDRESS }, 'tauflow')).toBe(
      '1 worker listens on tauflow and did not answer in time; they or the server are busy, or the run waits for workers of another build than 2026-11-22',
    );
  });

  it('is the server where that does not answer', async () => {
    expect(await reason(null)).toMatch(/^the Temporal server at 127\.0\.0\.1:7233 has not answered for 5 s; the run/);
  });
});

describe('the pace of calls to a provider that answers 429', () => {
  const pace = {
    provider: 'openai',
    callsAtOnce: 2,
    callsPerSecond: 1,
    acceptedPerSecond: 0.9,
    rateLimited: 30,
    waiting: 4,
  };
  const call = (worker: string, details: unknown) => ({
    lastWorkerIdentity: worker,
    heartbeatDetails: { payloads: [defaultPayloadConverter.toPayload(details)] },
  });

  it('is added up over the workers that make the calls', async () => {
    const activities: Record<string, unknown[]> = {
      a: [call('1@a', { attempt: 1, pace: { ...pace, rateLimited: 29 } })],
      b: [call('1@a', { attempt: 1, pace }), call('2@b', { attempt: 2, pace })],
      c: [call('3@c', { attempt: 1, apiFailures: 0 }), { lastWorkerIdentity: '3@c' }],
    };
    const client = {
      options: {
        loadedDataConverter: {
          payloadConverter: defaultPayloadConverter,
          failureConverter: new DefaultFailureConverter(),
          payloadCodecs: [],
        },
      },
      workflow: {
        getHandle: (id: string) => ({
          describe: () => Promise.resolve({ raw: { pendingActivities: activities[id] } }),
        }),
      },
    } as unknown as Client;
    const [found, ...others] = await findPaces(client, ['a', 'b', 'c']);
    expect(others).toEqual([]);
    expect(found).toEqual({
      provider: 'openai',
      callsAtOnce: 4,
      callsPerSecond: 2,
      acceptedPerSecond: 1.8,
      rateLimited: 60,
      waiting: 8,
      workers: 2,
    });
    if (found === undefined) return;
    expect(describePace(found)).toBe(
      'openai answers 429 (60 so far): 4 calls at once, 2 a second, over 2 workers, 8 waiting',
    );
    expect(limitHint(found)).toBe('to set a limit for all workers: --max-llm-calls-per-second openai=1.8');
  });
});

const PLACE = { workflowId: 'run-1/task-3/trial-0', runId: 'd00d' };

function clientAsking(query: () => Promise<unknown>): Client {
  return { workflow: { getHandle: () => ({ query }) } } as unknown as Client;
}

it('an episode that is gone is asked once', async () => {
  const gone = new WorkflowNotFoundError('gone', PLACE.workflowId, PLACE.runId);
  const query = vi.fn(() => Promise.reject(gone));
  await expect(askEpisode(clientAsking(query), PLACE, 'callResult', 'step 1')).rejects.toBe(gone);
  expect(query).toHaveBeenCalledTimes(1);
});

it('an episode whose worker has just ended is asked again', async () => {
  const query = vi.fn(() => Promise.resolve<unknown>('recorded')).mockRejectedValueOnce(new Error('no worker'));
  expect(await askEpisode(clientAsking(query), PLACE, 'callResult', 'step 1')).toBe('recorded');
  expect(query).toHaveBeenCalledTimes(2);
});
