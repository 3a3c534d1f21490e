import type { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { connect, type TemporalConnection } from '../../src/temporal/client/connection.ts';
import { ensureSearchAttributes } from '../../src/temporal/client/visibility.ts';
import { TauReward, TauSweep, TauTask, searchAttributeKeys } from '../../workflows/visibility.ts';
import { testHome } from '../helpers/temporal-environment.ts';

let temporal: TemporalConnection;

beforeAll(async () => {
  const { address, namespace } = inject('temporal');
  temporal = await connect({
    workDir: '.',
    home: testHome(),
    env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
  });
});

afterAll(() => temporal.close());

/** A namespace that knows none of the attributes. */
async function freshNamespace(name: string): Promise<string> {
  const namespace = `${name}-${Date.now()}`;
  const { connection } = temporal;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const isKnown = () => connection.workflowService.countWorkflowExecutions({ namespace }).then(Boolean, () => false);
  await expect.poll(isKnown, { timeout: 30_000 }).toBe(true);
  return namespace;
}

test('a namespace without the attributes gets all of them, and a second call adds nothing', async () => {
  const namespace = await freshNamespace('fresh');
  const first = await ensureSearchAttributes(temporal.connection, namespace);
  expect(first).toEqual({ kind: 'ready', added: searchAttributeKeys.map(({ name }) => name) });
  expect(await ensureSearchAttributes(temporal.connection, namespace)).toEqual({ kind: 'ready', added: [] });
});

test('two commands that register at once both succeed', async () => {
  const namespace = await freshNamespace('twice');
  const reports = await Promise.all([1, 2].map(() => ensureSearchAttributes(temporal.connection, namespace)));
  expect(reports.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
});

test('workflows can be started with the attributes and found by them at once after registration', async () => {
  const sweep = `sweep-${Date.now()}`;
  const handle = await temporal.client.workflow.start('episode', {
    taskQueue: 'nobody',
    workflowId: `${sweep}/task-7/trial-0`,
    typedSearchAttributes: [
      { key: TauSweep, value: sweep },
      { key: TauTask, value: 7 },
      { key: TauReward, value: 0.5 },
    ],
  });
  const count = async () => (await temporal.client.workflow.count(`TauSweep = '${sweep}' AND TauTask = 7`)).count;
  await expect.poll(count).toBe(1);
  expect((await handle.describe()).typedSearchAttributes.get(TauReward)).toBe(0.5);
  await handle.terminate();
});

test('an attribute that exists with another type is reported, not replaced', async () => {
  const namespace = await freshNamespace('conflict');
  await temporal.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { TauTask: 2 } });
  const report = await ensureSearchAttributes(temporal.connection, namespace);
  expect(report).toMatchObject({ kind: 'unavailable', missing: ['TauTask'] });
});

test('a namespace whose slots are taken is reported, with what to do', async () => {
  const namespace = await freshNamespace('shared');
  await temporal.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { TheirCost: 4 } });
  expect(await ensureSearchAttributes(temporal.connection, namespace)).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringMatching(
      /^search attributes cannot be registered in namespace shared-\d+ \(.*more than 3 .* Double.*\); give Tauflow a namespace of its own \(TEMPORAL_NAMESPACE\)/,
    ) as unknown,
  });
});

test('a server that refuses the registration is reported, and nothing is thrown', async () => {
  // Nothing but this call fails, as on Temporal Cloud.
  const refusing = Object.create(temporal.connection, {
    operatorService: {
      value: {
        listSearchAttributes: () => Promise.resolve({ customAttributes: {} }),
        addSearchAttributes: () =>
          Promise.reject(Object.assign(new Error('7 PERMISSION_DENIED: no'), { code: 7, details: 'no', metadata: {} })),
      },
    },
  }) as Connection;
  const report = await ensureSearchAttributes(refusing, temporal.namespace);
  expect(report).toMatchObject({ kind: 'unavailable' });
  expect(report.kind === 'unavailable' && report.reason).toMatch(/cannot be registered .*PERMISSION_DENIED/);
});
