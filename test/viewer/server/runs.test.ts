/** The list of runs, and a run's overview. */

import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { setBaseline } from '../../../src/run-log/index.ts';
import { buildPayload, type ListedRun, type RunList, type ViewedRun } from '../../../src/viewer/data/testing.ts';
import { reportOfRun } from '../../../src/results/report/index.ts';
import { idleFile } from '../../cli/reported-runs.ts';
import { record } from '../../results/fixtures.ts';
import { makeViewedRun, recordPath, startView } from '../viewed.ts';

const listOf = (json: unknown) => json as RunList;
const runOf = (json: unknown) => json as ViewedRun;
const FIGURES = ['episodes', 'errors', 'passHatK', 'interval', 'averageReward', 'costUsd'] as const;
const figuresOf = (run: ListedRun | undefined) => FIGURES.map((name) => run?.[name]);

describe('the list of runs', () => {
  it('has runs and results files with their figures, the newest first', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'old');
    await makeViewedRun(view.logDir, 'nightly-2025-02-01T030000Z', { startedAt: '2025-02-01T03:00:00.000Z' });
    await setBaseline(view.logDir, 'main', 'old');
    await setBaseline(view.logDir, 'best', 'old');
    idleFile(view.logDir);
    const { logDir, runs, problems } = listOf((await view.get('api/runs')).json);
    expect({ logDir, problems }).toEqual({ logDir: view.logDir, problems: [] });
    expect(runs.map(({ id, kind, schedule }) => [id, kind, schedule])).toEqual([
      ['idle.json', 'file', null],
      ['nightly-2025-02-01T030000Z', 'run', 'nightly'],
      ['old', 'run', null],
    ]);
    const old = runs.at(-1);
    expect(old).toMatchObject({
      episodes: 4,
      errors: 0,
      passHatK: [0.75, 0.5],
      averageReward: 0.75,
      baselines: ['main', 'best'],
      subject: { runId: 'old', agentModel: 'gpt-4o', status: 'completed' },
    });
    expect(old?.interval?.low).toBeLessThan(0.75);
    expect(old?.costUsd).toBeCloseTo(4 * 0.024);
    expect(old?.changedAt).toMatch(/^20\d\d-.*Z$/);
    expect(runs[0]).toMatchObject({ averageReward: 0.5, episodes: 2, costUsd: null, changedAt: null });
  });

  it('has each run of a file with several, with notes of its own', async () => {
    const view = await startView();
    copyFileSync(
      new URL('../../fixtures/formats/promptfoo.json', import.meta.url),
      path.join(view.logDir, 'prompts.json'),
    );
    const { runs, problems } = listOf((await view.get('api/runs')).json);
    expect(problems).toEqual([]);
    const ids = runs.map(({ id }) => id);
    expect(ids).toEqual([1, 2, 3, 4].map((place) => `${String(place)}@prompts.json`));
    for (const { id, averageReward } of runs) {
      const { run } = runOf((await view.get(`api/runs/${id}`)).json);
      expect(run.metrics.errorsAsFailures.averageReward).toBe(averageReward);
    }
    const first = runOf((await view.get(`api/runs/${ids[0] ?? ''}`)).json).run.episodes[0];
    const at = `episodes/${String(first?.taskId)}/${String(first?.trial)}`;
    await view.put(`api/runs/${ids[0] ?? ''}/${at}/note`, { labels: [], text: 'first' });
    expect((await view.get(`api/runs/${ids[1] ?? ''}/${at}`)).json).toMatchObject({ note: null });
    expect((await view.get('api/runs/prompts.json')).text).toContain('it has 4 runs');
    expect((await view.get('api/runs/5@prompts.json')).text).toContain('it has 4 runs');
  });

  it('has the figures of the report, whether the run has ended or not', async () => {
    const view = await startView();
    const failed = { kind: 'infrastructure_error', error: 'timeout', message: 'no answer' } as const;
    const episodes = [
      [0, 0],
      [1, 0, { reward: 0 }],
      [1, 1, { outcome: failed, reward: 0, grade: null }],
    ] as const;
    await makeViewedRun(view.logDir, 'ended', { episodes });
    await makeViewedRun(view.logDir, 'going', { episodes, status: 'running' });
    const { runs } = listOf((await view.get('api/runs')).json);
    const [ended, going] = ['ended', 'going'].map((id) => runs.find((run) => run.id === id));
    expect(ended?.errors).toBe(1);
    expect(figuresOf(going)).toEqual(figuresOf(ended));
  });

  it('follows what is written', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'going', { status: 'running', episodes: [[0, 0]] });
    const before = await view.get('api/runs');
    expect((await view.get('api/runs')).headers.get('etag')).toBe(before.headers.get('etag'));
    await log.writeEpisode(record(1, 0, { run: { runId: 'going', logDir: view.logDir }, reward: 0 }));
    const after = await view.get('api/runs', { 'If-None-Match': before.headers.get('etag') ?? '' });
    expect(after.status).toBe(200);
    expect(listOf(after.json).runs[0]).toMatchObject({ episodes: 2, averageReward: 0.5 });
  });

  it('names what cannot be read, and lists the rest', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'whole');
    const cut = await makeViewedRun(view.logDir, 'cut');
    const lost = await makeViewedRun(view.logDir, 'lost');
    writeFileSync(cut.paths.run, readFileSync(cut.paths.run, 'utf8').slice(0, 100));
    writeFileSync(lost.paths.metrics, '{"average_reward": "x"}');
    writeFileSync(path.join(view.logDir, 'cut-file.json'), '[{"task_id": 1');
    writeFileSync(path.join(view.logDir, 'other.json'), '{"no": "results"}');
    writeFileSync(path.join(view.logDir, 'baselines.json'), 'nonsense');
    mkdirSync(path.join(view.logDir, 'no-run'));
    const { runs, problems } = listOf((await view.get('api/runs')).json);
    expect(runs.map(({ id }) => id).sort()).toEqual(['lost', 'whole']);
    expect(figuresOf(runs.find(({ id }) => id === 'lost'))).toEqual(figuresOf(runs.find(({ id }) => id === 'whole')));
    expect(problems).toHaveLength(4);
    for (const name of ['cut/run.json', 'lost/metrics.json', 'cut-file.json', 'baselines.json']) {
      expect(problems.join('\n')).toContain(path.join(view.logDir, name));
    }
  });

  it('is empty where nothing has been run', async () => {
    const view = await startView('/nowhere/at/all');
    expect((await view.get('api/runs')).json).toEqual({ logDir: '/nowhere/at/all', runs: [], problems: [] });
  });
});

