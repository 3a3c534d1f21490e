/** A run while it goes on, as the server answers for it. */

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  appendOpenLines,
  removeOpenEpisode,
  removeOpenEpisodes,
  appendRequest,
  type OpenEpisodeLine,
  type RunLog,
} from '../../../src/run-log/index.ts';
import { makeOpenFolders } from '../../../src/run-log/testing.ts';
import type {
  KeptRequests,
  LiveRun,
  OpenConversation,
  RunList,
  ViewedEpisode,
  ViewedRun,
} from '../../../src/viewer/data/testing.ts';
import { LiveReader } from '../../../src/viewer/server/testing.ts';
import { idleFile } from '../../cli/reported-runs.ts';
import { record, scratchFolder } from '../../results/fixtures.ts';
import { makeViewedRun, startView, type View } from '../viewed.ts';
import { cpuMs } from '../../helpers/linear.ts';

async function startLive(): Promise<{ view: View; log: RunLog; live: (after: number) => Promise<LiveRun> }> {
  const view = await startView();
  const log = await makeViewedRun(view.logDir, 'mine', { status: 'running' });
  return { view, log, live: async (after) => (await view.get(`api/runs/mine/live?after=${after}`)).json as LiveRun };
}

const names = ({ recorded }: LiveRun) => recorded.map(({ taskId, trial }) => `${taskId}.${trial}`);

function line(changes: Partial<OpenEpisodeLine>): OpenEpisodeLine {
  const at = '2025-01-01T00:00:01.000Z';
  const reply = { at, activityId: '1', workflowRunId: 'w', role: 'agent', tool: null, text: 'Hello' };
  return { ...reply, observation: null, costUsd: 0.01, ...changes };
}

const step = (activityId: string) =>
  line({ activityId, role: null, tool: 'pay', text: '{"id": 1}', observation: 'ok' });

