/**
 * The chaos harness in short, at fixed points: a sweep with separate workers and faults, all of whose processes are
 * killed together, and once more its server, which is started again from outside.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { paidAgain } from './calls.ts';
import { compareRuns } from './chaos/compare.ts';
import { accountFor } from './chaos/paid.ts';
import { JsonWatch } from './json-watch.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

const AT_ONCE = 3;
const FLAGS = [
  ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
  ...['--end-index', '7', '--max-concurrency', String(AT_ONCE)],
];
const ARGUMENTS = 'arguments=0.1';
/** Failures without a 429: a worker that meets one has fewer calls in progress than are to be lost here. */
const FAULTS = `500=0.1,reset=0.1,${ARGUMENTS}`;

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

/** The calls that are held back now. */
async function lastCalls(model: ScriptedProcess): Promise<string[]> {
  return (await model.calls()).slice(-AT_ONCE).map(({ digest }) => digest);
}

describe('a sweep with faults, all of whose processes are killed', () => {
  it('comes to the same, and pays again only for what was under way', async ({ annotate }) => {
    const calm = await ScriptedProcess.start('calm', place.surroundings(), { faults: ARGUMENTS });
    const undisturbed = Tauflow.start(['run', '--run-id', 'calm', ...FLAGS], place.surroundings(calm.url));
    expect(await undisturbed.ended, undisturbed.printed).toMatchObject({ code: 0 });
    const reference = { calls: await calm.calls(), data: await readRunData(place.folder, 'calm') };
    expect((await calm.stats()).faults.malformedArguments).toBeGreaterThan(0);
    await calm.end();

    const model = await ScriptedProcess.start('chaos', place.surroundings(), { faults: FAULTS });
    const surroundings = place.surroundings(model.url);
    const files = new JsonWatch(place.folder, 'chaos');
    const third = Math.floor(reference.calls.length / 3);

    await model.holdAfter(third);
    const workers = [1, 2].map(() => Tauflow.start(['worker'], surroundings));
    for (const worker of workers) await worker.says(/worker on /);
    const first = Tauflow.start(['run', '--no-worker', '--run-id', 'chaos', ...FLAGS], surroundings);
    const resume = await first.resumeCommand();
    await model.until(first, ({ held }) => held === AT_ONCE);
    await Promise.all([...workers.map((worker) => worker.kill()), first.kill(), place.killServer()]);
    const atFirstKill = await lastCalls(model);

    await model.holdAfter(2 * third);
    const second = Tauflow.type(resume, surroundings);
    await model.until(second, ({ held }) => held === AT_ONCE);
    await place.killServer();
    const atServerKill = await lastCalls(model);
    await place.startServer();
    await model.holdAfter(null);
    expect(await second.ended, second.printed).toMatchObject({ code: 0 });

    const data = await readRunData(place.folder, 'chaos');
    const calls = await model.calls();
    const paid = accountFor(calls, reference.calls, [], data, await model.stats(), AT_ONCE);
    await annotate(
      `${paid.completions} completions for ${data.calls} calls, ${paid.again} paid again, ` +
        `${paid.extraAttempts} extra attempts, ${paid.afterFaults} of them after faults`,
    );
    for (const { what, differences } of compareRuns(reference.data, data)) expect(differences, what).toEqual([]);
    expect(paid.completions).toBe(data.calls + paid.again);
    const again = paidAgain(calls, reference.calls);
    // Their workers died with them; the answers that a server's death met may have been delivered after it.
    expect(again).toEqual(expect.arrayContaining(atFirstKill));
    expect([...atFirstKill, ...atServerKill]).toEqual(expect.arrayContaining(again));
    expect(new Set(again).size).toBe(again.length);
    expect(paid.hidden).toEqual([]);
    expect(paid.extraAttempts - paid.afterFaults).toBeGreaterThanOrEqual(paid.again);
    expect((await files.end()).torn).toEqual([]);
    await model.end();
  });
});
