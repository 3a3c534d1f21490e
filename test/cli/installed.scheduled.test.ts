/** The package as its users have it: packed, installed into an empty folder, run, killed and resumed there. */

import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { environment, namesIn, scratchFolder, type Place } from './in-process.ts';
import { endAll, runApart, start } from './processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RUN = ['run', '--agent-strategy', 'fastworkflow', '--run-id', 'mine', '--task-queue', 'installed'];

let cwd: string;
let place: Place;
let program: readonly string[];

/** Leaves out the variables that npm sets for a process in one package, which are not for another. */
function withoutNpm(env: Place['env']): Place['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_(?:package|lifecycle|command)/.test(name)));
}

beforeAll(async () => {
  cwd = scratchFolder();
  place = { cwd, env: withoutNpm(environment({ TEMPORAL_ADDRESS: inject('temporal').address })) };
  // The build is there: `prepare` would make another one.
  const packed = await runApart(
    ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd],
    { ...place, cwd: root },
    ['npm'],
  );
  const [made] = JSON.parse(packed.stdout) as [{ filename: string }];
  const installed = await runApart(['install', '--no-audit', '--no-fund', join(cwd, made.filename)], place, ['npm']);
  expect(installed.code, installed.stderr).toBe(0);
  program = [process.execPath, realpathSync(join(cwd, 'node_modules/.bin/tauflow'))];
}, 300_000);

afterAll(endAll);

describe('the package', () => {
  it('plays a sweep in an empty folder, and goes on where it was killed', { timeout: 180_000 }, async () => {
    const killed = start([...RUN, '--task-ids', '0', '1', '2', '--num-trials', '2'], place, program);
    const episodes = join(cwd, 'results/mine/episodes');
    await expect.poll(() => existsSync(episodes) && namesIn(episodes).length > 0).toBe(true);
    killed.signal('SIGKILL');
    await expect(killed.ended).rejects.toThrow(/SIGKILL/);

    const resumed = await runApart(['run', '--run-id', 'mine', '--task-queue', 'installed'], place, program);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain('3 tasks × 2 trials: 6 episodes');
    expect(namesIn(episodes)).toHaveLength(6);
    const report = await runApart(['report', 'mine', '--format', 'html'], place, program);
    expect(report).toMatchObject({ code: 0, stderr: 'wrote results/mine.html\n' });
  });

  it('bundles its workflows anew for an agent from a file and for encryption', { timeout: 180_000 }, async () => {
    copyFileSync(join(root, 'test/fixtures/new-agent/my-agent.ts'), join(cwd, 'my-agent.ts'));
    const key = Buffer.alloc(32, 1).toString('base64');
    const encrypted = { ...place, env: { ...place.env, TAUFLOW_ENCRYPTION_KEY: `k:${key}` } };
    const words =
      'run --agent-strategy ./my-agent.ts --task-ids 0 --num-trials 1 --run-id own --task-queue own --model oracle';
    const { code, stdout, stderr } = await runApart(words.split(' '), encrypted, program);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/errors +0/);
  });
});
