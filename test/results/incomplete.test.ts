import { rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { publishRun, reportOfRun } from '../../src/results/report/index.ts';
import type { RunLog } from '../../src/run-log/index.ts';
import { openRun, episodeFileName } from '../../src/run-log/index.ts';
import type { CloseRunInput } from '../../src/evaluation/index.ts';
import type { EpisodeKey } from '../../src/benchmarks/index.ts';
import { CONFIG, record, scratchLog } from './fixtures.ts';

const PLAN = { taskIds: [5, 3], numTrials: 2, shuffle: false };

function endingOf(log: RunLog, changes: Partial<CloseRunInput> = {}): CloseRunInput {
  const run = { runId: log.runId, logDir: log.logDir };
  const facts = { config: CONFIG, maxConcurrency: 4, maxCostUsd: null, workflowId: log.runId };
  return { run, ...facts, plan: PLAN, status: 'completed', ended: 4, ...changes };
}

/** An open run with these records. */
async function runWith(...recorded: (readonly [task: number, trial: number])[]): Promise<RunLog> {
  const log = scratchLog();
  await openRun(log, endingOf(log), { label: 'TC', versions: {}, temporal: null, notes: [] });
  for (const [task, trial] of recorded) await log.writeEpisode(record(task, trial));
  return log;
}

const fileOf = (log: RunLog, key: EpisodeKey) => path.join(log.paths.episodes, episodeFileName(key));

describe('a run that is closed', () => {
  it('is completed when every episode of its plan has a record, and its metrics are those of an ended run', async () => {
    const log = await runWith([5, 0], [3, 0], [5, 1], [3, 1]);
    const report = await publishRun(log, () => undefined, { ending: endingOf(log) });
    expect(report.missing).toEqual([]);
    expect(report.remarks.join()).not.toContain('still going on');
    expect(await log.readRun()).toMatchObject({ status: 'completed' });
  });

  it('is incomplete when a record is missing or torn, and says which', async () => {
    const log = await runWith([5, 0], [3, 0], [5, 1]);
    await truncate(fileOf(log, { taskId: 3, trial: 0 }), 500);
    const told: string[] = [];
    const report = await publishRun(log, (sentence) => told.push(sentence), { ending: endingOf(log) });
    expect(told.join()).toContain('task-3.trial-0.json is damaged and counts as missing');
    expect(report.missing).toEqual([
      { taskId: 3, trial: 0 },
      { taskId: 3, trial: 1 },
    ]);
    expect(report.subject.status).toBe('incomplete');
    expect(report.leaderboardRow).toBeNull();
    expect(report.remarks).toContain(
      '2 episodes have no record (task-3.trial-0, task-3.trial-1), so every figure is without them.',
    );
    expect(await log.readRun()).toMatchObject({ status: 'incomplete' });
  });

  it('is completed once what was missing is recorded again', async () => {
    const log = await runWith([5, 0], [3, 0], [5, 1], [3, 1]);
    const torn = fileOf(log, { taskId: 3, trial: 1 });
    await writeFile(torn, '');
    await publishRun(log, () => undefined, { ending: endingOf(log) });
    expect(await log.readRun()).toMatchObject({ status: 'incomplete' });
    await log.writeEpisode(record(3, 1));
    await publishRun(log, () => undefined, { ending: endingOf(log) });
    expect(await log.readRun()).toMatchObject({ status: 'completed' });
  });

  it('has reached its budget with a record for each episode that has ended, else it is incomplete', async () => {
    const log = await runWith([5, 0], [3, 0]);
    const close = (ended: number) =>
      publishRun(log, () => undefined, { ending: endingOf(log, { status: 'budget_reached', ended }) });
    await close(2);
    expect(await log.readRun()).toMatchObject({ status: 'budget_reached' });
    await close(3);
    expect(await log.readRun()).toMatchObject({ status: 'incomplete' });
  });

  it('names what has vanished since', async () => {
    const log = await runWith([5, 0], [3, 0], [5, 1], [3, 1]);
    await publishRun(log, () => undefined, { ending: endingOf(log) });
    await rm(fileOf(log, { taskId: 5, trial: 1 }));
    expect((await reportOfRun(log)).missing).toEqual([{ taskId: 5, trial: 1 }]);
  });
});
