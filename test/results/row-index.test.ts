import { appendFile, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';

import { readRows } from '../../src/results/report/index.ts';
import { episodeFileName, rowOfRecord, type EpisodeRow, type RunLog } from '../../src/run-log/index.ts';
import type { EpisodeKey } from '../../src/benchmarks/index.ts';
import { record, scratchLog, usage } from './fixtures.ts';

const KEYS: readonly EpisodeKey[] = [0, 1, 2].map((taskId) => ({ taskId, trial: 0 }));

async function recorded(): Promise<RunLog> {
  const log = scratchLog();
  for (const { taskId, trial } of KEYS) await log.writeEpisode(record(taskId, trial));
  return log;
}

/** The rows, and the records that were read for them. */
async function known(log: RunLog): Promise<{ rows: unknown; problems: readonly string[]; read: number[] }> {
  const reading = vi.spyOn(log, 'readEpisode');
  const { rows, problems } = await readRows(log);
  const read = reading.mock.calls.map(([{ taskId }]) => taskId);
  reading.mockRestore();
  return { rows, problems, read };
}

/** Made of the records alone; of those that are damaged there is none. */
async function rowsOfRecords(log: RunLog): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = [];
  for await (const read of log.records(KEYS, () => undefined)) rows.push(rowOfRecord(read));
  return rows;
}

const fileOf = (log: RunLog, taskId: number) => path.join(log.paths.episodes, episodeFileName({ taskId, trial: 0 }));

describe('the index of a run’s rows', () => {
  it('has the same rows as the records, of which it reads none', async () => {
    const log = await recorded();
    const { rows, problems, read } = await known(log);
    expect(rows).toEqual(await rowsOfRecords(log));
    expect([problems, read]).toEqual([[], []]);
  });

  it('follows a record that is written anew', async () => {
    const log = await recorded();
    await log.writeEpisode(record(1, 0, { workflowRunId: 'another', usage: [usage('agent', 7)] }));
    const { rows, read } = await known(log);
    expect(rows).toEqual(await rowsOfRecords(log));
    expect(read).toEqual([]);
    expect((await readRows(log)).archived).toHaveLength(1);
  });

  it('is not believed about a record that has changed or was torn since, or is gone', async () => {
    const log = await recorded();
    const text = await readFile(fileOf(log, 0), 'utf8');
    await writeFile(fileOf(log, 0), text.replace('"reward": 1', '"reward": 0'));
    await utimes(fileOf(log, 0), new Date(), new Date(0));
    await truncate(fileOf(log, 1), 300);
    await rm(fileOf(log, 2));
    const { rows, problems, read } = await known(log);
    expect(rows).toEqual(await rowsOfRecords(log));
    expect(read).toEqual([0, 1]);
    expect(problems).toHaveLength(1);
  });

  it('is made up for by the records where it is missing or damaged', async () => {
    const log = await recorded();
    const whole = await readRows(log);
    const { size } = await stat(log.paths.rows);
    await truncate(log.paths.rows, size - 20);
    await appendFile(log.paths.rows, '\n{"file": "task-0.trial-0.json"}\nnull');
    expect(await known(log)).toMatchObject({ rows: whole.rows, read: [2] });
    // What is added behind a line that was cut short counts.
    await log.writeEpisode(record(2, 0));
    expect(await known(log)).toMatchObject({ read: [] });
    await rm(log.paths.rows);
    expect(await known(log)).toMatchObject({ rows: whole.rows, read: [0, 1, 2] });
  });
});

describe('rows that stay', () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heldMB = () => {
    gc();
    return process.memoryUsage().heapUsed / 1e6;
  };

  it('do not keep the text of the records that they were read from', async () => {
    const log = scratchLog();
    const filler = { role: 'user', content: 'x'.repeat(1_000_000) } as const;
    for (const { taskId, trial } of KEYS) {
      await log.writeEpisode({ ...record(taskId, trial), trajectory: [filler, filler, filler, filler] });
    }
    await rm(log.paths.rows);
    const before = heldMB();
    const { rows } = await readRows(log);
    expect(heldMB() - before).toBeLessThan(4);
    expect(rows).toHaveLength(KEYS.length);
  });
});
