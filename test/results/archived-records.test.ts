import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { publishRun, reportOfRun, metricsToJson } from '../../src/results/report/index.ts';
import { openRun, summarizeRecord, type RunLog } from '../../src/run-log/index.ts';
import { parseArchivedFileName, archivedFileName, ArchivedRecords } from '../../src/run-log/testing.ts';
import { costFigures } from '../../src/results/report/testing.ts';
import {
  NO_TOTALS,
  addCost,
  addEpisode,
  addTotals,
  asResumed,
  WORKFLOW_VERSION,
  type RunInput,
} from '../../src/evaluation/index.ts';
import { refuseNewer } from '../../workflows/testing.ts';
import { CONFIG, record, scratchLog, usage } from './fixtures.ts';

const KEY = { taskId: 1, trial: 0 };
const by = (workflowRunId: string, cost: number | null = 0.02) =>
  record(1, 0, { workflowRunId, usage: [usage('agent', cost), usage('user', 0.004)] });

async function aside({ paths }: RunLog): Promise<string[]> {
  return (await readdir(paths.archive).catch(() => [])).sort();
}

const unexpected = (sentence: string): never => {
  throw new Error(sentence);
};

describe('a record that is replaced', () => {
  it('is kept aside to the letter when another workflow run has written the new one', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(by('first'));
    const first = await readFile(file, 'utf8');
    await log.writeEpisode(by('second'));
    await log.writeEpisode(by('third'));
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json', 'task-1.trial-0.2.json']);
    expect(await readFile(path.join(log.paths.archive, 'task-1.trial-0.1.json'), 'utf8')).toBe(first);
    expect((await log.readEpisode(KEY))?.workflowRunId).toBe('third');
    const runs: string[] = [];
    for await (const kept of log.archivedRecords(unexpected)) runs.push(kept.workflowRunId);
    expect(runs).toEqual(['first', 'second']);
  });

  it('is not kept where all its calls are among the new ones, as their cost would count twice', async () => {
    const log = scratchLog();
    await log.writeEpisode(by('first'));
    const { usage: made } = by('first');
    const calls = made.reduce((sum, each) => sum + each.calls, 0);
    await log.writeEpisode(by('second'), calls);
    expect(await aside(log)).toEqual([]);
    await log.writeEpisode(by('third'), calls - 1);
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json']);
    const third = summarizeRecord(by('third'));
    const begun = addCost(NO_TOTALS, summarizeRecord(by('second')));
    const ended = addEpisode(begun, { ...third, reusedUsd: begun.knownCostUsd });
    expect(ended.knownCostUsd).toBeCloseTo(addCost(NO_TOTALS, third).knownCostUsd, 10);
  });

  it('is kept once, however often the writing is interrupted and done again', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(by('first'));
    const first = await readFile(file, 'utf8');
    await log.writeEpisode(by('second'));
    await log.writeEpisode(by('second'));
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json']);
    // Killed after the copy, before the new record.
    await writeFile(file, first);
    await log.writeEpisode(by('second'));
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json']);
  });

  it('is only overwritten when it is damaged', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(by('first'));
    await writeFile(file, '{');
    await log.writeEpisode(by('second'));
    expect(await aside(log)).toEqual([]);
    expect((await log.readEpisode(KEY))?.workflowRunId).toBe('second');
  });

  it('is not overwritten when it cannot be read', async () => {
    const log = scratchLog();
    await mkdir(path.join(log.paths.episodes, 'task-1.trial-0.json'), { recursive: true });
    await expect(log.writeEpisode(by('second'))).rejects.toThrow('cannot be read: it is a folder');
    await expect(log.archiveEpisode(KEY)).rejects.toThrow('cannot be read: it is a folder');
  });
});

