/** What `src/temporal/sdk-internals` relies on in the SDK and in Node: an upgrade that changes it fails here. */

import threads from 'node:worker_threads';
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import { DefaultLogger } from '@temporalio/worker';
import { afterEach, describe, expect, it, vi } from 'vitest';

import * as converters from '../../src/temporal/sdk-internals/converters.ts';
import * as logger from '../../src/temporal/sdk-internals/logger.ts';
import * as tracing from '../../src/temporal/sdk-internals/tracing.ts';
import * as workflowTracing from '../../src/temporal/sdk-internals/workflow-tracing.ts';
import { withRepairedThread } from '../../src/temporal/sdk-internals/workflow-thread.ts';

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

describe('what is imported from inside the SDK', () => {
  it.each(Object.entries({ ...converters, ...logger, ...tracing, ...workflowTracing }))('has %s', (_, member) => {
    expect(member).toBeDefined();
  });

  it('reads timestamps in milliseconds, and writes them', () => {
    expect(converters.tsToMs(converters.msToTs(1_234_567))).toBe(1_234_567);
  });
});
