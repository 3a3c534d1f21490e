/** A worker process that is asked to end while model calls are under way. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { signal } from '../../src/temporal/server/processes.ts';
import { startWorker, sweepFlags } from './fleet.ts';
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