describe('a run', () => {
  it('is what the report page shows of it', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const { payload } = await buildPayload([{ kind: 'run', log, report: await reportOfRun(log) }]);
    const { run, cursor, sweepUrl, notes } = runOf((await view.get('api/runs/mine')).json);
    const [shown] = payload.runs;
    const withoutPlaces = shown?.episodes.map(({ chunk: _, place: __, ...episode }) => episode);
    expect(run).toEqual({ ...shown, episodes: withoutPlaces });
    expect(run.tools).toEqual(['pay']);
    expect({ cursor, sweepUrl, notes }).toEqual({
      cursor: readFileSync(log.paths.rows).length,
      sweepUrl: null,
      notes: [],
    });
  });

  it('is read from its rows, and from the records that have none', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const expected = runOf((await view.get('api/runs/mine')).json).run;
    const lines = readFileSync(log.paths.rows, 'utf8').split('\n');
    // Cut short, and without the tools' names, as versions before this one wrote it.
    const old = lines.slice(0, 3).map((line) => line.replace(/,"tools":\[[^\]]*\]/, ''));
    writeFileSync(log.paths.rows, [...old, '{"file":"task-7'].join('\n'));
    expect(runOf((await view.get('api/runs/mine')).json).run).toEqual(expected);
    rmSync(log.paths.rows);
    expect(runOf((await view.get('api/runs/mine')).json).run).toEqual(expected);
  });

  it('is shown without the records that are damaged, and says which', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    appendFileSync(recordPath(log, 'task-7.trial-1'), 'x');
    const { run } = runOf((await view.get('api/runs/mine')).json);
    expect(run.episodes).toHaveLength(3);
    expect(run.problems.join()).toContain('task-7.trial-1.json is damaged');
    const episode = await view.get('api/runs/mine/episodes/7/1');
    expect(episode.status).toBe(422);
    expect(episode.json).toMatchObject({
      problem: expect.stringContaining('task-7.trial-1.json is damaged') as string,
    });
  });

  it('may be a results file of any tool', async () => {
    const view = await startView();
    idleFile(view.logDir);
    const { run } = runOf((await view.get('api/runs/idle.json')).json);
    expect(run.subject).toMatchObject({ runId: 'idle', strategy: null });
    expect(run.episodes.map(({ taskId, reward }) => [taskId, reward])).toEqual([
      [0, 0],
      [7, 1],
    ]);
  });

  it('leads to its Temporal UI', async () => {
    const view = await startView(undefined, { findUi: (run) => Promise.resolve(run && 'http://127.0.0.1:8233') });
    await makeViewedRun(view.logDir, 'mine');
    const { sweepUrl } = runOf((await view.get('api/runs/mine')).json);
    expect(sweepUrl).toBe('http://127.0.0.1:8233/namespaces/default/workflows/mine');
    expect((await view.get('api/runs/mine/episodes/0/1')).json).toMatchObject({
      conversation: { historyUrl: expect.stringContaining('http://127.0.0.1:8233/namespaces/default/') as string },
    });
  });
});
