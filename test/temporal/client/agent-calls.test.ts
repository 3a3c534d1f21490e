import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { expect, it, vi } from 'vitest';
import { askEpisode } from '../../../src/temporal/client/agent-calls.ts';

const PLACE = { workflowId: 'run-1/task-3/trial-0', runId: 'd00d' };

function clientOf(query: () => Promise<unknown>): Client {
  return { workflow: { getHandle: () => ({ query }) } } as unknown as Client;
}

it('an episode that is gone is asked once', async () => {
  const gone = new WorkflowNotFoundError('gone', PLACE.workflowId, PLACE.runId);
  const query = vi.fn(() => Promise.reject(gone));
  await expect(askEpisode(clientOf(query), PLACE, 'callResult', 'step 1')).rejects.toBe(gone);
  expect(query).toHaveBeenCalledTimes(1);
});

it('an episode whose worker has just ended is asked again', async () => {
  const query = vi.fn(() => Promise.resolve<unknown>('recorded')).mockRejectedValueOnce(new Error('no worker'));
  expect(await askEpisode(clientOf(query), PLACE, 'callResult', 'step 1')).toBe('recorded');
  expect(query).toHaveBeenCalledTimes(2);
});
