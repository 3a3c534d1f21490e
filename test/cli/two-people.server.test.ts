/** Two processes at one run: both see the same, either may steer, and one that leaves does not disturb the other. */

import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { environment, scratchFolder, tauflow } from './in-process.ts';
import { endAll, start, type Place } from './processes.ts';

const QUEUE = ['--task-queue', 'two-people'];
const cwd = scratchFolder();

let model: ScriptedModel;
let place: Place;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  const { address } = inject('temporal');
  place = { cwd, env: environment({ TAUFLOW_SCRIPTED_URL: model.url, TEMPORAL_ADDRESS: address }) };
});

afterAll(async () => {
  await endAll();
  await model.close();
});

/** Completions after this many are withheld; null lets all go. */
async function hold(after: number | null): Promise<void> {
  await fetch(new URL('/hold', model.url), { method: 'POST', body: JSON.stringify({ after }) });
}

it('see the same, steer, and leave without disturbing each other', { timeout: 180_000 }, async () => {
  await hold(model.stats().completions);
  const run = ['run', '--run-id', 'shared', '--model', 'oracle', '--task-ids', '1', '2', '3', ...QUEUE];
  const host = start(run, place);
  await host.says(/sweep started/);
  const guest = start(['run', '--run-id', 'shared', '--no-worker', ...QUEUE], place);
  const watcher = start(['status', 'shared', '--watch', '--json'], place);
  const everybody = [host, guest, watcher];
  for (const person of everybody) await person.says(/^0\/3 ended, 1 running/m);

  const type = (...words: string[]) => tauflow(words, { cwd, env: { TEMPORAL_ADDRESS: inject('temporal').address } });
  expect((await type('pause', 'shared')).stdout).toMatch(/^shared is paused/);
  for (const person of everybody) await person.says(/^paused: open episodes continue to their end$/m);
  expect((await type('set', 'shared', '--max-concurrency', '2', '--max-cost', '12')).code).toBe(0);
  for (const person of everybody) {
    await person.says(/^at most 2 at once now, instead of 1$/m);
    await person.says(/^a budget of \$12\.00 now, instead of no budget$/m);
    // A line is written every five seconds.
    await person.says(/^0\/3 ended, 1 running, 0 solved, .*\$0\.00 of \$12\.00, paused$/m);
  }

  guest.signal('SIGINT');
  const left = await guest.ended;
  expect(left.code).toBe(130);
  expect(left.stderr).toMatch(/^the run goes on at \d+@\S+: `npx tauflow cancel shared` ends it/m);
  expect(left.stderr).toMatch(/^follow it again with: npx tauflow run --run-id shared/m);
  expect((await type('resume', 'shared')).stdout).toMatch(/^shared continues; 0 of 3 episodes have ended, /);
  for (const person of [host, watcher]) await person.says(/^resumed: further episodes are opened$/m);
  await hold(null);
  const done = await host.ended;
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toMatch(/3 of 3 episodes succeeded/);
  const watched = await watcher.ended;
  expect(watched.code, watched.stderr).toBe(0);
  // Its last look may find that the worker has gone with its host: what is recorded tells the end.
  expect(JSON.parse(watched.stdout)).toMatchObject({ run_id: 'shared', status: 'completed', recorded: 3, failed: [] });
});
