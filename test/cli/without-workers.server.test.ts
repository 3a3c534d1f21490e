/** Runs whose workers are absent, elsewhere, or those of other runs. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it, afterAll } from 'vitest';
import { recordedRun } from './recorded-run.ts';
import { scratchFolder, serverOfTests, tauflow, type Ended, environment, run, type Place } from './in-process.ts';
import { steered } from './steered.ts';
import { tasks } from '../workflows/sweep-rig.ts';
import { eventually } from '../helpers/eventually.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { PROGRAM } from '../helpers/program.ts';
import { endAll, runApart, start } from './processes.ts';

/** Starts a sweep that nobody works on. */
async function waiting(runId: string, cwd: string): Promise<Ended> {
  const words = ['run', '--run-id', runId, '--task-ids', '1', '2', '--model', 'oracle', '--task-queue', runId];
  const ended = await tauflow([...words, '--max-cost', '3', '--detach'], { cwd, env: serverOfTests() });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

describe('a run that no worker works on', () => {
  it('reports what it waits for, keeps what is asked of it, and is cancelled later', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    const runId = `idle-${randomUUID().slice(0, 8)}`;
    await waiting(runId, cwd);
    const type = (...words: string[]) => tauflow(words, { cwd, env: serverOfTests() });

    const status = await type('status', runId);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    const start = `npx tauflow worker --task-queue ${runId}`;
    expect(status.stdout).toMatch(/^status +running \(no worker answers\)$/m);
    expect(status.stdout).toMatch(/^recorded +0 of 2 episodes$/m);
    expect(status.stdout).toMatch(/^cost +\$0\.00 so far, of a budget of \$3\.00$/m);
    expect(status.stdout).toMatch(/^workers +none on idle-\w+$/m);
    expect(status.stdout).toMatch(/^workers +none on idle-\w+-llm-scripted-retail-[0-9a-f]{6} \(calls of scripted\)$/m);
    expect(status.stdout).toContain(`no worker listens on ${runId}; one is started with \`${start}\``);

    const paused = await type('pause', runId);
    expect(paused).toMatchObject({ code: 3, stdout: '' });
    expect(paused.stderr).toBe(
      `error: no worker answers for the run ${runId}; the request waits on the server and is carried out when one ` +
        `comes, unless the server is restarted before. One is started with \`${start}\`.`,
    );

    const cancelled = await type('cancel', runId);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    expect(cancelled.stdout).toBe(
      `${runId} is still running (0 episodes open) because no worker answers. The cancel request was accepted; nothing more has to be done here`,
    );
    expect((await type('status', runId)).stdout).toMatch(/^status +running \(to be cancelled, no worker answers\)$/m);
  });

  it('is listed with those of everybody, by strategy, model and status', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    const runId = `listed-${randomUUID().slice(0, 8)}`;
    await waiting(runId, cwd);
    const elsewhere = scratchFolder();
    const list = async (folder: string, ...words: string[]) => {
      const { stdout, code, stderr } = await tauflow(['list', '--json', '--limit', '500', ...words], {
        cwd: folder,
        env: serverOfTests(),
      });
      expect(code, stderr).toBe(0);
      return (JSON.parse(stdout) as Record<string, unknown>[]).find(({ run_id }) => run_id === runId);
    };
    const known = { status: 'running', strategy: 'tool-calling', model: 'oracle', env: 'retail', average_reward: null };
    // The visibility store is written a moment later.
    await eventually(async () => {
      expect(await list(elsewhere)).toMatchObject({ ...known, logged: false, episodes: null, planned: null });
    });
    expect(await list(cwd)).toMatchObject({ ...known, logged: true, episodes: 0, planned: 2 });
    expect(
      await list(elsewhere, '--strategy', 'tool-calling', '--model', 'oracle', '--status', 'running'),
    ).toBeDefined();
    expect(await list(elsewhere, '--strategy', "it's")).toBeUndefined();
    expect(await list(cwd, '--model', 'gpt-4o')).toBeUndefined();
    expect(await list(cwd, '--status', 'completed')).toBeUndefined();
    const table = await tauflow(['list', '--limit', '500'], { cwd: elsewhere, env: serverOfTests() });
    expect(table.stdout).toMatch(new RegExp(`│ ${runId} \\* +│ running +│`));
    expect(table.stdout).toContain('* known to the server only; its log is not in results');
    const env = serverOfTests();
    expect((await tauflow(['status', runId], { cwd: elsewhere, env })).stdout).toMatch(/^episodes +2 pending$/m);
    // The only worker that it needs to end.
    await tauflow(['cancel', runId], { cwd, env });
  });
});

