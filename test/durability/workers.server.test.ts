/** Worker processes: asked to end, limited, and lost between scheduled runs. */

import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findEndpoints, labelsByProvider } from '../../src/models/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { listSeenScheduledRuns, readRateLimit, setRateLimits } from '../../src/temporal/client/index.ts';
import { signal } from '../../src/temporal/server/index.ts';
import { taskQueues } from '../../src/evaluation/index.ts';
import type { scheduledRun } from '../../workflows/client.ts';
import { printed } from '../cli/in-process.ts';
import { clientOf, startWorker, sweepFlags } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
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

/** Limits of model calls over several worker processes, and two sweeps that share them. */
describe('limits', () => {
  /** Seconds after which a call may reach the model once the server has handed it out, on a busy machine. */
  const LATE = 1;

  /** The most calls in any span above what `rate × (t + 1) + 1` allows for its `t` seconds; 0 when none is. */
  function mostAbove(rate: number, arrivals: readonly number[]): number {
    let most = 0;
    arrivals.forEach((first, start) =>
      arrivals.slice(start).forEach((last, between) => {
        const allowed = rate * ((last - first) / 1000 + LATE + 1) + 1;
        most = Math.max(most, between + 1 - allowed);
      }),
    );
    return most;
  }

  describe('a limit of model calls', () => {
    it('holds over all workers, also those that do not know of it, and is changed while they run', async ({
      annotate,
    }) => {
      const rate = 4;
      const model = await ScriptedProcess.start('limited', place.surroundings());
      const surroundings = place.surroundings(model.url);
      const first = await startWorker('limited', ['--max-llm-calls-per-second', `scripted=${rate}`], surroundings);
      expect(first.printed).toContain(`limit    scripted: ${rate} calls a second over all workers`);
      for (let worker = 2; worker <= 3; worker++) {
        const { printed } = await startWorker('limited', [], surroundings);
        expect(printed).toContain(`scripted (${rate} calls a second over all workers)`);
      }
      const flags = ['--model', 'oracle', '--end-index', '12', '--max-concurrency', '12'];
      const run = Tauflow.start(sweepFlags('limited', 'limited', flags), surroundings);
      const { completions } = await model.until(run, (stats) => stats.completions >= 40);
      const slow = (await model.calls()).slice(0, completions).map(({ receivedAt }) => receivedAt);

      const { connection } = await clientOf(place);
      const endpoints = labelsByProvider(findEndpoints('scripted', { TAUFLOW_SCRIPTED_URL: model.url }, []));
      const queues = taskQueues('limited', { endpoints });
      expect(await readRateLimit(connection, 'default', queues, 'scripted')).toBe(rate);
      const changes = await setRateLimits(connection, 'default', queues, { scripted: null });
      expect(changes).toEqual([{ provider: 'scripted', before: rate, after: null }]);
      expect(await readRateLimit(connection, 'default', queues, 'scripted')).toBeNull();
      await connection.close();
      expect(await run.ended, run.printed).toMatchObject({ code: 0 });

      const seconds = ((slow.at(-1) ?? 0) - (slow[0] ?? 0)) / 1000;
      await annotate(`${slow.length} calls in ${seconds.toFixed(1)} s by three workers, limited to ${rate} a second`);
      slow.sort((a, b) => a - b);
      expect(mostAbove(rate, slow)).toBe(0);
      // A limit of each worker for itself would have let three times as many through.
      expect(slow.length / seconds).toBeLessThan(1.5 * rate);
      await model.end();
    });

    it('is shared by two sweeps, however wide their windows', async ({ annotate }) => {
      const rate = 4;
      const model = await ScriptedProcess.start('shared', place.surroundings());
      const surroundings = place.surroundings(model.url);
      await startWorker('fair', ['--max-llm-calls-per-second', `scripted=${rate}`], surroundings);
      // The two are told apart by the name of their model.
      const wide = ['--model', 'oracle', '--end-index', '40', '--max-concurrency', '40'];
      const narrow = ['--model', 'oracle:0', '--end-index', '2', '--max-concurrency', '2'];
      const large = Tauflow.start(sweepFlags('large', 'fair', wide), surroundings);
      // Forty episodes wait for their first or second call when the other sweep comes.
      await model.until(large, ({ completions }) => completions >= 12);
      const small = Tauflow.start(sweepFlags('small', 'fair', narrow), surroundings);
      await small.ended;

      const calls = await model.calls();
      const isSmall = calls.map(({ model: name }) => name.includes('oracle:0'));
      const shared = isSmall.slice(isSmall.indexOf(true), isSmall.lastIndexOf(true) + 1);
      const its = shared.filter(Boolean).length;
      await annotate(
        `the sweep with a window of 2 got ${its} of ${shared.length} calls beside one with a window of 40`,
      );
      expect(its).toBeGreaterThan(8);
      // Half, less what its two episodes take between their calls.
      expect(its / shared.length).toBeGreaterThan(0.3);
      await model.end();
    });
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
