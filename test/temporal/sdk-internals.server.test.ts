/**
 * Parts of the SDK and of Node that `src/temporal/sdk-internals` relies on: an upgrade that changes one fails here.
 * docs/internals/sdk-internals.md says what to do then.
 */

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import threads from 'node:worker_threads';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure, DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';

import {
  decodeArrayFromPayloads,
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
  msToTs,
  tsToMs,
  withRepairedThread,
} from '../../src/temporal/sdk-internals/index.ts';
import { ThreadedVMWorkflowCreator, historyFromJSON, historyToJSON } from '../../src/temporal/sdk-internals/testing.ts';
import * as tracing from '../../src/temporal/sdk-internals/workflow-tracing.ts';
import type { ends, loops } from './looping-workflows.ts';
const needsRepair = Number.parseInt(process.versions.node, 10) < 24;
const OriginalWorker = threads.Worker;

afterEach(() => {
  vi.unstubAllEnvs();
  expect(threads.Worker).toBe(OriginalWorker);
});

/** The SDK's own maker of the thread of workflow code, as `Worker.create` calls it. */
async function startSdkThread(): Promise<typeof threads.Worker> {
  const during = threads.Worker;
  const creator = await ThreadedVMWorkflowCreator.create({
    workflowBundle: {
      code: '',
      sourceMap: { version: 3, sources: [], names: [], mappings: '' } as never,
      filename: 'bundle.js',
    },
    threadPoolSize: 1,
    isolateExecutionTimeoutMs: 5_000,
    reuseV8Context: false,
    registeredActivityNames: new Set(),
    logger: new DefaultLogger('ERROR'),
  });
  await creator.destroy();
  return during;
}

describe('the thread of workflow code', () => {
  it.runIf(needsRepair)('starts with the repair, which is in force', async () => {
    const warnings: string[] = [];
    const during = await withRepairedThread(startSdkThread, (message) => warnings.push(message));
    expect(during).not.toBe(OriginalWorker);
    expect(warnings).toEqual([]);
  });

  it.runIf(needsRepair)('is repaired for several Workers at once', async () => {
    const warnings: string[] = [];
    const start = () => withRepairedThread(startSdkThread, (message) => warnings.push(message));
    await Promise.all([start(), start(), start()]);
    expect(warnings).toEqual([]);
  });

  it.runIf(needsRepair)('is reported where the SDK starts none under the known name', async () => {
    const warnings: string[] = [];
    await withRepairedThread(
      () => Promise.resolve(),
      (message) => warnings.push(message),
    );
    expect(warnings).toEqual([expect.stringContaining('the repair of Node')]);
  });

  it.runIf(needsRepair)('is unrepaired when its Worker fails, and the next one is repaired', async () => {
    const warn = vi.fn();
    await expect(withRepairedThread(() => Promise.reject(new Error('no server')), warn)).rejects.toThrow('no server');
    await withRepairedThread(startSdkThread, warn);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is the SDK’s own with TAUFLOW_PLAIN_SDK=1', async () => {
    vi.stubEnv('TAUFLOW_PLAIN_SDK', '1');
    const warn = vi.fn();
    expect(await withRepairedThread(startSdkThread, warn)).toBe(OriginalWorker);
    expect(warn).not.toHaveBeenCalled();
  });

  it.skipIf(needsRepair)('is the SDK’s own on this version of Node', async () => {
    expect(await withRepairedThread(startSdkThread, vi.fn())).toBe(OriginalWorker);
  });
});

const { address, namespace } = inject('temporal');
const children: ChildProcess[] = [];
let connection: Connection;
let client: Client;