describe('a run whose log is in another folder', () => {
  it('is reported by the server, and steered; its figures are listed when it has ended', async () => {
    const { runId, gate, start, cwd } = await steered();
    const handle = await start({ plan: tasks(3), maxConcurrency: 1 });
    await gate.openedCount(1);
    gate.release('task-0.trial-0');
    await gate.openedCount(2);
    const elsewhere = scratchFolder();
    const type = (...words: string[]) => tauflow(words, { cwd: elsewhere, env: serverOfTests() });
    expect((await type('set', runId, '--max-concurrency', '1')).code).toBe(0);
    await eventually(async () => {
      expect(JSON.parse((await type('status', runId, '--json')).stdout)).toMatchObject({
        status: 'running',
        recorded: null,
        planned: 3,
        pending: 1,
        open: ['task-1.trial-0'],
        executions: { completed: 1, running: 1 },
        metrics: null,
      });
    });
    gate.openWide();
    await handle.result();
    const other = await type('resume', runId, '--log-dir', 'results');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toBe(
      `error: the log of the run ${runId} (completed) is not in ${elsewhere}/results; ` +
        `it is in ${cwd}/results: give that as --log-dir to resume it.`,
    );
    const resumed = await type('resume', runId);
    expect(resumed.stderr).toContain(`the run ${runId} is complete; this is its report`);
    expect(resumed.code).toBe(0);
    const started = await type('run', '--run-id', runId, '--task-ids', '1');
    expect(started).toMatchObject({ code: 2, stdout: '' });
    expect(started.stderr).toMatch(
      new RegExp(`^error: the Temporal server at \\S+ knows the run ${runId} with its log in ${cwd}/results, not in `),
    );
    expect(started.stderr).toContain(`resume it with \`npx tauflow resume ${runId} --log-dir ${cwd}/results\``);
    const unknown = await type('resume', 'no-such-run');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toMatch(
      /^error: there is no run no-such-run in .*, and the Temporal server at \S+ has none/,
    );
    expect(existsSync(join(elsewhere, 'results'))).toBe(false);
    await eventually(async () => {
      const runs = JSON.parse((await type('list', '--json', '--limit', '500')).stdout) as Record<string, unknown>[];
      expect(runs.find(({ run_id }) => run_id === runId)).toMatchObject({ status: 'completed', average_reward: 0 });
    });
  });
});

describe('a run whose server is not there', () => {
  it('waits, and says how to resume it', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, { taskIds: '1 2' });
    // Nothing is configured, and the folder has no server.
    const env = { TEMPORAL_ADDRESS: '' };
    for (const command of [['pause'], ['cancel'], ['set', '--max-concurrency', '2']]) {
      const ended = await tauflow([command[0] ?? '', 'mine', ...command.slice(1)], { cwd, env });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toMatch(
        /^error: the run mine is stopped because no Temporal server runs for .*with its server/,
      );
    }
    const configured = await tauflow(['pause', 'mine'], { cwd });
    expect(configured).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: no Temporal server at 127/m) as '',
    });
    const status = await tauflow(['status', 'mine'], { cwd, env });
    expect(status.stdout).toMatch(
      /^run +mine\nstatus +interrupted\nrecorded +0 of 2 episodes\nepisodes +2 pending\nstopped +(.*)$/,
    );
    const stopped = 'the server does not know it any more, or does not answer; continue with: npx tauflow resume mine';
    expect(status.stdout).toContain(stopped);
    const list = await tauflow(['list'], { cwd, env });
    expect(list.stdout).toMatch(/mine\W+interrupted/);
    expect(list.stdout).toContain(`mine: ${stopped}`);
  });

  it('is only reported when it has ended', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, { taskIds: '1 2' }, 'completed');
    for (const env of [{ TEMPORAL_ADDRESS: '' }, {}] as Record<string, string>[]) {
      const ended = await tauflow(['pause', 'mine'], { cwd, env });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toBe(
        'error: the run mine is not under way (completed); `npx tauflow resume mine` resumes it.',
      );
    }
  });
});

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
