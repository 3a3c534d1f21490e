import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { clientDataConverter, readKeyRing } from '../../../src/temporal/codec/index.ts';
import { requireKeysOfOpenSweeps, startSweep, listSweeps } from '../../../src/temporal/client/index.ts';
import { taskQueues, type SweepInput } from '../../../src/evaluation/index.ts';
import { textOf } from '../../helpers/texts.ts';
import { eventually } from '../../helpers/eventually.ts';

const keysOf = (value: string) => readKeyRing({ TAUFLOW_ENCRYPTION_KEY: value });
const key = randomBytes(32).toString('base64');
const keys = keysOf(`mine:${key}`);
const others = keysOf(`theirs:${randomBytes(32).toString('base64')}`);
const queue = `encrypted-${randomUUID().slice(0, 8)}`;
const { namespace } = inject('temporal');

let connection: Connection;
const clientWith = (ring: typeof keys) =>
  new Client({ connection, namespace, dataConverter: clientDataConverter(ring) });

beforeAll(async () => {
  connection = await Connection.connect({ address: inject('temporal').address });
  const model = { provider: 'openai', model: 'gpt-4o', temperature: 0 };
  const input: SweepInput = {
    run: { runId: queue, logDir: '/nowhere' },
    config: {
      env: 'retail',
      split: 'test',
      pack: { name: 'unmistakable-pack', digest: 'd'.repeat(64), path: '/nowhere' },
      strategy: 'tool-calling',
      strategyOptions: { omitPolicy: false, useReasoning: true },
      agentModel: model,
      userStrategy: 'llm',
      userModel: model,
      maxSteps: 30,
      seed: 10,
      maxRetries: 3,
      episodeTimeoutMs: 600_000,
    },
    plan: { taskIds: [1], numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    queues: taskQueues(queue),
    indexed: true,
  };
  // No worker listens on this queue: it stays open.
  await startSweep(clientWith(keys), input, '1.2.3');
});

afterAll(async () => {
  await clientWith(keys).workflow.getHandle(queue).terminate();
  await connection.close();
});

describe('lists, which have runs of everybody', () => {
  it.each([
    ['without a key', keysOf('')],
    ['with another', others],
  ])('show a sweep %s: what it is found by is plain', async (_, ring) => {
    await eventually(async () => {
      const runs: string[] = [];
      for await (const { runId } of listSweeps(clientWith(ring))) runs.push(runId);
      expect(runs).toContain(queue);
    });
  });

  it('show it to a client that knows of no encryption', async () => {
    const runs: string[] = [];
    for await (const { runId } of listSweeps(new Client({ connection, namespace }))) runs.push(runId);
    expect(runs).toContain(queue);
  });
});

describe('a sweep that was started with a key', () => {
  it('shows the server no word of what it is', async () => {
    const handle = clientWith(keys).workflow.getHandle(queue);
    const { raw, memo, staticSummary, staticDetails } = await handle.describe();
    const stored = textOf([await handle.fetchHistory(), raw]);
    for (const text of ['unmistakable-pack', '/nowhere']) expect(stored).not.toContain(text);
    expect(memo).toMatchObject({ pack: `unmistakable-pack ${'d'.repeat(64)}`, program: '1.2.3' });
    expect(await staticSummary()).toBe('tool-calling, gpt-4o: 1 tasks × 1');
    expect(await staticDetails()).toContain('unmistakable-pack');
  });

  it('names the key to whoever lacks it', async () => {
    const described = (ring: typeof keys) => clientWith(ring).workflow.getHandle(queue).describe();
    await expect(described([])).rejects.toThrow(
      /encrypted with the key mine and this process has no key; set TAUFLOW_/,
    );
    await expect(described(others)).rejects.toThrow(/key mine and the keys of this process are: theirs;/);
  });

  it('keeps workers from starting that could not read it, on its own queue only', async () => {
    const start = (taskQueue: string, ring: typeof keys) =>
      requireKeysOfOpenSweeps(connection, namespace, taskQueue, ring);
    // The list of workflows follows a little later than their start.
    await eventually(() => expect(start(queue, [])).rejects.toMatchObject({ kind: 'encryption-key' }));
    await expect(start(queue, others)).rejects.toThrow(/encrypted with the key mine/);
    await expect(start(queue, [...others, ...keys])).resolves.toBeUndefined();
    await expect(start(`${queue}-other`, [])).resolves.toBeUndefined();
    await expect(start("it's", [])).resolves.toBeUndefined();
  });
});
