/** Leaving a run and coming back: detached sweeps, Ctrl-C, workers of their own, several people at one run, closed output. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { PROGRAM } from '../helpers/program.ts';
import { environment, namesIn, run, scratchFolder, tauflow, type Place } from './in-process.ts';
import { endAll, start } from './processes.ts';

const QUEUE = ['--task-queue', 'leaving'];
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
  const url = new URL('/hold', model.url);
  await fetch(url, { method: 'POST', body: JSON.stringify({ after }) });
}

describe('a detached sweep', () => {
  const RUN = ['run', '--run-id', 'detached', ...QUEUE];

  it('waits for workers, can be looked at and left, and ends where workers run', { timeout: 180_000 }, async () => {
    const detached = await run([...RUN, '--task-ids', '1', '--model', 'oracle', '--detach', '--json'], place);
    expect(detached.code, detached.stderr).toBe(0);
    expect(JSON.parse(detached.stdout)).toMatchObject({
      run_id: 'detached',
      status: 'detached',
      resume: 'npx tauflow resume detached --task-queue leaving',
    });
    expect(detached.stderr).toContain('npx tauflow worker --task-queue leaving');

    const other = await tauflow([...RUN, '--no-worker', '--log-dir', 'elsewhere', '--task-ids', '2'], {
      cwd,
      env: { TEMPORAL_ADDRESS: inject('temporal').address },
    });
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(
      /^error: the Temporal server at \S+ knows the run detached with its log in \S+\/results, not in \S+\/elsewhere; /,
    );
    expect(namesIn(cwd)).toEqual(['results']);

    const watcher = start([...RUN, '--no-worker'], place);
    await watcher.says(/attached to the run in progress[^]*resume with/);
    watcher.signal('SIGINT');
    const left = await watcher.ended;
    expect(left).toMatchObject({ code: 130, stdout: '' });
    expect(left.stderr).toMatch(/resume with: npx tauflow resume detached --task-queue leaving\n$/);

    const worker = start(['worker', ...QUEUE], place);
    const back = await run([...RUN, '--no-worker'], place);
    expect(back.code, back.stderr).toBe(0);
    expect(back.stdout).toMatch(/1 of 1 episodes? succeeded/);
    worker.signal('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('Ctrl-C', () => {
  it(
    'lets what is under way finish; a second one leaves at once, and the run goes on later',
    { timeout: 180_000 },
    async () => {
      const words = ['run', '--run-id', 'twice', '--task-ids', '1', '--model', 'oracle', ...QUEUE];
      const { completions } = model.stats();
      await hold(completions + 1);
      const first = start(words, place);
      await first.says(/^0\/1 ended, 1 running/m);
      first.signal('SIGINT');
      await first.says(/interrupt again to leave at once/);
      first.signal('SIGINT');
      expect((await first.ended).code).toBe(130);
      await hold(null);
      const second = await run(['run', '--run-id', 'twice', ...QUEUE], place);
      expect(second.code, second.stderr).toBe(0);
      expect(second.stderr).toContain('attached to the run in progress');
      expect(second.stdout).toMatch(/1 of 1 episodes? succeeded/);
    },
  );
});

/** Two processes at one run: both see the same, either may steer, and one that leaves does not disturb the other. */
describe('two processes at one run', () => {
  const QUEUE = ['--task-queue', 'two-people'];

  it('see the same, steer, and leave without disturbing each other', { timeout: 180_000 }, async () => {
    await hold(model.stats().completions);
    const run = ['run', '--run-id', 'shared', '--model', 'oracle', '--task-ids', '1', '2', '3', ...QUEUE];
    const host = start(run, place);
    await host.says(/run started/);
    const guest = start(['run', '--run-id', 'shared', '--no-worker', ...QUEUE], place);
    const watcher = start(['status', 'shared', '--watch', '--json'], place);
    const everybody = [host, guest, watcher];
    for (const person of everybody) await person.says(/^0\/3 ended, 1 running/m);

    const type = (...words: string[]) => tauflow(words, { cwd, env: { TEMPORAL_ADDRESS: inject('temporal').address } });
    expect((await type('pause', 'shared')).stdout).toMatch(/^shared is paused/);
    for (const person of everybody)
      await person.says(/^paused: open episodes continue to their end, no others are opened$/m);
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
    expect(left.stderr).toMatch(/^follow it again with: npx tauflow resume shared/m);
    expect((await type('resume', 'shared')).stdout).toMatch(/^shared continues; 0 of 3 episodes have ended, /);
    for (const person of [host, watcher]) await person.says(/^resumed: further episodes are opened$/m);
    await hold(null);
    const done = await host.ended;
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/3 of 3 episodes succeeded/);
    const watched = await watcher.ended;
    expect(watched.code, watched.stderr).toBe(0);
    // Its last look may find that the worker has gone with its host: what is recorded tells the end.
    expect(JSON.parse(watched.stdout)).toMatchObject({
      run_id: 'shared',
      status: 'completed',
      recorded: 3,
      failed: [],
    });
  });
});

/** Commands whose output nobody reads to its end, as real processes with real pipes. */
describe('closed output', () => {
  const RUN = ['run', '--run-id', 'unread', '--task-queue', 'unread'];

  let model: ScriptedModel;
  let place: Place;

  beforeAll(async () => {
    model = await startScriptedModel({ packs: [await resolvePack('retail')], latencyMs: 300 });
    const { address } = inject('temporal');
    place = { cwd: scratchFolder(), env: environment({ TAUFLOW_SCRIPTED_URL: model.url, TEMPORAL_ADDRESS: address }) };
  });

  afterAll(() => model.close());

  /** Closes both outputs as soon as one of them has printed the text. */
  async function readTo(text: string, words: readonly string[]): Promise<number | null> {
    const [executable = '', ...args] = PROGRAM;
    const child = spawn(executable, [...args, ...words], {
      ...place,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        printed += more;
        if (!printed.includes(text)) return;
        child.stdout.destroy();
        child.stderr.destroy();
      });
    }
    const [code] = await ended;
    expect(printed).toContain(text);
    return code;
  }

  describe('a run whose output is closed', () => {
    it('ends as interrupted, and is resumed to its end', { timeout: 180_000 }, async () => {
      expect(await readTo('run started', [...RUN, '--end-index', '6', '--model', 'oracle'])).toBe(130);
      const ended = await run([...RUN, '--json'], place);
      expect(ended.code, ended.stderr).toBe(0);
      expect((JSON.parse(ended.stdout) as { tasks: unknown[] }).tasks).toHaveLength(6);
    });

    it(
      'never says that it has ended well, also when it was closed at the first line',
      { timeout: 180_000 },
      async () => {
        const words = [
          'run',
          '--run-id',
          'unread-2',
          '--task-queue',
          'unread',
          '--end-index',
          '6',
          '--model',
          'oracle',
        ];
        expect(await readTo('unread-2', words)).toBe(130);
      },
    );
  });

  describe('a command that only prints', () => {
    it.each([[['list']], [['list', '--json']], [['run', '--help']]])('%s ends well', async (words) => {
      expect(await readTo('', words)).toBe(0);
    });
  });
});
