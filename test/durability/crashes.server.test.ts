/** Runs whose commands, workers and servers are killed with SIGKILL at known points: the scripted model withholds its answers from a given call on, so every open episode waits in a call that the model has counted (a provider would have billed it) when the worker is killed. */

import { watch } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LoggedCall } from '../../src/scripted-model/index.ts';
import { OpenEpisodeReader, RunLog } from '../../src/run-log/index.ts';
import { parseEpisodeName } from '../../src/evaluation/index.ts';
import { printed } from '../cli/in-process.ts';
import { paidAgain, tally } from './calls.ts';
import { JsonWatch } from './json-watch.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';
import { readRunData, type RunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';
import { listSeenScheduledRuns } from '../../src/temporal/client/index.ts';
import { signal } from '../../src/temporal/server/index.ts';
import type { scheduledRun } from '../../workflows/client.ts';
import { clientOf, startWorker, sweepFlags } from './fleet.ts';

/** Generous: a shared machine slows processes down, and a test that hangs says where by its own waits. */
vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

interface Finished {
  readonly data: RunData;
  readonly calls: readonly LoggedCall[];
}

/** Plays the same sweep without any trouble, on a queue of its own: the server names its worker for minutes. */
async function undisturbed(runId: string, flags: readonly string[]): Promise<Finished> {
  const model = await ScriptedProcess.start(runId, place.surroundings());
  await printed(['run', '--run-id', runId, '--task-queue', 'calm', ...flags], place.surroundings(model.url));
  const calls = await model.calls();
  await model.end();
  return { data: await readRunData(place.folder, runId), calls };
}

/** Answers are withheld, and every open episode waits for one. */
function everyEpisodeWaits(model: ScriptedProcess, run: Tauflow, atOnce: number) {
  return model.until(run, ({ held }) => held === atOnce);
}

async function lastCalls(model: ScriptedProcess, count: number): Promise<string[]> {
  return (await model.calls()).slice(-count).map(({ digest }) => digest);
}

describe('a sweep whose worker and server are killed', () => {
  const flags = [
    ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
    ...['--start-index', '0', '--end-index', '6', '--num-trials', '2', '--max-concurrency', '4'],
  ];
  const atOnce = 4;

  it('goes on where it was, and ends with the results of an undisturbed one', async ({ annotate }) => {
    const reference = await undisturbed('calm', flags);
    const sixth = Math.floor(reference.calls.length / 6);
    const model = await ScriptedProcess.start('killed', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const files = new JsonWatch(place.folder, 'killed');

    await model.holdAfter(sixth);
    const first = Tauflow.start(['run', '--run-id', 'killed', ...flags], surroundings);
    const resume = await first.resumeCommand();
    await everyEpisodeWaits(model, first, atOnce);
    await first.kill();
    const atFirstKill = await lastCalls(model, atOnce);

    await model.holdAfter(2 * sixth);
    const since = Date.now();
    const second = Tauflow.type(resume, surroundings);
    await model.until(second, ({ completions }) => completions > sixth + atOnce);
    const resumedAfterMs = Date.now() - since;
    await everyEpisodeWaits(model, second, atOnce);
    const atServerKill = await lastCalls(model, atOnce);
    await place.killServer();
    // The answers arrive while there is no server to take them; the worker keeps them for ten seconds.
    await model.holdAfter(3 * sixth);
    await second.says(/starting a local Temporal server/);

    await everyEpisodeWaits(model, second, atOnce);
    // A worker writes the lines of open episodes once a second.
    await vi.waitFor(
      async () => expect([...(await openActions(place.folder, 'killed')).values()].flat()).not.toEqual([]),
      { timeout: 10_000, interval: 100 },
    );
    await Promise.all([second.kill(), place.killServer()]);
    const atLastKill = await lastCalls(model, atOnce);
    const openAtKill = await openActions(place.folder, 'killed');
    await model.holdAfter(null);
    const third = Tauflow.type(await second.resumeCommand(), surroundings);
    expect(await third.ended, third.printed).toMatchObject({ code: 0 });

    const data = await readRunData(place.folder, 'killed');
    const calls = await model.calls();
    const { torn, reads, versions } = await files.end();
    const again = paidAgain(calls, reference.calls);
    await annotate(
      `${calls.length} calls with three kills, ${reference.calls.length} undisturbed; 8 were under way when a worker ` +
        `died, ${again.length} paid again; resumed after ${resumedAfterMs} ms; results file read ${reads} times, ` +
        `${versions} versions`,
    );
    expect(data.results).toBe(reference.data.results);
    expect(data.episodes).toEqual(reference.data.episodes);
    expect(Object.keys(data.episodes)).toHaveLength(12);
    // Each at most once more, and none that was not under way.
    const underWay = [...atFirstKill, ...atServerKill, ...atLastKill];
    expect(again).toEqual(expect.arrayContaining([...atFirstKill, ...atLastKill]));
    expect(underWay).toEqual(expect.arrayContaining(again));
    expect(new Set(again).size).toBe(again.length);
    expect(data.calls).toBe(reference.calls.length);
    expect(data.extraAttempts).toBeGreaterThanOrEqual(again.length);
    expect(data.extraAttempts).toBeLessThanOrEqual(underWay.length);
    expect(torn).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    // The lines of open episodes: no action twice, and none left when all is recorded.
    expect(openAtKill.size).toBeLessThanOrEqual(atOnce);
    for (const [name, actions] of openAtKill) {
      expect(recordedActions(data, name).slice(0, actions.length), name).toEqual(actions);
    }
    expect([...openAtKill.values()].flat()).not.toEqual([]);
    expect(await readdir(join(place.folder, 'results', 'killed'))).not.toContain('open');
    await model.end();
  });
});

/** Names of the tools that open episodes have called, by episode. */
async function openActions(folder: string, runId: string): Promise<Map<string, readonly string[]>> {
  const { paths } = new RunLog({ runId, logDir: join(folder, 'results') });
  const actions = new Map<string, readonly string[]>();
  for (const file of await readdir(paths.open)) {
    const name = file.replace('.jsonl', '');
    const key = parseEpisodeName(name);
    const lines = key === null ? [] : await new OpenEpisodeReader(paths, key).read();
    if (lines.length > 0)
      actions.set(
        name,
        lines.flatMap(({ tool }) => tool ?? []),
      );
  }
  return actions;
}

function recordedActions({ episodes }: RunData, name: string): string[] {
  const { steps } = episodes[name] as { readonly steps: readonly { readonly name: string }[] };
  return steps.flatMap((step) => (step.name === 'respond' ? [] : [step.name]));
}

describe('a sweep that is killed while it writes its first record', () => {
  const flags = [
    ...['--agent-strategy', 'fastworkflow', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
    ...['--start-index', '0', '--end-index', '4', '--max-concurrency', '4'],
  ];
  const atOnce = 4;

  it('has no torn record, and loses and doubles none', async ({ annotate }) => {
    const reference = await undisturbed('calm-fastworkflow', flags);
    const model = await ScriptedProcess.start('first-record', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const files = new JsonWatch(place.folder, 'first-record');
    const folder = join(place.folder, 'results', 'first-record', 'episodes');
    await mkdir(folder, { recursive: true });
    // The record's file, or the unfinished one beside it.
    const written = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        watcher.close();
        resolve();
      });
    });

    const run = Tauflow.start(['run', '--run-id', 'first-record', ...flags], surroundings);
    await written;
    await run.kill();
    const resumed = Tauflow.type(await run.resumeCommand(), surroundings);
    expect(await resumed.ended, resumed.printed).toMatchObject({ code: 0 });

    const data = await readRunData(place.folder, 'first-record');
    const again = paidAgain(await model.calls(), reference.calls);
    await annotate(`${reference.calls.length} calls undisturbed, ${again.length} paid again after one kill`);
    expect((await files.end()).torn).toEqual([]);
    expect(data.results).toBe(reference.data.results);
    expect(data.episodes).toEqual(reference.data.episodes);
    expect(again.length).toBeLessThanOrEqual(atOnce);
    expect(new Set(again).size).toBe(again.length);
    expect(data.extraAttempts).toBeGreaterThanOrEqual(again.length);
    expect(data.extraAttempts).toBeLessThanOrEqual(atOnce);
    await model.end();
  });
});

