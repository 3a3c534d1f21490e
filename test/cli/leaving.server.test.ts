/** Leaving a run and coming back: detached sweeps, Ctrl-C, workers of their own. */

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { environment, namesIn, scratchFolder, tauflow } from './in-process.ts';
import { endAll, run, start, type Place } from './processes.ts';

const QUEUE = ['--task-queue', 'leaving'];
const cwd = scratchFolder();

let model: ScriptedModel;
let place: Place;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  const { address } = inject('temporal');
  place = { cwd, env: environment({ TAUFLOW_SCRIPTED_URL: model.url, TEMPORAL_ADDRESS: address }) };
});

afterAll(async () => {
  await endAll();
  await model.close();
});

/** Completions after this many are withheld; null lets all go. */
async function hold(after: number | null): Promise<void> {
  const url = new URL('/hold', model.url);
  await fetch(url, { method: 'POST', body: JSON.stringify({ after }) });
}

describe('a detached sweep', () => {
  const RUN = ['run', '--run-id', 'detached', ...QUEUE];

  it('waits for workers, can be looked at and left, and ends where workers run', { timeout: 180_000 }, async () => {
    const detached = await run([...RUN, '--task-ids', '1', '--model', 'oracle', '--detach', '--json'], place);
    expect(detached.code, detached.stderr).toBe(0);
    expect(JSON.parse(detached.stdout)).toMatchObject({
      run_id: 'detached',
      status: 'detached',
      resume: 'npx tauflow run --run-id detached --task-queue leaving',
    });
    expect(detached.stderr).toContain('npx tauflow worker --task-queue leaving');

    const other = await tauflow([...RUN, '--no-worker', '--log-dir', 'elsewhere', '--task-ids', '2'], {
      cwd,
      env: { TEMPORAL_ADDRESS: inject('temporal').address },
    });
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/error: the run detached is under way on this server with another configuration \(/);
    expect(namesIn(cwd)).toEqual(['results']);

    const watcher = start([...RUN, '--no-worker'], place);
    await watcher.says(/attached to the sweep that is under way[^]*resume with/);
    watcher.signal('SIGINT');
    const left = await watcher.ended;
    expect(left).toMatchObject({ code: 130, stdout: '' });
    expect(left.stderr).toMatch(/resume with: npx tauflow run --run-id detached --task-queue leaving\n$/);

    const worker = start(['worker', ...QUEUE], place);
    const back = await run([...RUN, '--no-worker'], place);
    expect(back.code, back.stderr).toBe(0);
    expect(back.stdout).toMatch(/1 of 1 episodes? succeeded/);
    worker.signal('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('Ctrl-C', () => {
  it(
    'lets what is under way finish; a second one leaves at once, and the run goes on later',
    { timeout: 180_000 },
    async () => {
      const words = ['run', '--run-id', 'twice', '--task-ids', '1', '--model', 'oracle', ...QUEUE];
      const { completions } = model.stats();
      await hold(completions + 1);
      const first = start(words, place);
      await first.says(/^0\/1 ended, 1 running/m);
      first.signal('SIGINT');
      await first.says(/interrupt again to leave at once/);
      first.signal('SIGINT');
      expect((await first.ended).code).toBe(130);
      await hold(null);
      const second = await run(['run', '--run-id', 'twice', ...QUEUE], place);
      expect(second.code, second.stderr).toBe(0);
      expect(second.stderr).toContain('attached to the sweep that is under way');
      expect(second.stdout).toMatch(/1 of 1 episodes? succeeded/);
    },
  );
});
