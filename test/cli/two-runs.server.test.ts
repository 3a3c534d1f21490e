/** Runs that share a folder, a server or the name of a task queue, but not all of them. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunLog } from '../../src/run-log/index.ts';
import { PROGRAM } from '../helpers/program.ts';
import { environment, run, scratchFolder, serverOfTests, type Place } from './in-process.ts';
import { endAll, runApart, start } from './processes.ts';

const cwd = scratchFolder();
const place: Place = { cwd, env: environment(serverOfTests()) };
const QUEUE = ['--task-queue', 'two-runs'];

afterAll(endAll);

describe('two scripted runs of different domains in one folder', { timeout: 900_000 }, () => {
  it('both end, and so does a judge beside a run', async () => {
    const flags = ['--task-ids', '0', '1', '--max-concurrency', '2', '--scripted-latency', '100ms', ...QUEUE];
    const play = (env: string, runId: string) =>
      runApart(['run', '--env', env, '--model', 'oracle:0.5', '--run-id', runId, ...flags], place);
    const [retail, airline] = await Promise.all([play('retail', 'shop'), play('airline', 'air')]);
    expect(retail.code, retail.stderr).toBe(0);
    expect(airline.code, airline.stderr).toBe(0);
    const [judge, other] = await Promise.all([run(['errors', 'shop', ...QUEUE], place), play('airline', 'air-2')]);
    expect(judge.code, judge.stderr).toBe(0);
    expect(other.code, other.stderr).toBe(0);
  });

  it('a worker with other packs, or roots, says what a run waits for', async () => {
    // The server names workers for minutes after they have gone.
    const queue = ['--task-queue', 'two-packs'];
    const roots = join(cwd, 'elsewhere');
    mkdirSync(roots);
    const worker = start(['worker', '--env', 'airline', '--log-dir', roots, ...queue], place);
    await worker.says(/run logs in .*elsewhere only/);
    await worker.says(/calls {4}.*scripted at airline-[0-9a-f]{6}/);
    const words = ['run', '--env', 'retail', '--task-ids', '0', '--num-trials', '1', '--run-id', 'later', ...queue];
    const waiting = await run([...words, '--detach'], place);
    expect(waiting.code, waiting.stderr).toBe(0);
    await worker.says(/work on .*later is left to other workers: this worker writes only in .*elsewhere \(--log-dir\)/);
    const status = await run(['status', 'later'], place);
    expect(status.stdout).toMatch(/no worker makes calls of scripted \(endpoint retail-[0-9a-f]{6}\)/);
    worker.signal('SIGTERM');
    await worker.ended;
    const done = await run(['run', '--run-id', 'later', ...queue], place);
    expect(done.code, done.stderr).toBe(0);
  });
});

describe('one run id in two shells at the same moment', { timeout: 300_000 }, () => {
  const words = ['run', '--model', 'oracle', '--task-ids', '0', '--scripted-latency', '500ms'];

  async function expectOneOfTwo(runId: string, first: Place, second: Place, refusal: RegExp): Promise<void> {
    const play = (maxSteps: string, where: Place) =>
      runApart([...words, '--run-id', runId, '--max-steps', maxSteps, '--task-queue', `${runId}-${maxSteps}`], where);
    const ends = await Promise.all([play('29', first), play('28', second)]);
    const [won, lost] = [...ends].sort((a, b) => a.code - b.code);
    expect([won?.code, lost?.code], `${won?.stderr}\n${lost?.stderr}`).toEqual([0, 2]);
    expect(lost?.stderr).toMatch(refusal);
    const winner = won === ends[0] ? first : second;
    const log = new RunLog({ runId, logDir: join(winner.cwd, 'results') });
    const manifest = await log.readRun();
    expect(manifest?.status).toBe('completed');
    expect(manifest?.config.maxSteps).toBe(won === ends[0] ? 29 : 28);
    const { episodes } = await log.listEpisodes();
    expect(episodes).toHaveLength(1);
  }

  it('with different flags: one runs, the other is refused and changes nothing', async () => {
    const folder = { ...place, cwd: scratchFolder() };
    await expectOneOfTwo(
      'same',
      folder,
      folder,
      /same (exists|is under way on this server) with another configuration \(max_steps: /,
    );
  });

  it('in two folders on one server: one runs, the other leaves no log', async () => {
    const places = [1, 2].map(() => ({ cwd: scratchFolder(), env: place.env }));
    const [first, second] = places;
    if (first === undefined || second === undefined) throw new Error('two folders');
    await expectOneOfTwo('same-2', first, second, /same-2 is under way on this server with/);
    expect(places.map(({ cwd: folder }) => existsSync(join(folder, 'results', 'same-2'))).sort()).toEqual([
      false,
      true,
    ]);
  });
});

/** A run whose log folder only one of two workers sees, as the person who starts it meets that. */
describe('disks', () => {
  const cwd = scratchFolder();
  const results = join(cwd, 'results');
  /** Messages of workers are payloads, too. */
  const TAUFLOW_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
  const place: Place = { cwd, env: environment({ ...serverOfTests(), TAUFLOW_ENCRYPTION_KEY }) };
  const queue = ['--task-queue', 'two-disks'];

  /** A program for which the results' folder is an empty file system of its own, as on another machine. */
  const APART = [
    'unshare',
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs tmpfs "$0" && exec "$@"',
    results,
  ];

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
});