describe('worker processes', () => {
  const flags = [
    ...['--agent-strategy', 'tool-calling', '--model', 'oracle', '--model-provider', 'scripted'],
    ...['--start-index', '0', '--end-index', '4', '--max-concurrency', '3', '--task-queue', 'shared'],
  ];
  const atOnce = 3;

  it('take over the calls of one that is killed', async ({ annotate }) => {
    const model = await ScriptedProcess.start('two-workers', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const startWorker = async () => {
      const worker = Tauflow.start(['worker', '--task-queue', 'shared'], surroundings);
      await worker.says(/worker on /);
      return worker;
    };
    await model.holdAfter(10);
    const doomed = await startWorker();
    const run = Tauflow.start(['run', '--run-id', 'two-workers', '--no-worker', ...flags], surroundings);
    await everyEpisodeWaits(model, run, atOnce);
    const underWay = await lastCalls(model, atOnce);
    await startWorker();
    await doomed.kill();
    const since = Date.now();
    await model.holdAfter(null);
    await model.until(run, ({ duplicates }) => duplicates > 0);
    const takenOverAfterMs = Date.now() - since;
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });

    const calls = await model.calls();
    const again = [...tally(calls)].filter(([, count]) => count > 1).map(([digest]) => digest);
    await annotate(`${calls.length} calls, ${again.length} paid again; taken over after ${takenOverAfterMs} ms`);
    expect(again.sort()).toEqual(underWay.sort());
    expect(calls).toHaveLength(tally(calls).size + atOnce);
    const data = await readRunData(place.folder, 'two-workers');
    expect(data.extraAttempts).toBe(atOnce);
    expect(Object.keys(data.episodes)).toHaveLength(4);
    await model.end();
  });
});

