/** `report FILE` and `regrade FILE` without `--pack`: the pack is the one whose tasks the file is of. */

import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { shippedPackFolder, readPack } from '../../src/benchmarks/testing.ts';
import { scratchFolder, tauflow } from './in-process.ts';

const folder = (await shippedPackFolder('retail')) ?? '';
const pack = await readPack(folder);
const tasks = pack.splits['dev'] ?? [];

/** Results as the fork's adapter writes them: no task, but the ground truth in the grade. */
const logged = (actionsOf: (id: number) => unknown) =>
  tasks.map((task, id) => ({
    task_id: id,
    reward: 1.0,
    info: {
      executed_actions: task.actions.filter(({ name }) => name !== 'respond'),
      reward_info: { reward: 1.0, info: { r_actions: 1.0 }, actions: actionsOf(id) },
    },
    traj: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: task.outputs.join(' ') },
      { role: 'user', content: '###STOP###' },
    ],
    trial: 0,
  }));
const truth = (id: number) => tasks[id]?.actions.filter(({ name }) => name !== 'respond');

function withFile(actionsOf: (id: number) => unknown): { cwd: string; env: Record<string, string>; home: string } {
  const cwd = scratchFolder();
  const home = join(cwd, 'home');
  writeFileSync(join(cwd, 'theirs.json'), dumpJson(logged(actionsOf)));
  return { cwd, env: { TAUFLOW_HOME: home }, home };
}

it('a results file gets the pack and the split that have its ground truths', async () => {
  const { cwd, env } = withFile(truth);
  const regraded = await tauflow(['regrade', 'theirs.json'], { cwd, env });
  expect(regraded.stdout).toContain(`retail dev of the pack ${pack.ref.name};`);
  expect(regraded.code).toBe(0);
  const reported = await tauflow(['report', 'theirs.json', '--json'], { cwd, env });
  expect(JSON.parse(reported.stdout)).toMatchObject({
    subject: { env: 'retail', split: 'dev', pack: expect.stringContaining(pack.ref.name) as string },
  });
});

it('a results file whose tasks no pack has gets no pack', async () => {
  const { cwd, env } = withFile(() => [{ name: 'cancel_pending_order', kwargs: { order_id: '#W0' } }]);
  const { code, stdout, stderr } = await tauflow(['regrade', 'theirs.json'], { cwd, env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('no pack here has the tasks of this file; import');
  const reported = await tauflow(['report', 'theirs.json', '--json'], { cwd, env });
  expect(JSON.parse(reported.stdout)).toMatchObject({ subject: { pack: null } });
});

it('asks which, where several packs have them', async () => {
  const { cwd, env, home } = withFile(truth);
  mkdirSync(join(home, 'packs'), { recursive: true });
  const copy = join(home, 'packs', 'other');
  cpSync(folder, copy, { recursive: true });
  // The same tasks beside another policy: as good a fit, and another pack.
  rmSync(join(copy, 'pack.json'));
  appendFileSync(join(copy, 'wiki.md'), '\nBe kind.\n');
  const { code, stdout, stderr } = await tauflow(['regrade', 'theirs.json'], { cwd, env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/the tasks of this file are in .* \(dev\) and .* \(dev\); name one with --pack/);
  const named = await tauflow(['regrade', 'theirs.json', '--pack', 'other', '--task-split', 'dev'], { cwd, env });
  expect(named.code).toBe(0);
});
