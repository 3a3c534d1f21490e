/** Traces are turned on and off by the worker, in the middle of a run too: what was done without them must replay with. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { tracingModule, writeBundle } from '../../src/temporal/worker/bundle.ts';
import { installRuntime } from '../../src/temporal/worker/worker.ts';
import { listNewestHistories, readHistory } from './histories.ts';

installRuntime('ERROR');

let folder = '';
let codePath = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tauflow-traced-'));
  codePath = join(folder, 'traced.cjs');
  await writeBundle(codePath, { workflowInterceptorModules: [tracingModule] });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the bundle for traces has the interceptors', async () => {
  const code = await readFile(codePath, 'utf8');
  expect(code).toContain('node_modules/@temporalio/interceptors-opentelemetry/');
});

/** Receiver of the spans. */
const sinks = { exporter: { export: { fn: () => undefined } } };

// Interceptors see no version: `replay.server.test.ts` replays all of them, and here one of each shape will do.
it.each(await listNewestHistories())('%s replays with traces on', async (name) => {
  const { history, workflowId } = await readHistory(name);
  await Worker.runReplayHistory({ workflowBundle: { codePath }, sinks, replayName: workflowId }, history, workflowId);
});