describe('a run whose server is stopped by somebody', () => {
  it('ends with one sentence and the command that resumes it, which works', async () => {
    const flags = ['--model', 'oracle', '--model-provider', 'scripted', '--end-index', '3', '--max-concurrency', '3'];
    const model = await ScriptedProcess.start('stopped', place.surroundings());
    const surroundings = place.surroundings(model.url);
    await model.holdAfter(6);
    const run = Tauflow.start(['run', '--run-id', 'stopped', ...flags], surroundings);
    await everyEpisodeWaits(model, run, 3);
    await place.stopServer();
    await run.says(/error: the local Temporal server at \S+ was stopped.*resume with: npx tauflow resume stopped/);
    await model.holdAfter(null);
    expect(await run.ended, run.printed).toMatchObject({ code: 3 });

    const resumed = Tauflow.type(await run.resumeCommand(), surroundings);
    expect(await resumed.ended, resumed.printed).toMatchObject({ code: 0 });
    const { episodes } = await readRunData(place.folder, 'stopped');
    expect(Object.keys(episodes)).toHaveLength(3);
    await model.end();
  });
});

const AT_ONCE = 3;

interface Waiting {
  readonly model: ScriptedProcess;
  readonly surroundings: Surroundings;
  readonly worker: Tauflow;
  readonly run: Tauflow;
}

/** A sweep whose worker has a call under way for each of its episodes; the model has counted them. */
async function waiting(name: string, flags: readonly string[]): Promise<Waiting> {
  const model = await ScriptedProcess.start(name, place.surroundings());
  const surroundings = place.surroundings(model.url);
  await model.holdAfter(AT_ONCE);
  const worker = await startWorker(name, flags, surroundings);
  const sweep = ['--model', 'oracle', '--end-index', String(AT_ONCE), '--max-concurrency', String(AT_ONCE)];
  const run = Tauflow.start(sweepFlags(name, name, sweep), surroundings);
  await model.until(run, ({ held }) => held === AT_ONCE);
  return { model, surroundings, worker, run };
}

