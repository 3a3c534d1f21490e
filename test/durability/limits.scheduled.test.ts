/** Limits of model calls over several worker processes, and two sweeps that share them: rates that take minutes to measure. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { taskQueues } from '../../src/evaluation/index.ts';
import { findEndpoints, labelsByProvider } from '../../src/models/index.ts';
import { readRateLimit, setRateLimits } from '../../src/temporal/client/index.ts';
import { clientOf, startWorker, sweepFlags } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

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
    await annotate(`the sweep with a window of 2 got ${its} of ${shared.length} calls beside one with a window of 40`);
    expect(its).toBeGreaterThan(8);
    // Half, less what its two episodes take between their calls.
    expect(its / shared.length).toBeGreaterThan(0.3);
    await model.end();
  });
});