describe('a run that goes on', () => {
  it('is followed from where its page was made', async () => {
    const { view, log, live } = await startLive();
    const { cursor, run } = (await view.get('api/runs/mine')).json as ViewedRun;
    expect(run.episodes).toHaveLength(4);
    const before = await live(cursor);
    expect(before).toMatchObject({ cursor, isAnew: false, status: 'running', planned: 4, recorded: [], open: [] });
    await log.writeEpisode(record(7, 1, { workflowRunId: 'again', run: { runId: 'mine', logDir: log.logDir } }));
    const after = await live(cursor);
    expect(after.recorded).toMatchObject([
      { taskId: 7, trial: 1, reward: 1, costUsd: 0.024, endedAt: '2025-01-01T00:00:12.500Z', tools: [0] },
    ]);
    expect(after.tools).toEqual(['pay']);
    expect((await live(after.cursor)).recorded).toEqual([]);
    expect(names(await live(0))).toEqual(['0.0', '0.1', '7.0', '7.1']);
  });

  it('begins again where its index was written anew or cut', async () => {
    const { log, live } = await startLive();
    const { cursor } = await live(0);
    const text = readFileSync(log.paths.rows, 'utf8');
    writeFileSync(log.paths.rows, text.slice(0, text.lastIndexOf('\n')));
    expect(await live(cursor)).toMatchObject({ isAnew: true, recorded: { length: 3 } });
    rmSync(log.paths.rows);
    expect(await live(cursor)).toMatchObject({ isAnew: true, cursor: 0, recorded: [] });
  });

  it('waits for the rest of a row, and leaves out rows of records that are gone', async () => {
    const { log, live } = await startLive();
    const { cursor } = await live(0);
    const [row = ''] = readFileSync(log.paths.rows, 'utf8').split('\n');
    appendFileSync(log.paths.rows, `\n${row.slice(0, 50)}`);
    const half = await live(cursor);
    expect(half).toMatchObject({ cursor, recorded: [] });
    appendFileSync(log.paths.rows, row.slice(50));
    expect(names(await live(half.cursor))).toEqual(['0.0']);
    rmSync(path.join(log.paths.episodes, 'task-0.trial-0.json'));
    expect(names(await live(half.cursor))).toEqual([]);
  });

  it('has its open episodes with their last line, and no more when they have ended', async () => {
    const { view, log, live } = await startLive();
    await makeOpenFolders(log.paths, {});
    const key = { taskId: 3, trial: 1 };
    const lines = [
      line({ role: 'user', text: 'I want\nto pay' }),
      line({ activityId: '2' }),
      step('3'),
      line({ activityId: '4', text: 'Done.', costUsd: null }),
      line({ activityId: '5', role: 'user', text: '###STOP###', at: '2025-01-01T00:00:09.000Z' }),
    ];
    for (const each of lines.slice(0, 3)) await appendOpenLines(log.paths, key, [each]);
    writeFileSync(path.join(log.paths.open, 'README'), 'no episode');
    expect((await live(0)).open).toEqual([
      {
        ...key,
        startedAt: '2025-01-01T00:00:01.000Z',
        lastAt: '2025-01-01T00:00:01.000Z',
        steps: 1,
        costUsd: 0.03,
        last: 'pay {"id": 1}',
      },
    ]);
    for (const each of lines.slice(3)) await appendOpenLines(log.paths, key, [each]);
    expect((await live(0)).open).toMatchObject([
      { steps: 2, costUsd: null, last: 'user: ###STOP###', lastAt: '2025-01-01T00:00:09.000Z' },
    ]);
    const { lines: shown } = (await view.get('api/runs/mine/open/3/1')).json as OpenConversation;
    expect(shown).toHaveLength(5);
    expect(shown[2]).toEqual({
      ...{ at: '2025-01-01T00:00:01.000Z', role: null, tool: 'pay', text: '{"id": 1}', observation: 'ok' },
    });
    await removeOpenEpisode(log.paths, key);
    expect((await live(0)).open).toEqual([]);
    expect((await view.get('api/runs/mine/open/3/1')).json).toEqual({ lines: [] });
    await removeOpenEpisodes(log.paths);
    expect((await live(0)).open).toEqual([]);
  });

  it('has the state by its server, in the list as well, as long as its log has no end', async () => {
    const state = {
      status: 'terminated',
      reason: 'its workflow was terminated on the server',
      command: 'npx tauflow run',
    };
    const view = await startView(scratchFolder(), { findState: () => Promise.resolve(state) });
    await makeViewedRun(view.logDir, 'open', { status: 'running' });
    await makeViewedRun(view.logDir, 'ended', { status: 'completed' });
    const liveState = async (id: string) => ((await view.get(`api/runs/${id}/live?after=0`)).json as LiveRun).state;
    expect([await liveState('open'), await liveState('ended')]).toEqual([state, null]);
    const { runs } = (await view.get('api/runs')).json as RunList;
    expect(new Map(runs.map((run) => [run.id, run.state]))).toEqual(
      new Map([
        ['open', state],
        ['ended', null],
      ]),
    );
  });

  it('says for how long it has been quiet', async () => {
    const { log } = await startLive();
    const reader = new LiveReader();
    const minutes = async (epochMs: number, elapsedMs: number) =>
      (await reader.read(log, 0, { epochMs: Date.now() + epochMs * 60_000, elapsedMs: elapsedMs * 60_000 }))
        .quietMinutes;
    expect(await minutes(0, 0)).toBe(0);
    expect(await minutes(5.5, 5.5)).toBe(5);
    // The clock was set by an hour meanwhile, forward and back.
    expect(await minutes(66, 6)).toBe(6);
    expect(await minutes(-53, 7)).toBe(7);
    expect((await new LiveReader().read(log, 0, { epochMs: 0, elapsedMs: 0 })).quietMinutes).toBe(0);
  });

  it('is sent again only when something has changed', async () => {
    const { view, live, log } = await startLive();
    const { cursor } = await live(0);
    const at = `api/runs/mine/live?after=${cursor}`;
    const tag = (await view.get(at)).headers.get('etag') ?? '';
    expect((await view.get(at, { 'If-None-Match': tag })).status).toBe(304);
    await log.writeEpisode(record(1, 0, { run: { runId: 'mine', logDir: log.logDir } }));
    expect((await view.get(at, { 'If-None-Match': tag })).status).toBe(200);
  });

  it.each(['-1', '1.5', 'x', '9'.repeat(40)])('refuses the cursor %s', async (after) => {
    const { view } = await startLive();
    expect((await view.get(`api/runs/mine/live?after=${after}`)).status).toBe(400);
  });

  it('is never a results file', async () => {
    const view = await startView();
    idleFile(view.logDir);
    expect((await view.get('api/runs/idle.json/live')).status).toBe(404);
  });

  it('is asked for cheaply, however many episodes it has', async () => {
    const log = await makeViewedRun(scratchFolder(), 'long', { status: 'running' });
    await makeOpenFolders(log.paths, {});
    const [row = ''] = readFileSync(log.paths.rows, 'utf8').split('\n');
    appendFileSync(log.paths.rows, `\n${row}`.repeat(10_000));
    for (let taskId = 0; taskId < 100; taskId++) await appendOpenLines(log.paths, { taskId, trial: 5 }, [step('1')]);
    const reader = new LiveReader();
    const { cursor } = await reader.read(log, 0);
    const spentMs = await cpuMs(async () => {
      for (let look = 0; look < 20; look++) expect((await reader.read(log, cursor)).open).toHaveLength(100);
    });
    // About 2 ms each.
    expect(spentMs / 20).toBeLessThan(50);
  });
});

describe('requests that were kept', () => {
  it('are those of the record, without what the log has for itself', async () => {
    const { view, log } = await startLive();
    const key = { taskId: 7, trial: 0 };
    expect(((await view.get('api/runs/mine/episodes/7/0')).json as ViewedEpisode).hasRequests).toBe(false);
    expect(await view.get('api/runs/mine/episodes/7/0/requests')).toMatchObject({ status: 404 });
    await makeOpenFolders(log.paths, { keepRequests: true });
    const kept = {
      ...{ call: 'agent 3', role: 'agent', at: '2025-01-01T00:00:01.000Z', durationMs: 12, status: 429 },
      ...{ request: '{"a": 1.0}', reply: 'x'.repeat(3_000_000) },
    };
    await appendRequest(log.paths, key, { ...kept, workflowRunId: '0b5e', status: null, reply: null });
    await appendRequest(log.paths, key, { ...kept, workflowRunId: '0b5e' });
    await appendRequest(log.paths, key, { ...kept, workflowRunId: 'another' });
    const { requests } = (await view.get('api/runs/mine/episodes/7/0/requests')).json as KeptRequests;
    expect(requests).toHaveLength(2);
    expect(requests[0]).toEqual({ ...kept, status: null, reply: null });
    expect(requests[1]?.reply).toMatch(/^x{1200000}… \[cut: 3,000,000 characters\]$/);
    expect(((await view.get('api/runs/mine/episodes/7/0')).json as ViewedEpisode).hasRequests).toBe(true);
  });
});
