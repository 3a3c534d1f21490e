/**
 * An agent from a file that loops on one task. `stuck-episodes.server.test.ts` has such episodes ended by the sweep itself,
 * and `poisoned-agent.scheduled.test.ts` a command that waits for that.
 */

import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';

import { readTaskTrouble } from '../../src/temporal/client/testing.ts';
import { findServer } from '../../src/temporal/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { BECAUSE, RUN, expectEnd, place } from './poisoned-agent.ts';
import { run, start } from './processes.ts';

it('ends a run, its other episodes played, when the one that loops is cancelled', { timeout: 120_000 }, async () => {
  const started = start(RUN, place);
  await started.says(/sweep started/);
  const server = await findServer(place.cwd);
  const connection = await Connection.connect({ address: server?.address ?? '' });
  await eventually(async () => {
    expect(await readTaskTrouble(new Client({ connection }), 'poisoned/task-1/trial-0')).not.toBeNull();
  });
  await connection.close();
  const { code, stderr } = await run(['cancel', 'poisoned', 'task-1.trial-0'], place);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(BECAUSE);
  expectEnd(await started.ended);
});
