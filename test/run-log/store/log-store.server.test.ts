/**
 * Runs whose log is in a real S3 server, by processes that share no folder: each has a cache of its own. A proxy before
 * the server refuses every tenth request.
 */

import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openObjectStore } from '../../../src/io/index.ts';
import type { RunLog } from '../../../src/run-log/index.ts';
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
