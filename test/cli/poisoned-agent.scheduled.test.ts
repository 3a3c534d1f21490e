/** An agent from a file that loops on one task, which nobody cancels: the end of its run, and of the resumed one. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { BECAUSE, RUN, expectEnd, place } from './poisoned-agent.ts';
import { run, start } from './processes.ts';

const SLOW = { timeout: 400_000 };

it('ends the run with the other episodes played, and the one that loops named with its agent', SLOW, async () => {
  expectEnd(await run(RUN, place));
});

it('ends the resumed run as well, at once when the episode is cancelled', SLOW, async () => {
  const resumed = start(['run', '--run-id', 'poisoned'], place);
  await resumed.says(/sweep started/);
  // Not before it loops.
  await delay(15_000);
  const { code, stderr } = await run(['cancel', 'poisoned', 'task-1.trial-0'], place);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(BECAUSE);
  expectEnd(await resumed.ended);
});
