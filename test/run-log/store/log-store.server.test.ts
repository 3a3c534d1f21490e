/** Files and stores whose writers are killed or refused. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFile, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, afterAll, beforeAll } from 'vitest';
import { isScratchName, removeStaleScratch, writeFileAtomically, openObjectStore } from '../../../src/io/index.ts';
import { RunLog } from '../../../src/run-log/index.ts';
import { record } from '../../results/fixtures.ts';
import { publishRun } from '../../../src/results/report/index.ts';
import { WHOLE_RUN, createLogStores } from '../../../src/run-log/store/index.ts';
import { expectSentence, scratchFolder, tauflow } from '../../cli/in-process.ts';
import { startWorker, sweepFlags } from '../../durability/fleet.ts';
import type { Place } from '../../durability/place.ts';
import { Tauflow } from '../../durability/processes.ts';
import { readRunData } from '../../durability/run-log.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
import { motoPython, type Proxy } from '../sync/moto.ts';
import { StoredPlace } from './stored-place.ts';

async function* pieces(count: number): AsyncGenerator<string, void, undefined> {
  for (let i = 0; i < count; i++) yield await Promise.resolve('é'.repeat(100_000));
}

const module = fileURLToPath(new URL('../../../dist/src/io/atomic-file.js', import.meta.url));

/** Runs the lines in a process of its own, in which `writeFileAtomically` is known. */
function run(code: string, before = ''): { readonly out: string; readonly signal: NodeJS.Signals | null } {
  const source = `const { writeFileAtomically } = await import(${JSON.stringify(module)});\n${code}`;
  const script = `${before} exec "$0" --input-type=module -e "$1"`;
  const { stdout, signal } = spawnSync('bash', ['-c', script, process.execPath, source], { encoding: 'utf8' });
  return { out: stdout.trim(), signal };
}

