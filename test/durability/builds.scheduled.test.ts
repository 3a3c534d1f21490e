/** Two builds of the code in one worker deployment: a sweep stays on the one that it has started on. */

import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { clientOf, startWorker, sweepFlags } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 600_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

const QUEUE = 'builds';

/** Processes that have worked on a workflow: on its own tasks and on its activities. */
async function workersOf(client: Client, workflowId: string): Promise<number[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const identities = (events ?? []).flatMap(
    ({ workflowTaskStartedEventAttributes: task, activityTaskStartedEventAttributes: activity }) =>
      task?.identity ?? activity?.identity ?? [],
  );
  return [...new Set(identities.map((identity) => Number.parseInt(identity, 10)))];
}

describe('a worker deployment', () => {
  it('keeps a sweep on the build that it has started on, with its episodes and their model calls', async () => {
    const model = await ScriptedProcess.start('builds', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const startBuild = async (id: string) => {
      const build = await startWorker(
        QUEUE,
        ['--deployment', 'evaluation', '--build-id', id, '--make-current'],
        surroundings,
      );
      await build.says(new RegExp(`new runs start on build ${id}`));
      return build;
    };
    const sweep = (runId: string) =>
      Tauflow.start(
        sweepFlags(runId, QUEUE, ['--model', 'oracle', '--end-index', '2', '--max-concurrency', '2']),
        surroundings,
      );

    await model.holdAfter(4);
    const first = await startBuild('one');
    const old = sweep('old');
    await model.until(old, ({ held }) => held === 2);
    const second = await startBuild('two');
    await model.holdAfter(null);
    const young = sweep('young');
    expect(await old.ended, old.printed).toMatchObject({ code: 0 });
    expect(await young.ended, young.printed).toMatchObject({ code: 0 });

    const client = await clientOf(place);
    for (const [runId, build] of [
      ['old', first],
      ['young', second],
    ] as const) {
      const workflows = [runId, ...[0, 1].map((task) => `${runId}/task-${task}/trial-0`)];
      for (const workflowId of workflows) expect(await workersOf(client, workflowId), workflowId).toEqual([build.pid]);
    }
    await client.connection.close();

    // A run with a worker of its own, which is of no build, says who will do the work.
    const own = sweepFlags('own', QUEUE, ['--model', 'oracle', '--end-index', '1']).filter(
      (flag) => flag !== '--no-worker',
    );
    const unversioned = Tauflow.start(own, surroundings);
    await unversioned.says(/warning: new runs on the task queue builds start on build two of evaluation/);
    expect(await unversioned.ended, unversioned.printed).toMatchObject({ code: 0 });
    await model.end();
  });
});
