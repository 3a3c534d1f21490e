/** Workers for which the path of the run's log folder is a folder on another disk. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import type { Activities } from '../../src/wire/activities.ts';
import { leftWorkReason, stuckReason } from '../../src/temporal/client/sweeps.ts';
import type { RunRef } from '../../src/wire/config.ts';
import { eventually } from '../helpers/eventually.ts';
import { quickModel } from './models.ts';
import { startRig, type Rig, type RigOptions } from './rig.ts';
import { start, tasks } from './sweep-rig.ts';

const rigs: Rig[] = [];
const disks: string[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
  await Promise.all(disks.splice(0).map((disk) => rm(disk, { recursive: true, force: true })));
});

async function rigWith(options: Partial<RigOptions> = {}): Promise<Rig> {
  const rig = await startRig({ callModel: quickModel, ...options });
  rigs.push(rig);
  return rig;
}

const LOGGED = ['openRun', 'findRecorded', 'sumRecorded', 'summarize', 'supersede', 'record', 'closeRun'] as const;

/** The activities of a worker that sees another disk under the path of the log folder. */
function onDisk(disk: string): (real: Activities) => Partial<Activities> {
  const moved = <Input extends { readonly run: RunRef }, Output>(work: (input: Input) => Promise<Output>) => {
    return (input: Input): Promise<Output> => work({ ...input, run: { ...input.run, logDir: disk } });
  };
  return (real) => Object.fromEntries(LOGGED.map((name) => [name, moved(real[name] as never)]));
}

async function newDisk(): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'tauflow-disk-'));
  disks.push(disk);
  return disk;
}

async function recordsOn(disk: string, runId: string): Promise<string[]> {
  return readdir(join(disk, runId, 'episodes')).catch(() => []);
}

describe('a run that two workers with different disks take part in', { timeout: 180_000 }, () => {
  it('has all records on the disk where it was opened', async () => {
    const rig = await rigWith();
    const { runId, logDir } = rig.run;
    const disk = await newDisk();
    await rigWith({ runId, logDir, activities: onDisk(disk) });
    const handle = await start(rig, { plan: tasks(8), maxConcurrency: 4 });
    const result = await handle.result();
    expect(result).toMatchObject({ status: 'completed', totals: { ended: 8 } });
    const there = await Promise.all([logDir, disk].map((each) => recordsOn(each, runId)));
    expect(there.map(({ length }) => length).sort()).toEqual([0, 8]);
    const home = there[0]?.length === 8 ? logDir : disk;
    expect((await readdir(home)).sort()).toEqual([runId, `${runId}.json`]);
  });

  it('waits for the right worker, says so, and goes on when it comes', async () => {
    const rig = await rigWith();
    const { runId, logDir } = rig.run;
    const token = await rig.log.ensureToken();
    await rig.stop();
    rigs.splice(0);
    const disk = await newDisk();
    const other = await rigWith({ runId, logDir, activities: onDisk(disk) });
    const handle = await start(other, { run: { runId, logDir, token }, plan: tasks(1), maxConcurrency: 1 });
    await eventually(async () => {
      const reason = await stuckReason(other.client, [runId]);
      expect(reason).toContain(`${runId} is waiting for a worker that sees `);
    }, 60_000);
    expect(await leftWorkReason(other.client, runId)).toContain('waiting for a worker that sees ');
    expect(await readdir(disk)).toEqual([]);
    const again = await rigWith({ runId, logDir });
    await again.log.prepare();
    // The folder was deleted with the first workers: what names it is put back.
    await writeFile(again.log.paths.token, token);
    expect(await handle.result()).toMatchObject({ totals: { ended: 1 }, token });
    expect(await readdir(disk)).toEqual([]);
    await rm(logDir, { recursive: true, force: true });
  });
});
