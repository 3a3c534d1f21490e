/** The view of a log folder that is in a store, which is in memory. */

import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { RunLog } from '../../../src/run-log/index.ts';
import { LogStore } from '../../../src/run-log/store/testing.ts';
import type { LiveRun, RunList, ViewedEpisode, ViewedRun } from '../../../src/viewer/data/testing.ts';
import { makeViewedRun, startView, type View } from '../../viewer/viewed.ts';
import { record, scratchFolder } from '../../results/fixtures.ts';
import { MemoryStore } from '../sync/memory-store.ts';

const ADDRESS = 's3://bucket/team';
const REST_MS = 5_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

interface Stored {
  readonly store: MemoryStore;
  readonly view: View;
  /** Puts a folder's files into the store, and removes there what the folder has not. */
  upload(): void;
}

async function viewStore(logDir: string): Promise<Stored> {
  const store = new MemoryStore();
  const upload = () => {
    const files = readdirSync(logDir, { recursive: true }).map(String);
    const names = files.filter((name) => statSync(path.join(logDir, name)).isFile() && !/rows\.jsonl$/.test(name));
    for (const key of store.objects.keys()) if (!names.includes(key.slice('team/'.length))) store.objects.delete(key);
    for (const name of names) store.keep(`team/${name}`, readFileSync(path.join(logDir, name), 'utf8'));
  };
  upload();
  const logs = new LogStore(store, { logDir: ADDRESS, prefix: 'team/', folder: scratchFolder() });
  await logs.prepare();
  const place = await logs.mirror();
  const view = await startView(place.folder, { place });
  return { store, view, upload };
}

const later = () => vi.setSystemTime(Date.now() + 2 * REST_MS);

const gets = ({ store }: Stored, part: string) =>
  store.requests.filter((request) => request.startsWith('get ') && request.includes(part)).length;

async function runs({ view }: Stored): Promise<Record<string, number>> {
  const list = (await view.get('api/runs')).json as RunList;
  expect(list).toMatchObject({ logDir: ADDRESS, problems: [] });
  return Object.fromEntries(list.runs.map(({ id, episodes }) => [id, episodes]));
}

describe('the view of a store', () => {
  it('lists runs without their records, and reads those of a run that is opened once', async () => {
    const logDir = scratchFolder();
    await makeViewedRun(logDir, 'mine');
    const stored = await viewStore(logDir);
    expect(await runs(stored)).toEqual({ mine: 4 });
    expect(gets(stored, 'episodes/')).toBe(0);
    const { run } = (await stored.view.get('api/runs/mine')).json as ViewedRun;
    expect(run.episodes).toHaveLength(4);
    later();
    const { conversation } = (await stored.view.get('api/runs/mine/episodes/7/1')).json as ViewedEpisode;
    expect(conversation).toMatchObject({ opening: 'Hello', steps: [{ name: 'pay' }, { name: 'respond' }] });
    expect(gets(stored, 'episodes/')).toBe(4);
    expect((await stored.view.get('api/runs/other')).json).toMatchObject({
      problem: expect.stringContaining(`there is no run "other" in ${ADDRESS}`) as string,
    });
  });

  it('follows an open run, also if a record is replaced or archived', async () => {
    const logDir = scratchFolder();
    const log: RunLog = await makeViewedRun(logDir, 'mine', { status: 'running', episodes: [[0, 0]] });
    const stored = await viewStore(logDir);
    expect(await runs(stored)).toEqual({ mine: 1 });
    const live = async (after: number) => (await stored.view.get(`api/runs/mine/live?after=${after}`)).json as LiveRun;
    const first = await live(0);
    expect(first).toMatchObject({ status: 'running', recorded: [{ taskId: 0, trial: 0 }] });

    await log.writeEpisode(record(0, 1, { run: { runId: 'mine', logDir } }));
    stored.upload();
    // Asked again at once, it answers from what it has.
    const listings = stored.store.requests.filter((request) => request.startsWith('list')).length;
    expect(await live(first.cursor)).toMatchObject({ recorded: [] });
    expect(stored.store.requests.filter((request) => request.startsWith('list'))).toHaveLength(listings);
    later();
    const second = await live(first.cursor);
    expect(second).toMatchObject({ recorded: [{ taskId: 0, trial: 1 }] });

    await log.archiveEpisode({ taskId: 0, trial: 0 });
    await log.writeEpisode(record(0, 1, { reward: 0, workflowRunId: 'again', run: { runId: 'mine', logDir } }));
    stored.upload();
    later();
    expect(await live(second.cursor)).toMatchObject({ recorded: [{ taskId: 0, trial: 1, reward: 0 }] });
    expect(await runs(stored)).toEqual({ mine: 1 });
  });

  it('shows results files of other tools, and what appears later', async () => {
    const logDir = scratchFolder();
    const stored = await viewStore(logDir);
    expect(await runs(stored)).toEqual({});
    stored.store.keep('team/theirs.json', '[{"task_id": 0, "reward": 1.0, "info": {}, "traj": [], "trial": 0}]');
    stored.store.keep('team/../evil.json', '[]');
    later();
    expect(await runs(stored)).toEqual({ 'theirs.json': 1 });
  });

  it('writes notes to the store', async () => {
    const logDir = scratchFolder();
    await makeViewedRun(logDir, 'mine');
    const stored = await viewStore(logDir);
    stored.store.keep('team/theirs.json', '[{"task_id": 0, "reward": 1.0, "info": {}, "traj": [], "trial": 0}]');
    const at = { mine: 'api/runs/mine/episodes/7/1/note', theirs: 'api/runs/theirs.json/episodes/0/0/note' };
    for (const note of Object.values(at)) {
      expect(await stored.view.put(note, { labels: ['odd'], text: 'Look.' })).toMatchObject({ status: 200 });
      expect((await stored.view.get(note)).json).toMatchObject({ labels: ['odd'], text: 'Look.' });
    }
    const written = Object.entries(stored.store.texts()).filter(([key]) => key.includes('notes/'));
    expect(written.map(([key]) => key)).toEqual([
      'team/mine/notes/task-7.trial-1.json',
      'team/theirs.notes/task-0.trial-0.json',
    ]);
    await stored.view.put(at.mine, { labels: [], text: '' });
    expect((await stored.view.get(at.mine)).status).toBe(404);
    expect(Object.keys(stored.store.texts()).some((key) => key.startsWith('team/mine/notes/'))).toBe(false);
  });
});
