/** Runs whose log is in a real S3 server, killed, judged, forked and scheduled by machines that share no folder. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openObjectStore } from '../../../src/io/index.ts';
import { expectSentence, printed, scratchFolder, tauflow, type Ended } from '../../cli/in-process.ts';
import { paidAgain, tally } from '../../durability/calls.ts';
import { startWorker } from '../../durability/fleet.ts';
import { Tauflow } from '../../durability/processes.ts';
import { readRunData } from '../../durability/run-log.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
import { eventually } from '../../helpers/eventually.ts';
import { motoPython } from '../sync/moto.ts';
import { StoredPlace } from './stored-place.ts';

const python = motoPython();
const EPISODES = 6;

interface Printed {
  readonly failed: number;
  readonly fault_assignment_analysis: readonly { readonly task_id: number; readonly author: string }[];
  readonly judge: { readonly calls: number };
  readonly files: { readonly errors: string; readonly verdicts: string };
}

let stored: StoredPlace;

beforeAll(async () => {
  if (python !== null) stored = await StoredPlace.make(python);
}, 120_000);

afterAll(async () => {
  if (python !== null) await stored.clear();
});

describe.skipIf(python === null)('a run in a store that has ended', { timeout: 300_000 }, () => {
  let model: ScriptedProcess;

  beforeAll(async () => {
    model = await ScriptedProcess.start('judged', stored.place.surroundings());
  }, 120_000);

  const finish = (machine: string, ...words: string[]): Promise<string> =>
    printed([...words, '--log-dir', stored.address], stored.machine(machine, model.url));

  it('is judged by any worker, with each label in the store', async () => {
    const played = ['--model', 'oracle:0', '--model-provider', 'scripted', '--end-index', String(EPISODES)];
    await finish('one', 'run', '--run-id', 'judged', ...played, '--max-concurrency', String(EPISODES));
    const before = (await model.calls()).length;

    let asked = 0;
    stored.proxy.fate = () => ((asked += 1) % 10 === 0 ? 'refuse' : 'pass');
    await model.holdAfter(before + 5);
    const queue = ['--task-queue', 'judges'];
    const doomed = await startWorker('judges', ['--log-dir', stored.address], stored.machine('two', model.url));
    const flags = [...queue, '--no-worker', '--max-concurrency', '2', '--json'];
    const judge = Tauflow.start(
      ['errors', 'judged', ...flags, '--log-dir', stored.address],
      stored.machine('office', model.url),
    );
    await model.until(judge, ({ held }) => held === 2);
    await doomed.kill();
    await model.holdAfter(null);
    const next = await startWorker('judges', ['--log-dir', stored.address], stored.machine('three', model.url));
    expect(await judge.ended, judge.printed).toMatchObject({ code: 0 });
    stored.proxy.fate = () => 'pass';
    await next.kill();
    const calls = (await model.calls()).slice(before);
    expect(tally(calls).size).toBe(2 * EPISODES);
    expect(calls.length).toBeLessThanOrEqual(2 * EPISODES + 2);

    // Nothing is asked again, not even where nobody has been before.
    const again = await finish('laptop', 'errors', 'judged', '--json');
    expect(await model.calls()).toHaveLength(before + calls.length);
    const document = JSON.parse(/^\{.*^\}/ms.exec(again)?.[0] ?? '') as Printed;
    expect(document).toMatchObject({ failed: EPISODES, judge: { calls: 2 * EPISODES } });
    expect(document.fault_assignment_analysis.map(({ task_id: id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(document.files).toEqual({
      errors: `${stored.address}/judged/errors.json`,
      verdicts: `${stored.address}/judged/errors`,
    });
    const report = await stored.laptop()('report', 'judged', '--json');
    expect(JSON.parse(report.stdout)).toMatchObject({
      metrics: { judge: { episodes: EPISODES, calls: 2 * EPISODES } },
    });
  });

  it('is forked anywhere, and has the forks beside its own records', async () => {
    const fork = ['fork', 'judged', 'task-0.trial-0', '--at-step', '2', '--model', 'oracle', '--json'];
    const forked = await finish('desk', ...fork);
    const record = `${stored.address}/judged/forks/task-0.trial-0.fork-1.json`;
    expect(JSON.parse(/^\{.*^\}/ms.exec(forked)?.[0] ?? '')).toMatchObject({ record, result: { reward: 1 } });
    const laptop = stored.laptop();
    const left = await finish('desk', ...fork, '--no-worker', '--detach', '--task-queue', 'nobody');
    expect(left).toContain(`list it with: npx tauflow fork judged --list --log-dir ${stored.address}\n`);
    expect(left).toContain('"fork": "fork-2"');
    const list = await laptop('fork', 'judged', '--list', '--json');
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'task-0.trial-0.fork-1', outcome: 'user_stop', reward: 1 }]);
    const report = await laptop('report', 'judged', '--json');
    expect(JSON.parse(report.stdout)).toMatchObject({ metrics: { episodes: EPISODES, average_reward: 0 } });
    const unknown = await laptop('fork', 'judged', 'task-9.trial-0', '--at-step', '1');
    expectSentence(unknown, 2, /has no record of task-9\.trial-0 in s3:\/\/runs\/team\/nightly\/judged\/episodes;/);
  });

  it('has a document without labels if nothing has failed', async () => {
    const played = ['--model', 'oracle', '--model-provider', 'scripted', '--end-index', '2'];
    await finish('one', 'run', '--run-id', 'solved', ...played);
    const judged = await stored.laptop()('errors', 'solved');
    expect(judged).toEqual({
      code: 0,
      stdout: 'No episode of solved has failed: there is nothing to judge.',
      stderr: '',
    });
    const object = await (await openObjectStore('runs', stored.env)).get('team/nightly/solved/errors.json');
    expect(object && (await json(object.pieces))).toMatchObject({
      fault_assignment_analysis: [],
      judge: { episodes: 0 },
    });
    const missing = await stored.laptop()('errors', 'other');
    expectSentence(missing, 2, /there is no run other in s3:\/\/runs\/team\/nightly; /);
  });
});

interface ShownRun {
  readonly run_id: string;
  readonly verdict: string;
}

describe.skipIf(python === null)('a schedule whose runs are in a store', { timeout: 300_000 }, () => {
  let model: ScriptedProcess;

  beforeAll(async () => {
    model = await ScriptedProcess.start('scheduled', stored.place.surroundings());
  }, 120_000);

  /** `tauflow schedule` on a machine that nothing else has been on. */
  const schedule = async (...words: string[]): Promise<Ended> => {
    const server = await stored.place.server();
    const own = {
      TAUFLOW_HOME: scratchFolder(),
      TEMPORAL_ADDRESS: server?.address ?? '',
      TAUFLOW_SCRIPTED_URL: model.url,
    };
    const ended = await tauflow(['schedule', ...words], { env: { ...stored.env, ...own } });
    expect(ended.code, ended.stderr).toBe(0);
    return ended;
  };

  const create = (name: string, logDir: string, agent: string, ...more: string[]) =>
    schedule(
      ...['create', name, '--cron', '0 2 29 2 *', '--model', agent, '--end-index', '8', '--max-concurrency', '8'],
      ...['--task-queue', 'nights', '--log-dir', logDir, ...more],
    );

  const shown = async (): Promise<readonly ShownRun[]> => {
    const { stdout } = await schedule('show', 'shop', '--json');
    return (JSON.parse(stdout) as { runs: readonly ShownRun[] }).runs;
  };

  it('compares each run with the one before, alerts, and shows them on any machine', async () => {
    const { address, place } = stored;
    const copy = join(place.folder, 'alerted.json');
    const alert = ['--on-regression', `cat $TAUFLOW_COMPARISON > ${copy}`];
    const created = await create('shop', `${address}/`, 'oracle', ...alert);
    expect(created.stdout).toMatch(new RegExp(`run log +${address}\\n`));
    expect(created.stderr).not.toContain('cannot be read');
    const one = await startWorker('nights', ['--log-dir', address], stored.machine('one', model.url));
    await schedule('trigger', 'shop');
    await eventually(async () => expect(await shown()).toMatchObject([{ verdict: 'first', pass_hat1: 1 }]));
    await one.kill();

    await create('shop', address, 'oracle:0', '--replace', ...alert);
    const flags = ['--log-dir', address, '--allow-commands'];
    const two = await startWorker('nights', flags, stored.machine('two', model.url));
    const [, runId = ''] = /started +(\S+)/.exec((await schedule('trigger', 'shop')).stdout) ?? [];
    const both = [
      { run_id: runId, verdict: 'regression', pass_hat1: 0, alert: { kind: 'sent' } },
      { verdict: 'first', pass_hat1: 1 },
    ];
    await eventually(async () => expect(await shown()).toMatchObject(both));
    const [, first] = await shown();
    const alerted = { verdict: 'regression', run: { run_id: runId }, baseline: { run_id: first?.run_id } };
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject(alerted);

    const laptop = stored.laptop();
    const report = await laptop('report', runId, '--json');
    expect(JSON.parse(report.stdout)).toMatchObject({ metrics: { episodes: 8 } });
    const compared = await laptop('compare', first?.run_id ?? '', runId, '--json');
    expect(JSON.parse(compared.stdout)).toMatchObject({ verdict: 'regression' });
    await two.kill();
  });

  it('is created and shown without the store, with a warning', async () => {
    const warning = /^warning: s3:\/\/nowhere\/runs, the log folder of its runs, cannot be read from here: \S.*$/m;
    expect((await create('elsewhere', 's3://nowhere/runs', 'oracle')).stderr).toMatch(warning);
    const { stdout, stderr } = await schedule('show', 'elsewhere');
    expect(stdout).toMatch(/run log +s3:\/\/nowhere\/runs\n[^]*no run yet$/);
    expect(stderr).toMatch(warning);
  });
});