describe('a record that is moved aside', () => {
  it('is gone for whoever looks what is recorded; doing it again changes nothing', async () => {
    const log = scratchLog();
    await log.writeEpisode(by('first'));
    await log.writeEpisode(record(2, 0));
    await log.archiveEpisode(KEY);
    await log.archiveEpisode(KEY);
    expect((await log.listEpisodes()).episodes).toEqual([{ taskId: 2, trial: 0 }]);
    await log.writeEpisode(by('second'));
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json']);
    await log.archiveEpisode(KEY);
    expect(await aside(log)).toEqual(['task-1.trial-0.1.json', 'task-1.trial-0.2.json']);
  });

  it('is not deleted when the episode has run again meanwhile', async () => {
    const log = scratchLog();
    await log.writeEpisode(by('first'));
    const keep = vi.spyOn(ArchivedRecords.prototype, 'keep').mockImplementationOnce(async () => {
      await log.writeEpisode(by('second'));
    });
    onTestFinished(() => keep.mockRestore());
    await log.archiveEpisode(KEY);
    expect((await log.readEpisode(KEY))?.workflowRunId).toBe('second');
  });

  it('stays when there is none, or a damaged one, which counts as missing', async () => {
    const log = scratchLog();
    await log.archiveEpisode(KEY);
    const file = await log.writeEpisode(by('first'));
    await writeFile(file, '{');
    await log.archiveEpisode(KEY);
    expect(await aside(log)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('{');
  });

  it('has a name that can be read back', () => {
    expect(parseArchivedFileName(archivedFileName({ taskId: 17, trial: 3 }, 2))).toEqual({
      key: { taskId: 17, trial: 3 },
      place: 2,
    });
    for (const name of ['task-1.trial-0.json', 'task-1.trial-0.0.json', 'task-1.trial-0.1.json.tmp', 'x.1.json']) {
      expect(parseArchivedFileName(name)).toBeNull();
    }
  });
});

describe('the figures of a run with replaced records', () => {
  it('count only current ones, and count what the others cost on top', async () => {
    const log = scratchLog();
    await log.writeEpisode(by('first'));
    await log.writeEpisode(by('second', 0.03));
    const report = await reportOfRun(log);
    expect(metricsToJson(report)).toMatchObject({
      episodes: 1,
      costs: { known_usd: expect.closeTo(0.034, 9) as number },
      superseded: { episodes: 1, known_usd: expect.closeTo(0.024, 9) as number },
    });
    expect([...costFigures(report)].at(-1)).toEqual({
      name: 'cost of archived records',
      value: '$0.0240',
      meaning: 'not in the total: 1 rerun episode, in no other figure',
    });
  });

  it('have a lower bound where a price is unknown, and no line where nothing was replaced', async () => {
    const log = scratchLog();
    await log.writeEpisode(by('first', null));
    expect([...costFigures(await reportOfRun(log))].map(({ name }) => name)).not.toContain('cost of archived records');
    await log.writeEpisode(by('second'));
    expect([...costFigures(await reportOfRun(log))].at(-1)).toMatchObject({ value: '≥ $0.0040' });
  });
});

describe('the totals of a sweep', () => {
  it('take the money of a replaced episode, and nothing else of it', () => {
    const summary = summarizeRecord(by('first'));
    const replaced = addCost(NO_TOTALS, summary);
    expect(replaced).toEqual({ ...NO_TOTALS, knownCostUsd: 0.024 });
    expect(addCost(NO_TOTALS, summarizeRecord(by('first', null)))).toMatchObject({ knownCostUsd: 0.004, unpriced: 1 });
    const both = addTotals(asResumed(addEpisode(NO_TOTALS, summary)), replaced);
    expect(both).toMatchObject({ ended: 1, resumed: 1, knownCostUsd: 0.048 });
  });
});

describe('a workflow version', () => {
  it('is refused when it is newer than this code', () => {
    expect(() => refuseNewer({})).not.toThrow();
    expect(() => refuseNewer({ version: WORKFLOW_VERSION })).not.toThrow();
    expect(() => refuseNewer({ version: WORKFLOW_VERSION + 1 })).toThrow(/this worker's code is older .*or newer$/);
  });
});

describe('the plan in run.json', () => {
  const facts = { label: 'TC', versions: {}, temporal: null, notes: [] };
  const asked = (plan: Partial<RunInput['plan']>): RunInput => ({
    run: { runId: 'run-1', logDir: '/logs' },
    config: CONFIG,
    plan: { taskIds: [2, 0], numTrials: 2, shuffle: false, ...plan },
    maxConcurrency: 4,
    maxCostUsd: null,
    workflowId: 'run-1',
  });

  it('grows by trials, and changes in no other way', async () => {
    const log = scratchLog();
    const {
      manifest: { startedAt },
    } = await openRun(log, asked({}), facts);
    const trialsAfter = async (plan: Partial<RunInput['plan']>) => {
      const { manifest } = await openRun(log, asked(plan), facts);
      expect(manifest.startedAt).toBe(startedAt);
      return manifest.plan;
    };
    const before = { taskIds: [2, 0], numTrials: 2, shuffle: false };
    expect(await trialsAfter({ numTrials: 1 })).toEqual(before);
    await expect(trialsAfter({ numTrials: 3, shuffle: true })).rejects.toThrow(/shuffle: false, now true/);
    await expect(trialsAfter({ numTrials: 3, taskIds: [0, 2] })).rejects.toThrow(/task_ids: 2 0, now 0 2/);
    expect(await trialsAfter({ numTrials: 3 })).toEqual({ ...before, numTrials: 3 });
  });

  it('and the settings are those of one of many that open the run at the same moment', async () => {
    const log = scratchLog();
    const withTemperature = (temperature: number): RunInput => {
      const input = asked({});
      return { ...input, config: { ...input.config, agentModel: { ...CONFIG.agentModel, temperature } } };
    };
    const temperatures = [0.25, 0.5, 0.75, 1];
    const opened = await Promise.allSettled(temperatures.map((each) => openRun(log, withTemperature(each), facts)));
    const won = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const lost = opened.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(won).toHaveLength(1);
    expect(won[0]?.isNew).toBe(true);
    expect(await log.readRun()).toEqual(won[0]?.manifest);
    expect(lost).toHaveLength(3);
    for (const reason of lost)
      expect(reason).toMatch(/the run run-1 exists with another configuration \(agent_model\.temperature: /);
  });

  it('and the settings that others have written meanwhile are put right when the run is closed', async () => {
    const log = scratchLog();
    const { manifest } = await openRun(log, asked({}), facts);
    await log.writeRun({
      ...manifest,
      config: { ...manifest.config, maxSteps: 3 },
      plan: { ...manifest.plan, taskIds: [7] },
    });
    const ending = { ...asked({}), status: 'completed' as const, ended: 2 };
    await publishRun(log, unexpected, { ending });
    const closed = await log.readRun();
    expect(closed).toMatchObject({ config: { maxSteps: CONFIG.maxSteps }, plan: { taskIds: [2, 0] } });
    expect(closed?.notes).toEqual([expect.stringMatching(/max_steps: \d+, now 3; task_ids: 2 0, now 7/)]);
  });

  it('and the limits are those of the end when the run is closed', async () => {
    const log = scratchLog();
    const status = 'cancelled' as const;
    const ending = { ...asked({ numTrials: 3 }), maxConcurrency: 9, maxCostUsd: 5, status, ended: 0 };
    await publishRun(log, unexpected, { ending });
    expect(await log.readRun()).toBeNull();
    await openRun(log, asked({}), facts);
    await publishRun(log, unexpected, { ending });
    expect(await log.readRun()).toMatchObject({
      status: 'cancelled',
      endedAt: expect.any(String) as string,
      plan: { numTrials: 3 },
      maxConcurrency: 9,
      maxCostUsd: 5,
    });
  });
});