beforeAll(async () => {
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
});
afterAll(() => connection.close());
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a worker process, and a workflow in it whose code loops. */
async function startLooping(env: Record<string, string> = {}) {
  const taskQueue = `looping-${randomUUID()}`;
  const setting = { LOOPING_WORKER: JSON.stringify({ address, namespace, taskQueue }) };
  const args = ['--import', 'tsx', 'test/temporal/looping-worker.ts'];
  const worker = spawn(process.execPath, args, { env: { ...process.env, ...setting, ...env } });
  children.push(worker);
  let stderr = '';
  worker.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<string>((resolve) => worker.once('exit', () => resolve(stderr)));
  const handle = await client.workflow.start<typeof loops>('loops', { taskQueue, workflowId: taskQueue });
  onTestFinished(() => void handle.terminate().catch(() => undefined));
  const hasFailed = async () => {
    const { events } = await handle.fetchHistory();
    return (
      events?.some(({ workflowTaskFailedEventAttributes: failed }) => failed !== undefined && failed !== null) === true
    );
  };
  return { worker, ended, taskQueue, hasFailed };
}

describe('workflow code that does not end', () => {
  it('fails its workflow task, and the worker process works on', { timeout: 120_000 }, async () => {
    const { worker, taskQueue, hasFailed } = await startLooping();
    await expect.poll(hasFailed, { timeout: 60_000, interval: 500 }).toBe(true);
    // Through the thread's event loop, where Node would abort.
    const workflowId = `${taskQueue}-ends`;
    expect(await client.workflow.execute<typeof ends>('ends', { taskQueue, workflowId })).toBe('done');
    expect(worker.exitCode).toBeNull();
  });

  it.runIf(needsRepair)('aborts the process of the SDK as it is published', { timeout: 120_000 }, async () => {
    // When this fails, the repair can go.
    const { ended } = await startLooping({ TAUFLOW_PLAIN_SDK: '1' });
    expect(await ended).toContain('async hook stack has become corrupted');
  });
});

describe('what the server answers', () => {
  const failureConverter = new DefaultFailureConverter();
  const converter = { payloadConverter: defaultPayloadConverter, failureConverter, payloadCodecs: [] };

  it('is decoded: payloads and failures', async () => {
    const payloads = ['first', { second: 2 }].map((value) => defaultPayloadConverter.toPayload(value));
    expect(await decodeArrayFromPayloads(converter, payloads)).toEqual(['first', { second: 2 }]);
    expect(await decodeFromPayloadsAtIndex(converter, 1, payloads)).toEqual({ second: 2 });
    const failure = failureConverter.errorToFailure(
      ApplicationFailure.create({ message: 'no' }),
      defaultPayloadConverter,
    );
    expect(await decodeOptionalFailureToOptionalError(converter, failure)).toMatchObject({ message: 'no' });
  });

  it('is converted: moments and histories', () => {
    expect(tsToMs(msToTs('30 days'))).toBe(30 * 24 * 3_600_000);
    const event = {
      eventId: '1',
      eventType: 'EVENT_TYPE_WORKFLOW_TASK_STARTED',
      workflowTaskStartedEventAttributes: {},
    };
    expect(JSON.parse(historyToJSON(historyFromJSON({ events: [event] })))).toEqual({ events: [event] });
  });
});

it('the SDK has the parts of which traces of workflows are made', () => {
  for (const name of ['OpenTelemetryInternalsInterceptor', 'OpenTelemetryOutboundInterceptor'] as const) {
    expect(tracing[name]).toBeInstanceOf(Function);
  }
  const carrier = tracing.headersWithContext({});
  expect(tracing.extractContextFromHeaders(carrier)).toBeDefined();
  expect(tracing.SpanName.ACTIVITY_START + tracing.SPAN_DELIMITER).toBe('StartActivity:');
});

it('has a core that downloads the Temporal CLI, and takes what it is given for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-download-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const args = ['--import', 'tsx', 'src/temporal/sdk-internals/download-child.ts', folder, 'v0.0.0'];
  // There is no such version, or no network: any other complaint is about the arguments.
  const download = promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  await expect(download).rejects.toMatchObject({
    stderr: expect.stringMatching(/temporal[.]download|HTTP|http/) as string,
  });
});
