/** A run whose log folder only one of two workers sees, as the person who starts it meets that. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { PROGRAM } from '../helpers/program.ts';
import { environment, scratchFolder } from './in-process.ts';
import { endAll, run, start, type Place } from './processes.ts';
import { serverOfTests } from './steered.ts';

const cwd = scratchFolder();
const results = join(cwd, 'results');
/** Messages of workers are payloads, too. */
const TAUFLOW_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const place: Place = { cwd, env: environment({ ...serverOfTests(), TAUFLOW_ENCRYPTION_KEY }) };
const queue = ['--task-queue', 'two-disks'];

/** A program for which the results' folder is an empty file system of its own, as on another machine. */
const APART = ['unshare', '--map-root-user', '--mount', 'sh', '-c', 'mount -t tmpfs tmpfs "$0" && exec "$@"', results];

/** Starts a worker on another file system; where this machine lets nobody mount one, a worker of another folder. */
function startWorkerElsewhere(): { readonly worker: ReturnType<typeof start>; readonly reason: string } {
  const [mount = '', ...args] = [...APART, 'true'];
  const worker = (folder: string, program?: readonly string[]) =>
    start(['worker', ...queue, '--log-dir', folder], place, program);
  if (spawnSync(mount, args).status === 0) {
    return { worker: worker(results, [...APART, ...PROGRAM]), reason: 'has no such folder of a run' };
  }
  const other = join(cwd, 'elsewhere');
  return { worker: worker(other), reason: `writes only in ${other} (--log-dir)` };
}

afterAll(endAll);

describe('a run whose log folder its worker does not see', { timeout: 240_000 }, () => {
  it('says so in one sentence with the command to type, and goes on when that worker is there; so does a fork of it', async () => {
    mkdirSync(results);
    const { worker, reason } = startWorkerElsewhere();
    await worker.says(/^worker on /m);
    const words = ['run', '--no-worker', ...queue, '--run-id', 'apart', '--task-ids', '1', '--model', 'oracle'];
    const attached = start(words, place);
    const sentence =
      `apart is waiting for a worker that sees ${results}/apart: the worker on ${hostname()} ${reason}; ` +
      `start one on a machine with this folder: \`npx tauflow worker --task-queue two-disks --log-dir ${results}\``;
    await attached.says(/^warning: /m);
    const status = await run(['status', 'apart'], place);
    expect(status.stdout.split('\n')).toContain(`warning   ${sentence}`);

    const right = start(['worker', ...queue, '--log-dir', results], place);
    const { code, stderr } = await attached.ended;
    expect(code, stderr).toBe(0);
    expect(stderr.split('\n').filter((line) => line.startsWith('warning: '))).toEqual([`warning: ${sentence}`]);
    expect(readdirSync(join(results, 'apart', 'episodes'))).toEqual(['task-1.trial-0.json']);
    right.signal('SIGTERM');
    expect((await right.ended).code).toBe(0);

    const fork = start(['fork', 'apart', 'task-1.trial-0', '--at-step', '1', '--no-worker', ...queue], place);
    await fork.says(
      /^warning: apart\/task-1\/trial-0\/fork-1 is waiting for a worker that sees .*: `npx tauflow worker/m,
    );
    fork.signal('SIGINT');
    expect((await fork.ended).stderr).toContain('any worker continues it');
    worker.signal('SIGTERM');
    expect((await worker.ended).code).toBe(0);
  });
});
