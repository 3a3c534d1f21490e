import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '../../src/temporal/sdk-internals/index.ts';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { reclaimFromDeadWorkers } from '../../src/temporal/client/workers.ts';

const { COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK: SCHEDULE } = proto.temporal.api.enums.v1.CommandType;
const { address, namespace } = inject('temporal');
let connection: Connection;
let client: Client;

beforeAll(async () => {
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
});

afterAll(() => connection.close());

/** A poll must say how long it may take. */
function polling<T>(poll: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + 30_000, poll);
}

/** The identity of a worker whose process has ended. */
function deadIdentity(): string {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return `${pid}@${hostname()}`;
}

/** A workflow with one activity under way in a worker of that identity, played by hand. */
async function startActivity(identity: string) {
  const { workflowService } = connection;
  const workflowId = `reclaim-${randomUUID()}`;
  const taskQueue = { name: workflowId };
  await client.workflow.start('anything', { workflowId, taskQueue: workflowId });
  const { taskToken } = await polling(() => workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity }));
  await workflowService.respondWorkflowTaskCompleted({
    taskToken,
    identity,
    commands: [
      {
        commandType: SCHEDULE,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name: 'call' },
          taskQueue,
          startToCloseTimeout: msToTs('10 minutes'),
          retryPolicy: { initialInterval: msToTs(1) },
        },
      },
    ],
  });
  const poll = () => polling(() => workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity }));
  expect((await poll()).attempt).toBe(1);
  return { workflowId, poll };
}

async function pendingAttempt(workflowId: string): Promise<number | null | undefined> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.pendingActivities?.[0]?.attempt;
}

describe('what a dead worker of this machine had under way', () => {
  it('is given up at once, and counted as an attempt', async () => {
    const { workflowId, poll } = await startActivity(deadIdentity());
    expect(await reclaimFromDeadWorkers(client, workflowId)).toBe(1);
    expect((await poll()).attempt).toBe(2);
    await client.workflow.getHandle(workflowId).terminate();
  });

  it.each([
    ['lives', `${process.pid}@${hostname()}`],
    ['is on another machine', '4194303@elsewhere'],
    ['has a name of its own', 'worker-7'],
  ])('stays with a worker that %s', async (_, identity) => {
    const { workflowId } = await startActivity(identity);
    expect(await reclaimFromDeadWorkers(client, workflowId)).toBe(0);
    expect(await pendingAttempt(workflowId)).toBe(1);
    await client.workflow.getHandle(workflowId).terminate();
  });

  it('is nothing in a workflow that has ended', async () => {
    expect(await reclaimFromDeadWorkers(client, `never-started-${randomUUID()}`)).toBe(0);
  });
});
