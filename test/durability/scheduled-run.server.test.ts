/** A night whose worker dies when the sweep is done and the comparison is not. */

import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { RunLog } from '../../src/results/log/run-log.ts';
import { listSeenScheduledRuns } from '../../src/temporal/client/schedules.ts';
import type { scheduledRun } from '../../workflows/scheduled-run.ts';
import { clientOf, startWorker } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

it('is compared by the next worker', async () => {
  const model = await ScriptedProcess.start('nightly', place.surroundings());
  const surroundings = place.surroundings(model.url);
  const tauflow = async (...words: string[]) => {
    const command = Tauflow.start(words, surroundings);
    expect(await command.ended, command.printed).toMatchObject({ code: 0 });
    return command.printed;
  };
  const sweep = ['--model', 'oracle', '--end-index', '3', '--max-concurrency', '3', '--task-queue', 'nights'];
  await tauflow('schedule', 'create', 'shop', '--cron', '0 2 29 2 *', ...sweep);
  await model.holdAfter(5);
  const doomed = await startWorker('nights', [], surroundings);
  const [, runId = ''] = /"run_id": "([^"]+)"/.exec(await tauflow('schedule', 'trigger', 'shop', '--json')) ?? [];
  await model.until(doomed, ({ held }) => held > 0);

  // A folder where the comparison is to be written: its attempts fail for as long as it is there.
  const log = new RunLog({ runId, logDir: join(place.folder, 'results') });
  await mkdir(log.paths.comparison);
  await model.holdAfter(null);
  const client = await clientOf(place);
  const [night] = await listSeenScheduledRuns(client, 'shop', 1);
  if (night === undefined) throw new Error('the server does not know the night');
  const handle = client.workflow.getHandle<typeof scheduledRun>(night.workflowId);
  await vi.waitFor(
    async () => {
      const { raw } = await handle.describe();
      const failing = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'compareRuns');
      expect(failing?.attempt ?? 0).toBeGreaterThan(1);
    },
    { timeout: 120_000, interval: 200 },
  );
  expect(await log.readRun()).toMatchObject({ status: 'completed' });
  await doomed.kill();
  const calls = await model.calls();

  await rmdir(log.paths.comparison);
  const next = await startWorker('nights', [], surroundings);
  expect(await handle.result()).toMatchObject({ verdict: 'first', runId, averageReward: 1 });
  expect(await log.readComparison()).toMatchObject({ verdict: 'first', run: { episodes: 3 } });
  // The sweep was not run again for it.
  expect(await model.calls()).toEqual(calls);
  expect(await tauflow('schedule', 'show', 'shop')).toMatch(new RegExp(`${runId} │ +1\\.000`));
  await client.connection.close();
  await next.kill();
  await model.end();
});
