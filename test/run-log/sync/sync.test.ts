/** Copies between a folder and a store in memory: what is copied, in which order, and what is never overwritten. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { syncLogs, type SyncSides } from '../../../src/run-log/sync/index.ts';
import { namesIn, scratchFolder } from '../../cli/in-process.ts';
import { MemoryStore } from './memory-store.ts';

const EPISODE = 'r/episodes/task-0.trial-0.json';
const RUN = { 'r.json': '[]', [EPISODE]: '{"reward":1}', 'r/run.json': '{"status":"completed"}', 'r/tasks.json': '' };

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function storeOf(files: Readonly<Record<string, string>>): MemoryStore {
  const store = new MemoryStore();
  for (const [name, text] of Object.entries(files)) store.keep(`p/${name}`, text);
  return store;
}

async function sync(
  direction: SyncSides['direction'],
  folder: string,
  store: MemoryStore,
  runIds: readonly string[] | null = null,
) {
  store.requests.length = 0;
  return syncLogs({ direction, folder, store, prefix: 'p/', runIds }, new AbortController().signal);
}

describe('a copy to the store', () => {
  it('has all files below the prefix, run.json last', async () => {
    const store = new MemoryStore();
    const folder = folderOf({ ...RUN, 'r/rows.jsonl': '{}', 'r/run-token': 'x', 'r/open/task-1.trial-0.jsonl': '{}' });
    expect(await sync('to store', folder, store)).toEqual({ copied: 4, unchanged: 0, bytes: 36, problems: [] });
    expect(store.texts()).toEqual(Object.fromEntries(Object.entries(RUN).map(([name, text]) => [`p/${name}`, text])));
    expect(store.written.at(-1)).toBe('p/r/run.json');
  });

  it('copies only what differs, also at equal size, without further requests for the rest', async () => {
    const store = new MemoryStore();
    const folder = folderOf(RUN);
    await sync('to store', folder, store);
    expect(await sync('to store', folder, store)).toMatchObject({ copied: 0, unchanged: 4, bytes: 0 });
    expect(store.requests).toEqual(['list p/']);
    writeFileSync(join(folder, EPISODE), '{"reward":0}');
    expect(await sync('to store', folder, store)).toMatchObject({ copied: 1, unchanged: 3, bytes: 12 });
    expect(store.texts()[`p/${EPISODE}`]).toBe('{"reward":0}');
  });

  it('identifies an object by its SHA-256 if the ETag does not follow from the content', async () => {
    const store = new MemoryStore();
    const folder = folderOf(RUN);
    await sync('to store', folder, store);
    for (const [key, kept] of store.objects) store.objects.set(key, { ...kept, etag: `own-${key}` });
    expect(await sync('to store', folder, store)).toMatchObject({ copied: 0, unchanged: 4 });
  });

  it('overwrites nothing that has changed since it was listed, and leaves run.json of that run', async () => {
    const folder = folderOf(RUN);
    const store = storeOf({ [EPISODE]: 'old' });
    store.beforeRequest = (request) => {
      if (request === `put p/${EPISODE}`) store.keep(`p/${EPISODE}`, 'theirs');
      if (request === 'put p/r/tasks.json') store.keep('p/r/tasks.json', 'theirs');
    };
    const { problems, copied } = await sync('to store', folder, store);
    expect([...problems].sort()).toEqual(
      [EPISODE, 'r/tasks.json'].map(
        (name) => `${name} has changed in the store since it was listed, and is not overwritten`,
      ),
    );
    expect(copied).toBe(1);
    expect(store.texts()).toMatchObject({ [`p/${EPISODE}`]: 'theirs', 'p/r/tasks.json': 'theirs' });
    expect(store.objects.has('p/r/run.json')).toBe(false);
  });

  it('has the run.json from before the records were listed if the run ends meanwhile', async () => {
    const folder = folderOf({ ...RUN, 'r/run.json': '{"status":"open"}' });
    const store = new MemoryStore();
    store.beforeRequest = (request) => {
      if (request.startsWith('list')) writeFileSync(join(folder, 'r/run.json'), '{"status":"completed"}');
    };
    await sync('to store', folder, store);
    expect(store.texts()['p/r/run.json']).toBe('{"status":"open"}');
    await sync('to store', folder, store);
    expect(store.texts()['p/r/run.json']).toBe('{"status":"completed"}');
  });

  it('leaves out a file that was removed meanwhile, with a message', async () => {
    const folder = folderOf(RUN);
    const store = new MemoryStore();
    store.beforeRequest = () => rmSync(join(folder, EPISODE), { force: true });
    expect((await sync('to store', folder, store)).problems).toEqual([
      `${EPISODE} has been removed since it was listed`,
    ]);
  });

  it('ends with the first error, and writes nothing afterwards', async () => {
    const folder = folderOf(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`r/episodes/${i}.json`, 'x'])));
    const store = new MemoryStore();
    store.beforeRequest = (request) => {
      if (request.endsWith('/20.json')) throw new Error('away');
    };
    await expect(sync('to store', folder, store)).rejects.toThrow('away');
    const { length } = store.requests;
    await new Promise(setImmediate);
    expect(store.requests).toHaveLength(length);
    expect(store.written.length).toBeLessThan(39);
  });
});

describe('a copy to a folder', () => {
  it('has the files of the runs that are named', async () => {
    const folder = scratchFolder();
    const store = storeOf({ ...RUN, 'r2/run.json': '{}', 'baselines.json': '{}' });
    expect(await sync('from store', folder, store, ['r'])).toMatchObject({ copied: 4, problems: [] });
    expect(namesIn(folder).sort()).toEqual(['r', 'r.json']);
    expect(readFileSync(join(folder, EPISODE), 'utf8')).toBe('{"reward":1}');
    expect(await sync('from store', folder, store, ['r'])).toMatchObject({ copied: 0, unchanged: 4 });
  });

  it('never leaves the folder, whatever the keys are', async () => {
    const outer = scratchFolder();
    const store = storeOf({
      '../evil.json': 'x',
      'r/../../evil.json': 'x',
      '/evil.json': 'x',
      'r\\..\\evil.json': 'x',
    });
    store.keep('p/r/run.json', '{}');
    store.keep('p/r/', '');
    const { copied, problems } = await sync('from store', join(outer, 'logs'), store);
    expect(copied).toBe(1);
    expect(problems).toEqual([expect.stringMatching(/^4 files not copied, because no file may have such a name: `/)]);
    expect(namesIn(outer)).toEqual(['logs']);
    expect(namesIn(join(outer, 'logs'))).toEqual(['r']);
  });

  it('overwrites no file that has changed since it was listed', async () => {
    const folder = folderOf({ [EPISODE]: 'old' });
    const store = storeOf(RUN);
    store.beforeRequest = (request) => {
      if (request === `get p/${EPISODE}`) writeFileSync(join(folder, EPISODE), 'mine, and newer');
    };
    expect((await sync('from store', folder, store)).problems).toEqual([
      `${EPISODE} has changed in the folder since it was listed, and is not overwritten`,
    ]);
    expect(readFileSync(join(folder, EPISODE), 'utf8')).toBe('mine, and newer');
    expect(existsSync(join(folder, 'r/run.json'))).toBe(false);
    expect(namesIn(join(folder, 'r/episodes'))).toEqual(['task-0.trial-0.json']);
  });

  it('keeps no content that arrives damaged', async () => {
    const folder = scratchFolder();
    const store = new MemoryStore();
    store.keep(`p/${EPISODE}`, 'x', { sha256: '0'.repeat(64) });
    expect((await sync('from store', folder, store)).problems).toEqual([
      `${EPISODE} has arrived damaged from the store, and is not kept`,
    ]);
    expect(namesIn(join(folder, 'r/episodes'))).toEqual([]);
  });

  it('leaves out run.json if the run was new or has changed between two lists', async () => {
    const folder = scratchFolder();
    const store = storeOf({ [EPISODE]: 'x' });
    let lists = 0;
    store.beforeRequest = (request) => {
      if (request.startsWith('list') && (lists += 1) === 2) store.keep('p/r/run.json', '{"status":"completed"}');
    };
    expect(await sync('from store', folder, store)).toMatchObject({ copied: 1, problems: [] });
    expect(existsSync(join(folder, 'r/run.json'))).toBe(false);
    expect(await sync('from store', folder, store)).toMatchObject({ copied: 1, unchanged: 1 });
  });
});
