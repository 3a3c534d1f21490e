/** Scheduled runs whose log is in a real S3 server: made, compared and read by machines that share no folder. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scratchFolder, tauflow, type Ended } from '../../cli/in-process.ts';
import { startWorker } from '../../durability/fleet.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
import { eventually } from '../../helpers/eventually.ts';
import { motoPython } from '../sync/moto.ts';
import { StoredPlace } from './stored-place.ts';

const python = motoPython();

interface ShownRun {
  readonly run_id: string;
  readonly verdict: string;
}

describe.skipIf(python === null)('a schedule whose runs are in a store', { timeout: 300_000 }, () => {
  let stored: StoredPlace;
  let model: ScriptedProcess;

  beforeAll(async () => {
    stored = await StoredPlace.make(python);
    model = await ScriptedProcess.start('scheduled', stored.place.surroundings());
  }, 120_000);

  afterAll(() => stored.clear());

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

  it('is created and shown where the store is not reached, which is said', async () => {
    const warning = /^warning: s3:\/\/nowhere\/runs, the log folder of its runs, cannot be read from here: \S.*$/m;
    expect((await create('elsewhere', 's3://nowhere/runs', 'oracle')).stderr).toMatch(warning);
    const { stdout, stderr } = await schedule('show', 'elsewhere');
    expect(stdout).toMatch(/run log +s3:\/\/nowhere\/runs\n[^]*no run yet$/);
    expect(stderr).toMatch(warning);
  });
});
