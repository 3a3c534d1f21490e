/**
 * A run whose log is in a store, and whose command, worker and Temporal server are killed at once: while episodes wait
 * for the model, and while one's record is in the store and its writer does not know yet.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scratchFolder, tauflow } from '../cli/in-process.ts';
import { StoredPlace } from '../results/store/stored-place.ts';
import { motoPython } from '../results/sync/moto.ts';
import { paidAgain } from './calls.ts';
import { Tauflow } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

const python = motoPython();
const EPISODES = 12;
const AT_ONCE = 4;
/** Records before the one whose writer never hears of it. */
const RECORDS_BEFORE = 2;

describe.skipIf(python === null)('a run in a store whose processes are all killed', { timeout: 300_000 }, () => {
  let stored: StoredPlace;

  beforeAll(async () => {
    stored = await StoredPlace.make(python);
  }, 120_000);

  afterAll(() => stored.clear());

  it('is resumed on another machine, and records each episode once', async ({ annotate }) => {
    const { place, proxy, address, env } = stored;
    const flags = [
      ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
      ...['--end-index', String(EPISODES), '--max-concurrency', String(AT_ONCE)],
    ];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    const undisturbed = Tauflow.start(['run', '--run-id', 'calm', ...flags], place.surroundings(calm.url));
    expect(await undisturbed.ended, undisturbed.printed).toMatchObject({ code: 0 });
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
      if (writes.size > RECORDS_BEFORE) unheard ??= name;
      return isHeld && name === unheard ? 'hold answer' : 'pass';
    };
    const model = await ScriptedProcess.start('killed', place.surroundings());
    await model.holdAfter(Math.floor(reference.length / 2));
    const words = ['run', '--run-id', 'killed', '--log-dir', address, ...flags];
    const first = Tauflow.start(words, stored.machine('first', model.url));
    await model.until(first, ({ held }) => held === AT_ONCE - 1);
    const resume = await first.resumeCommand();
    expect(resume).toContain(`--log-dir ${address}`);
    await Promise.all([first.kill(), place.killServer()]);
    expect(unheard).not.toBeNull();
    expect(writes.size).toBeLessThan(EPISODES);
    isHeld = false;
    await model.holdAfter(null);
    const second = Tauflow.type(resume, stored.machine('second', model.url));
    expect(await second.ended, second.printed).toMatchObject({ code: 0 });

    const again = paidAgain(await model.calls(), reference);
    await annotate(`${reference.length} calls undisturbed, ${again.length} paid again after all was killed`);
    const cwd = scratchFolder();
    const copied = await tauflow(['sync', address, 'results'], { cwd, env: { ...env } });
    expect({ code: copied.code, stderr: copied.stderr }).toEqual({ code: 0, stderr: '' });
    const [inStore, calmData] = await Promise.all([readRunData(cwd, 'killed'), readRunData(place.folder, 'calm')]);
    expect(Object.keys(inStore.episodes)).toHaveLength(EPISODES);
    expect(inStore.results).toBe(calmData.results);
    expect(inStore.episodes).toEqual(calmData.episodes);
    expect(existsSync(join(cwd, 'results/killed/superseded'))).toBe(false);
    expect(Object.fromEntries(writes)).toEqual(
      Object.fromEntries(Object.keys(calmData.episodes).map((name) => [`episodes/${name}.json`, 1])),
    );
    expect(again.length).toBeLessThanOrEqual(AT_ONCE);
    await model.end();
  });
});
