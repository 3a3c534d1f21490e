import { describe, expect, it } from 'vitest';
import { applyRateLimits } from '../../src/host/index.ts';
import type { TemporalConnection } from '../../src/temporal/client/index.ts';
import { taskQueues } from '../../src/evaluation/index.ts';

/** Holds limits as a server does. */
function fakeServer() {
  const held = new Map<string, number | undefined>();
  const workflowService = {
    describeTaskQueue: ({ taskQueue: { name } }: { taskQueue: { name: string } }) => {
      const requestsPerSecond = held.get(name);
      const queueRateLimit = requestsPerSecond === undefined ? {} : { rateLimit: { requestsPerSecond } };
      return Promise.resolve({ config: { queueRateLimit } });
    },
    updateTaskQueueConfig: (request: {
      taskQueue: string;
      updateQueueRateLimit: { rateLimit?: { requestsPerSecond: number } };
    }) => {
      held.set(request.taskQueue, request.updateQueueRateLimit.rateLimit?.requestsPerSecond);
      return Promise.resolve({});
    },
  };
  const server = { connection: { workflowService }, namespace: 'default' } as unknown as TemporalConnection;
  return { server, held };
}

const base = taskQueues('tauflow');
const run = taskQueues('tauflow', { endpoints: { openai: 'api.openai.com' } });

describe('A rate limit', () => {
  it("holds on the queue of a run's endpoint that this process does not serve", async () => {
    const { server, held } = fakeServer();
    const lines: string[] = [];
    const limited = { queues: [base, run], providers: [], endpoints: {} };
    await applyRateLimits(server, limited, { openai: 5 }, (line) => lines.push(line));
    expect(Object.fromEntries(held)).toEqual({
      'tauflow-llm-openai': 5,
      'tauflow-llm-openai-api.openai.com': 5,
    });
    await applyRateLimits(server, { ...limited, queues: [base] }, { openai: 6 }, (line) => lines.push(line));
    expect(lines).toEqual([
      'limit    openai: 5 calls a second over all workers',
      'limit    openai: 6 calls a second over all workers, was 5',
    ]);
  });

  it('of the task queue holds for a new endpoint, and one that is there stays', async () => {
    const { server, held } = fakeServer();
    held.set('tauflow-llm-openai', 5);
    const limited = { queues: [base, run], providers: ['openai'], endpoints: {} };
    const lines: string[] = [];
    await applyRateLimits(server, limited, {}, (line) => lines.push(line));
    expect(held.get('tauflow-llm-openai-api.openai.com')).toBe(5);
    expect(lines).toEqual([]);
    held.set('tauflow-llm-openai-api.openai.com', 7);
    await applyRateLimits(server, limited, {}, () => undefined);
    expect(held.get('tauflow-llm-openai-api.openai.com')).toBe(7);
  });
});