describe.skipIf(python === null)('a run in a store whose processes are all killed', { timeout: 300_000 }, () => {
  const episodes = 12;
  const atOnce = 4;
  /** Records before the one whose writer never hears of it. */
  const recordsBefore = 2;

  it('is resumed on another machine, and records each episode once', async ({ annotate }) => {
    const { place, proxy, address, env } = stored;
    const flags = [
      ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
      ...['--end-index', String(episodes), '--max-concurrency', String(atOnce)],
    ];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    await printed(['run', '--run-id', 'calm', ...flags], place.surroundings(calm.url));
    const reference = await calm.calls();
    await calm.end();

    /** Number of writes of records, also of replaced ones, by name. */
    const writes = new Map<string, number>();
    let unheard: string | null = null;
    let isHeld = true;
    proxy.fate = (method, { url = '' }) => {
      const [, name] = /\/killed\/((?:episodes|superseded)\/[^?]+)/.exec(url) ?? [];
      if (method !== 'PUT' || name === undefined) return 'pass';
      writes.set(name, (writes.get(name) ?? 0) + 1);
      if (writes.size > recordsBefore) unheard ??= name;
      return isHeld && name === unheard ? 'hold answer' : 'pass';
    };
    const model = await ScriptedProcess.start('killed', place.surroundings());
    await model.holdAfter(Math.floor(reference.length / 2));
    const words = ['run', '--run-id', 'killed', '--log-dir', address, ...flags];
    const first = Tauflow.start(words, stored.machine('first', model.url));
    await model.until(first, ({ held }) => held === atOnce - 1);
    const resume = await first.resumeCommand();
    expect(resume).toContain(`--log-dir ${address}`);
    await Promise.all([first.kill(), place.killServer()]);
    expect(unheard).not.toBeNull();
    expect(writes.size).toBeLessThan(episodes);
    isHeld = false;
    await model.holdAfter(null);
    await printed(resume.split(' ').slice(2), stored.machine('second', model.url));

    const again = paidAgain(await model.calls(), reference);
    await annotate(`${reference.length} calls undisturbed, ${again.length} paid again after all was killed`);
    const cwd = scratchFolder();
    const copied = await tauflow(['sync', address, 'results'], { cwd, env: { ...env } });
    expect({ code: copied.code, stderr: copied.stderr }).toEqual({ code: 0, stderr: '' });
    const [inStore, calmData] = await Promise.all([readRunData(cwd, 'killed'), readRunData(place.folder, 'calm')]);
    expect(Object.keys(inStore.episodes)).toHaveLength(episodes);
    expect(inStore.results).toBe(calmData.results);
    expect(inStore.episodes).toEqual(calmData.episodes);
    expect(existsSync(join(cwd, 'results/killed/superseded'))).toBe(false);
    expect(Object.fromEntries(writes)).toEqual(
      Object.fromEntries(Object.keys(calmData.episodes).map((name) => [`episodes/${name}.json`, 1])),
    );
    expect(again.length).toBeLessThanOrEqual(atOnce);
    await model.end();
  });
});