describe('a worker that is asked to end', () => {
  it('finishes the calls that are under way, which nobody makes again', async () => {
    const { model, surroundings, worker, run } = await waiting('drained', []);
    signal(worker.pid, 'SIGTERM');
    await worker.says(/ending: 3 model calls are being finished, for 60 s at most/);
    await model.holdAfter(null);
    expect(await worker.ended, worker.printed).toMatchObject({ code: 0 });
    expect(worker.printed).toMatch(/ended: nothing is under way here any more\n$/);

    await startWorker('drained', [], surroundings);
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });
    const { extraAttempts, calls, episodes } = await readRunData(place.folder, 'drained');
    expect(extraAttempts).toBe(0);
    expect(Object.keys(episodes)).toHaveLength(AT_ONCE);
    expect(await model.stats()).toMatchObject({ duplicates: 0, completions: calls });
    await model.end();
  });

  it('gives up what outlasts the grace, and another one makes those calls', async () => {
    const { model, surroundings, worker, run } = await waiting('outlasted', ['--grace', '1s']);
    signal(worker.pid, 'SIGTERM');
    await worker.says(/for 1 s at most/);
    expect(await worker.ended, worker.printed).toMatchObject({ code: 0 });
    await model.holdAfter(null);

    await startWorker('outlasted', [], surroundings);
    expect(await run.ended, run.printed).toMatchObject({ code: 0 });
    const { extraAttempts, calls, episodes } = await readRunData(place.folder, 'outlasted');
    // Each of them may have been paid twice, and says so.
    expect(extraAttempts).toBe(AT_ONCE);
    expect(Object.keys(episodes)).toHaveLength(AT_ONCE);
    expect(await model.stats()).toMatchObject({ duplicates: AT_ONCE, completions: calls + AT_ONCE });
    await model.end();
  });

  it('ends at once when it is asked again', async () => {
    const { model, worker, run } = await waiting('twice', []);
    signal(worker.pid, 'SIGTERM');
    await worker.says(/Interrupt again to end at once/);
    signal(worker.pid, 'SIGTERM');
    expect(await worker.ended, worker.printed).toMatchObject({ code: 130 });
    expect((await model.stats()).completions).toBe(2 * AT_ONCE);
    signal(run.pid, 'SIGINT');
    expect(await run.ended).toMatchObject({ code: 130 });
    await model.end();
  });
});

/** A night whose worker dies when the sweep is done and the comparison is not. */
describe('a scheduled run', () => {
  it('is compared by the next worker', async () => {
    const model = await ScriptedProcess.start('nightly', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const tauflow = (...words: string[]) => printed(words, surroundings);
    const sweep = ['--model', 'oracle', '--end-index', '3', '--max-concurrency', '3', '--task-queue', 'nights'];
    await tauflow('schedule', 'create', 'shop', '--cron', '0 2 29 2 *', ...sweep);
    await model.holdAfter(5);
    const doomed = await startWorker('nights', [], surroundings);
    const [, runId = ''] = /"run_id": "([^"]+)"/.exec(await tauflow('schedule', 'trigger', 'shop', '--json')) ?? [];
    await model.until(doomed, ({ held }) => held > 0);

    // A folder where the comparison is to be written: its attempts fail for as long as it is there.
    const log = new RunLog({ runId, logDir: join(place.folder, 'results') });
    await mkdir(log.paths.comparison);
    await model.holdAfter(null);
    const client = await clientOf(place);
    const [night] = await listSeenScheduledRuns(client, 'shop', 1);
    if (night === undefined) throw new Error('the server does not know the night');
    const handle = client.workflow.getHandle<typeof scheduledRun>(night.workflowId);
    await vi.waitFor(
      async () => {
        const { raw } = await handle.describe();
        const failing = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'compareRuns');
        expect(failing?.attempt ?? 0).toBeGreaterThan(1);
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(await log.readRun()).toMatchObject({ status: 'completed' });
    await doomed.kill();
    const calls = await model.calls();

    await rmdir(log.paths.comparison);
    const next = await startWorker('nights', [], surroundings);
    expect(await handle.result()).toMatchObject({ verdict: 'first', runId, averageReward: 1 });
    expect(await log.readComparison()).toMatchObject({ verdict: 'first', run: { episodes: 3 } });
    // The sweep was not run again for it.
    expect(await model.calls()).toEqual(calls);
    expect(await tauflow('schedule', 'show', 'shop')).toMatch(new RegExp(`${runId} │ +1\\.000`));
    await client.connection.close();
    await next.kill();
    await model.end();
  });
});
