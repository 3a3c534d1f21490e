/** Recorded histories replay with today's workflows, traced and untraced. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReplayError, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { tracingModule, writeBundle } from '../../src/temporal/worker/testing.ts';
import {
  listHistories,
  listNewestHistories,
  readHistory,
  type HistoryEventJson,
  type RecordedHistory,
} from './histories.ts';
import { ensureRuntime } from './rig-on-server.ts';

ensureRuntime();

async function replay({ history, workflowId }: RecordedHistory): Promise<void> {
  const workflowBundle = { codePath: inject('workflowBundle') };
  await Worker.runReplayHistory({ workflowBundle, replayName: workflowId }, history, workflowId);
}

const names = await listHistories();
const newest = await listNewestHistories();

describe('the workflows replay what earlier versions of them did', () => {
  it('in every way that a run can go', () => {
    const shapes = new Set(names.map((name) => name.replace(/^v\d+\//, '')));
    for (const shape of [
      'episode-tool-calling',
      'episode-fastworkflow',
      'episode-fastworkflow-question',
      'episode-retried-call',
      'episode-agent-error',
      'episode-max-steps',
      'episode-cancelled',
      'episode-transcript-missing',
      'sweep-plain',
      'sweep-resumed',
      'sweep-continued-as-new-first',
      'sweep-lanes',
      'sweep-lanes-short',
      'sweep-cancelled',
      'episode-fork',
      'episode-human',
      'episode-outside',
      'episode-service',
      'episode-service-restarted',
      'episode-tau3',
      'sweep-retried',
      'sweep-extended',
      'sweep-limits',
      'sweep-lanes-steered',
      'sweep-outage',
      'sweep-refused-resumed',
      'sweep-refused-cancelled',
      'scheduled-run',
      'errors',
      'errors-unread',
      'errors-halted',
      'errors-continued-as-new-first',
      'errors-cancelled',
    ]) {
      expect(shapes).toContain(shape);
    }
  });

  it.each(names)('%s', async (name) => {
    await replay(await readHistory(name));
  });
});

describe('a history that is not theirs', () => {
  const isStep = (event: HistoryEventJson) => event.activityTaskScheduledEventAttributes?.activityType.name === 'step';

  it('does not replay', async () => {
    const { workflowId, history } = await readHistory('v1/episode-tool-calling');
    const events = history.events.map((event) =>
      isStep(event)
        ? {
            ...event,
            activityTaskScheduledEventAttributes: {
              ...event.activityTaskScheduledEventAttributes,
              activityType: { name: 'grade' },
            },
          }
        : event,
    );
    expect(history.events.some(isStep)).toBe(true);
    const replayed = replay({ workflowId, history: { events } });
    await expect(replayed).rejects.toSatisfy(
      (error) => error instanceof DeterminismViolationError || error instanceof ReplayError,
    );
  });
});

/** Traces are turned on and off by the worker, in the middle of a run too: what was done without them must replay with. */
describe('traces that are turned on in the middle of a run', () => {
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

  // Interceptors see no version: all of them are replayed above, and here one of each shape will do.
  it.each(newest)('%s replays with traces on', async (name) => {
    const { history, workflowId } = await readHistory(name);
    await Worker.runReplayHistory({ workflowBundle: { codePath }, sinks, replayName: workflowId }, history, workflowId);
  });
});
