/**
 * The package as it is packed: what is in it, and that it plays from there. `installed.scheduled.test.ts` installs it with
 * its own dependencies, kills it and resumes it.
 */

import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { environment, scratchFolder, type Place } from './in-process.ts';
import { endAll, runApart } from './processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cwd = scratchFolder();
const unpacked = join(cwd, 'package');

let place: Place;
let files: readonly string[];
let program: readonly string[];

beforeAll(async () => {
  place = { cwd, env: environment({ TEMPORAL_ADDRESS: inject('temporal').address }) };
  // The build is there: `prepare` would make another one.
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd];
  const packed = await runApart(words, { ...place, cwd: root }, ['npm']);
  const [made] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  files = made.files.map(({ path }) => path);
  expect(await runApart(['-xf', made.filename], place, ['tar'])).toMatchObject({ code: 0 });
  symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  program = [process.execPath, join(unpacked, 'dist/program/tauflow.js')];
}, 120_000);

afterAll(endAll);

describe('the package', () => {
  it('has one workflow bundle, what README links to, and nothing of the build or the tests', () => {
    expect(files.filter((file) => file.includes('bundle') && file.endsWith('.cjs'))).toEqual([
      'dist/workflows/bundle.cjs',
    ]);
    // The test of `examples/benchmark` is part of what `benchmark init` writes.
    expect(files.filter((file) => /\.tsbuildinfo$|\.map$|^test\/|^src\/|^dist\/.*\.test\./.test(file))).toEqual([]);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const linked = [...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path = '']) => path);
    expect(linked.length).toBeGreaterThan(10);
    expect(linked.filter((path) => !files.includes(path))).toEqual([]);
  });

  it('plays a sweep in an empty folder, and shows its report', { timeout: 120_000 }, async () => {
    const empty = { ...place, cwd: join(cwd, 'empty') };
    mkdirSync(empty.cwd);
    const words = ['run', '--agent-strategy', 'fastworkflow', '--run-id', 'mine', '--task-queue', 'packed'];
    const played = await runApart([...words, '--task-ids', '0', '--num-trials', '2'], empty, program);
    expect(played.code, played.stderr).toBe(0);
    expect(played.stdout).toContain('1 task × 2 trials: 2 episodes');
    const report = await runApart(['report', 'mine', '--format', 'html'], empty, program);
    expect(report).toMatchObject({ code: 0, stderr: 'wrote results/mine.html\n' });
  });

  it('serves an agent that is a function', { timeout: 120_000 }, async () => {
    copyFileSync(join(root, 'test/fixtures/agent-function/agent.ts'), join(unpacked, 'agent.ts'));
    const words = ['run', '--agent-url', './agent.ts', '--run-id', 'function', '--task-queue', 'packed-function'];
    const inside = { ...place, cwd: unpacked };
    const { code, stdout, stderr } = await runApart(
      [...words, '--task-ids', '0', '--num-trials', '1'],
      inside,
      program,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/errors +0/);
  });
});
