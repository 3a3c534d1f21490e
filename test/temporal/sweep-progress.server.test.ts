import { ServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { fetchProgress } from '../../src/temporal/client/sweeps.ts';
import { NO_TOTALS, type SweepProgress } from '../../src/wire/sweep.ts';

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
