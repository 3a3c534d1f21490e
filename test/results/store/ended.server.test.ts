/** Runs whose log is in a real S3 server, judged and forked after their end by machines that share no folder. */

import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openObjectStore } from '../../../src/io/index.ts';
import { expectSentence } from '../../cli/in-process.ts';
import { tally } from '../../durability/calls.ts';
import { startWorker } from '../../durability/fleet.ts';
import { Tauflow } from '../../durability/processes.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
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

describe.skipIf(python === null)('a run in a store that has ended', { timeout: 300_000 }, () => {
  let stored: StoredPlace;
  let model: ScriptedProcess;

  beforeAll(async () => {
    stored = await StoredPlace.make(python);
    model = await ScriptedProcess.start('judged', stored.place.surroundings());
  }, 120_000);

  afterAll(() => stored.clear());

  const start = (machine: string, ...words: string[]): Tauflow =>
    Tauflow.start([...words, '--log-dir', stored.address], stored.machine(machine, model.url));

  it('is judged by any worker, each label of which is in the store', async () => {
    const played = ['--model', 'oracle:0', '--model-provider', 'scripted', '--end-index', String(EPISODES)];
    const run = start('one', 'run', '--run-id', 'judged', ...played, '--max-concurrency', String(EPISODES));
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });
    const before = (await model.calls()).length;

    let asked = 0;
    stored.proxy.fate = () => ((asked += 1) % 10 === 0 ? 'refuse' : 'pass');
    await model.holdAfter(before + 5);
    const queue = ['--task-queue', 'judges'];
    const doomed = await startWorker('judges', ['--log-dir', stored.address], stored.machine('two', model.url));
    const flags = [...queue, '--no-worker', '--max-concurrency', '2', '--heartbeat-timeout', '10s', '--json'];
    const judge = start('office', 'errors', 'judged', ...flags);
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
    const again = start('laptop', 'errors', 'judged', '--json');
    expect(await again.ended, again.printed).toMatchObject({ code: 0 });
    expect(await model.calls()).toHaveLength(before + calls.length);
    const printed = JSON.parse(/^\{.*^\}/ms.exec(again.printed)?.[0] ?? '') as Printed;
    expect(printed).toMatchObject({ failed: EPISODES, judge: { calls: 2 * EPISODES } });
    expect(printed.fault_assignment_analysis.map(({ task_id: id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(printed.files).toEqual({
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
    const forked = start('desk', ...fork);
    expect(await forked.ended, forked.printed).toMatchObject({ code: 0 });
    const record = `${stored.address}/judged/forks/task-0.trial-0.fork-1.json`;
    expect(JSON.parse(/^\{.*^\}/ms.exec(forked.printed)?.[0] ?? '')).toMatchObject({ record, result: { reward: 1 } });
    const laptop = stored.laptop();
    const left = start('desk', ...fork, '--no-worker', '--detach', '--task-queue', 'nobody');
    expect(await left.ended, left.printed).toMatchObject({ code: 0 });
    expect(left.printed).toContain(`list it with: npx tauflow fork judged --list --log-dir ${stored.address}\n`);
    expect(left.printed).toContain('"fork": "fork-2"');
    const list = await laptop('fork', 'judged', '--list', '--json');
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'task-0.trial-0.fork-1', outcome: 'user_stop', reward: 1 }]);
    const report = await laptop('report', 'judged', '--json');
    expect(JSON.parse(report.stdout)).toMatchObject({ metrics: { episodes: EPISODES, average_reward: 0 } });
    const unknown = await laptop('fork', 'judged', 'task-9.trial-0', '--at-step', '1');
    expectSentence(unknown, 2, /has no record of task-9\.trial-0 in s3:\/\/runs\/team\/nightly\/judged\/episodes;/);
  });

  it('has nothing to judge where nothing has failed, and a document that says so', async () => {
    const played = ['--model', 'oracle', '--model-provider', 'scripted', '--end-index', '2'];
    const run = start('one', 'run', '--run-id', 'solved', ...played);
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });
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