describe('a file that is written as a whole', () => {
  it('has all of the text, or of its pieces, and the permissions asked for', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    expect(await writeFileAtomically(file, 'ä')).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('ä');
    expect(await writeFileAtomically(file, pieces(7), { mode: 0o600 })).toBe(1_400_000);
    expect(readFileSync(file, 'utf8')).toBe('é'.repeat(700_000));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('stays as it was where its pieces fail', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    writeFileSync(file, 'before');
    async function* failing(): AsyncGenerator<string, void, undefined> {
      yield await Promise.resolve('x'.repeat(400_000));
      throw new Error('no more');
    }
    await expect(writeFileAtomically(file, failing())).rejects.toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  // The first write takes 100 kB of the 300 kB without an error; only the second one fails.
  it.each([
    ['a text', "'x'.repeat(300_000)"],
    ['pieces', "(async function* () { yield 'x'.repeat(300_000); })()"],
  ])('stays as it was where the process may not write that much: %s', (_, content) => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    writeFileSync(file, 'before');
    const { out } = run(
      `await writeFileAtomically(${JSON.stringify(file)}, ${content}).then(
         () => console.log('written'), (error) => console.log(error.code));`,
      'ulimit -f 100;',
    );
    expect(out).toBe('EFBIG');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('stays as it was on a full disk', async ({ skip }) => {
    const folder = scratchFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tauflow-test', folder], { stdio: 'ignore' });
    } catch {
      skip('a small file system cannot be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [folder]));
    const file = join(folder, 'a.json');
    await writeFileAtomically(file, 'before');
    await expect(writeFileAtomically(file, 'x'.repeat(300_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(writeFileAtomically(file, pieces(3))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
    await writeFileAtomically(file, 'y'.repeat(100_000));
    expect(statSync(file).size).toBe(100_000);
  });
});

describe('what a killed writer has left', () => {
  it('is removed, and files that are being written stay', async () => {
    const folder = scratchFolder();
    const { signal } = run(`
      await writeFileAtomically(${JSON.stringify(join(folder, 'r.json'))}, (async function* () {
        yield 'x'.repeat(300_000);
        process.kill(process.pid, 'SIGKILL');
        await new Promise(() => undefined);
      })());`);
    expect(signal).toBe('SIGKILL');
    const [left = '', ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(isScratchName(left)).toBe(true);
    // A running process writes the first file; a dead one that had the id of this process left the second.
    const [running = '', reused = ''] = [process.ppid, process.pid].map((pid) => left.replace(/-\d+-/, `-${pid}-`));
    for (const name of [running, reused]) writeFileSync(join(folder, name), '');

    let unfinished = '';
    const file = join(folder, 'own.json');
    await writeFileAtomically(
      file,
      (async function* () {
        unfinished = readdirSync(folder).find((name) => name.startsWith('.own.json')) ?? '';
        await removeStaleScratch(folder);
        yield 'written';
      })(),
    );
    expect(isScratchName(unfinished)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual([running, 'own.json']);
  });

  it('of a process that cannot be asked for is removed after an hour, and nothing else is', async () => {
    const folder = scratchFolder();
    const elsewhere = '.run.json.00000000-1-00000000-1.tmp';
    const others = ['run.json', 'run.json.1', '.notes.tmp', 'task-1.trial-0.json'];
    for (const name of [elsewhere, ...others]) writeFileSync(join(folder, name), '');
    await removeStaleScratch(folder);
    expect(readdirSync(folder)).toHaveLength(5);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0));
    await removeStaleScratch(folder);
    expect(readdirSync(folder).sort()).toEqual([...others].sort());
    await removeStaleScratch(join(folder, 'missing'));
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

describe('the record of an episode on a full disk', () => {
  it('fails with a sentence that names the folder, and leaves no part of it', async ({ skip }) => {
    const logDir = scratchFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tauflow-test', logDir], { stdio: 'ignore' });
    } catch {
      skip('a small file system cannot be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [logDir]));
    const log = new RunLog({ runId: 'run-1', logDir });
    await log.writeEpisode(record(1, 0));
    const long = record(2, 0, { served: Array.from({ length: 9000 }, (_, i) => `model-${String(i)}`) });
    await expect(log.writeEpisode(long)).rejects.toMatchObject({
      problem: 'disk_full',
      message: `the disk of ${logDir} is full: free space there; what waits to be written is then written`,
    });
    expect((await log.listEpisodes()).episodes).toEqual([{ taskId: 1, trial: 0 }]);
    expect(await log.readEpisode({ taskId: 1, trial: 0 })).toEqual(record(1, 0));
  });
});

const python = motoPython();
const EPISODES = 20;

describe.skipIf(python === null)('a run whose log is in a store', { timeout: 600_000 }, () => {
  let stored: StoredPlace;
  let place: Place;
  let proxy: Proxy;
  let env: StoredPlace['env'];
  let address: string;

  beforeAll(async () => {
    stored = await StoredPlace.make(python);
    ({ place, proxy, env, address } = stored);
  }, 120_000);

  afterAll(() => stored.clear());

  const machine = (name: string, url: string) => stored.machine(name, url);

  const flags = [
    ...['--model', 'oracle:0.8', '--start-index', '0', '--end-index', String(EPISODES), '--max-concurrency', '4'],
  ];

  it('is whole though a worker is killed and requests are refused, and is read from elsewhere', async () => {
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    const words = sweepFlags('calm', 'q', flags).filter((word) => word !== '--no-worker');
    const undisturbed = Tauflow.start(words, place.surroundings(calm.url));
    expect(await undisturbed.ended, undisturbed.printed).toMatchObject({ code: 0 });
    await calm.end();

    const model = await ScriptedProcess.start('stored', place.surroundings());
    const workers = await Promise.all(
      ['one', 'two'].map((name) => startWorker('stores', ['--log-dir', address], machine(name, model.url))),
    );
    let asked = 0;
    proxy.fate = () => ((asked += 1) % 10 === 0 ? 'refuse' : 'pass');
    proxy.counts.clear();
    await model.holdAfter(40);
    const there = ['--log-dir', `${address}/`];
    const run = Tauflow.start(sweepFlags('stored', 'stores', [...flags, ...there]), machine('cli', model.url));
    await model.until(run, ({ held }) => held === 4);
    const ops = machine('ops', model.url);
    const type = async (...words: string[]): Promise<string> => {
      const typed = Tauflow.start([...words, '--log-dir', address], ops);
      expect(await typed.ended, typed.printed).toMatchObject({ code: 0 });
      return typed.printed;
    };
    expect(await type('pause', 'stored')).toContain('stored is paused');
    expect(await type('status', 'stored')).toMatch(/recorded +\d+ of 20 episodes/);
    expect(await type('resume', 'stored')).toContain('stored continues');
    await workers[0]?.kill();
    await model.holdAfter(null);
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });
    expect(run.printed).toContain(`${address}/stored.json`);
    expect(existsSync(join(place.folder, 'results', 'stored'))).toBe(false);
    const requests = Object.fromEntries(proxy.counts);
    // Listings, and a write; the rest is the run's own.
    expect((requests['PUT'] ?? 0) / EPISODES).toBeLessThan(2);
    expect((requests['LIST'] ?? 0) / EPISODES).toBeLessThan(5);

    const laptop = { cwd: scratchFolder(), env: { ...env, TAUFLOW_HOME: scratchFolder() } };
    const report = await tauflow(['report', 'stored', '--json', '--log-dir', address], laptop);
    expect(JSON.parse(report.stdout)).toMatchObject({ metrics: { episodes: EPISODES } });
    const list = await tauflow(['list', '--json', '--log-dir', address], laptop);
    expect(JSON.parse(list.stdout)).toMatchObject([{ run_id: 'stored', status: 'completed', episodes: EPISODES }]);
    const compared = await tauflow(['compare', 'stored', 'stored', '--log-dir', address], laptop);
    expect({ code: compared.code, stderr: compared.stderr }).toEqual({ code: 0, stderr: '' });
    const status = await tauflow(['status', 'stored', '--json', '--log-dir', address], laptop);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'completed', recorded: EPISODES, pending: 0 });
    const named = await tauflow(['baseline', 'set', 'main', 'stored', '--log-dir', address], laptop);
    expect({ code: named.code, stderr: named.stderr }).toEqual({ code: 0, stderr: '' });
    const elsewhere = { cwd: scratchFolder(), env: { ...env, TAUFLOW_HOME: scratchFolder() } };
    const withMain = await tauflow(['compare', 'stored', '--baseline', 'main', '--log-dir', address], elsewhere);
    expect({ code: withMain.code, stdout: withMain.stdout }).toEqual({ code: 0, stdout: compared.stdout });
    const unknown = await tauflow(['baseline', 'set', 'main', 'other', '--log-dir', address], elsewhere);
    expectSentence(unknown, 2, /there is no run other in s3:\/\/runs\/team\/nightly/);
    const exported = await tauflow(['export', 'stored', '--format', 'csv', '--log-dir', address], laptop);
    expect(exported.stderr).toBe('wrote stored.episodes.csv');

    proxy.fate = () => 'pass';
    await tauflow(['sync', address, 'results'], laptop);
    const regraded = await tauflow(['regrade', 'stored', '--json', '--log-dir', address], elsewhere);
    const synced = await tauflow(['regrade', 'results/stored.json', '--json'], laptop);
    expect({ code: regraded.code, stderr: regraded.stderr }).toEqual({ code: 0, stderr: '' });
    const { file, ...records } = JSON.parse(regraded.stdout) as Record<string, unknown>;
    expect(file).toBe(`${address}/stored.json`);
    expect(JSON.parse(synced.stdout)).toMatchObject(records);
    const [inStore, inFolder] = await Promise.all([
      readRunData(laptop.cwd, 'stored'),
      readRunData(place.folder, 'calm'),
    ]);
    expect(inStore.results).toBe(inFolder.results);
    expect(inStore.episodes).toEqual(inFolder.episodes);
    expect(existsSync(join(laptop.cwd, 'results/stored/superseded'))).toBe(false);

    await expectOneOfManyClosers(inStore.results);

    const again = Tauflow.start(['run', '--run-id', 'stored', '--log-dir', address], machine('three', model.url));
    expect(await again.ended, again.printed).toMatchObject({ code: 0 });
    expect(again.printed).toContain('is complete; this is its report');
    expect(await type('retry', 'stored', 'task-0.trial-0')).toContain('1 episode of stored set aside, to run again');
    await tauflow(['sync', address, 'retried'], laptop);
    expect(readdirSync(join(laptop.cwd, 'retried/stored/superseded'))).toEqual(['task-0.trial-0.1.json']);
    expect(existsSync(join(laptop.cwd, 'retried/stored/episodes/task-0.trial-0.json'))).toBe(true);
    await workers[1]?.kill();
    await model.end();
  });

  /** Two machines end the finished run once more, at the same moment: one of them may have been slow, not dead. */
  async function expectOneOfManyClosers(results: string): Promise<void> {
    const ref = { runId: 'stored', logDir: address };
    const closers = await Promise.all(
      ['four', 'five'].map((name) => createLogStores({ home: join(place.folder, name), env })(address)),
    );
    const [first] = closers;
    const manifest = await (await first?.read(ref, WHOLE_RUN))?.readRun();
    if (!manifest) throw new Error('the run has no document');
    await first?.change(ref, WHOLE_RUN, async (log) => {
      await log.writeRun({ ...manifest, status: 'running', endedAt: null });
      await rm(log.paths.metrics);
    });
    const objects = await openObjectStore('runs', env);
    await objects.put('team/nightly/stored.json', '[]');
    let works = 0;
    let haveBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (haveBegun = resolve));
    const close = async (log: RunLog) => {
      works += 1;
      // They end the run at different times: one and the same document needs no second work.
      const laterMs = 5 * works;
      if (works === closers.length) haveBegun();
      await begun;
      await delay(laterMs);
      const ending = { ...manifest, status: 'completed', ended: EPISODES } as const;
      return publishRun(log, () => undefined, { ending });
    };
    await Promise.all(closers.map((store) => store.change(ref, WHOLE_RUN, close)));
    // Who was slower did its work again, on what the other had written.
    expect(works).toBeGreaterThan(2);
    const log = await first?.read(ref, WHOLE_RUN);
    const published = await objects.get('team/nightly/stored.json');
    expect(published && (await text(published.pieces))).toBe(results);
    expect(await log?.readRun()).toMatchObject({ status: 'completed', endedAt: expect.any(String) as string });
    expect(JSON.parse(await readFile(log?.paths.metrics ?? '', 'utf8'))).toMatchObject({ episodes: EPISODES });
  }
});
