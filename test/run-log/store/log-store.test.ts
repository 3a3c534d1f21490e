/** Operations on a run's log in a store that is in memory: what others change meanwhile, and what a kill leaves. */

import { readdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { BASELINES_FILE, readBaselines, setBaseline } from '../../../src/run-log/index.ts';
import { LogStore } from '../../../src/run-log/store/testing.ts';
import { RUN_HEAD, WHOLE_RUN, type RunPart } from '../../../src/run-log/store/index.ts';
import { scratchFolder } from '../../cli/in-process.ts';
import { MemoryStore } from '../sync/memory-store.ts';

const run = { runId: 'mine', logDir: 's3://bucket/team' };
const METRICS: RunPart = { prefixes: ['metrics.json', 'tasks.json'], wants: () => true };

async function machine(store: MemoryStore) {
  const folder = scratchFolder();
  const logs = new LogStore(store, { logDir: run.logDir, prefix: 'team/', folder });
  await logs.prepare();
  return { logs, folder, copies: () => readdirSync(join(folder, 'copies')) };
}

/** Adds one to a number in a document of the run. */
function addOne(logs: LogStore, file = 'tasks.json'): Promise<number> {
  return logs.change(run, METRICS, async (log) => {
    const path = join(log.paths.folder, file);
    const now = Number(await readFile(path, 'utf8').catch(() => '0')) + 1;
    await rm(path, { force: true });
    await mkdir(log.paths.folder, { recursive: true });
    writeFileSync(path, String(now));
    return now;
  });
}

describe('operations on a run in a store', () => {
  it('lose nothing if several machines work at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), async (machines, each) => {
        const store = new MemoryStore();
        const all = await Promise.all(Array.from({ length: machines }, () => machine(store)));
        for (let time = 0; time < each; time++) await Promise.all(all.map(({ logs }) => addOne(logs)));
        expect(store.texts()['team/mine/tasks.json']).toBe(String(machines * each));
        expect(all.flatMap(({ copies }) => copies())).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it('keep every baseline that machines set at the same time', async () => {
    const store = new MemoryStore();
    const all = await Promise.all([1, 2, 3].map(() => machine(store)));
    const set = (logs: LogStore, name: string) =>
      logs.changeShared(BASELINES_FILE, (folder) => setBaseline(folder, name, 'mine'));
    await Promise.all(all.map(({ logs }, index) => set(logs, `name-${index}`)));
    const [first] = all;
    expect(await first?.logs.changeShared(BASELINES_FILE, readBaselines)).toEqual({
      'name-0': 'mine',
      'name-1': 'mine',
      'name-2': 'mine',
    });
    expect(Object.keys(store.texts())).toEqual(['team/baselines.json']);
    expect(store.written).toHaveLength(3);
    expect(all.flatMap(({ copies }) => copies())).toEqual([]);
  });

  it('give all machines the same token', async () => {
    const store = new MemoryStore();
    const all = await Promise.all([1, 2, 3].map(() => machine(store)));
    const tokens = await Promise.all(all.map(({ logs }) => logs.change(run, RUN_HEAD, (log) => log.ensureToken())));
    expect(new Set(tokens).size).toBe(1);
    expect(await all[0]?.logs.readToken(run)).toBe(tokens[0]);
    expect(store.written).toEqual(['team/mine/run-token']);
  });

  it('write nothing that has not changed, and remove what the work has removed', async () => {
    const store = new MemoryStore();
    const { logs } = await machine(store);
    store.keep('team/mine/metrics.json', '{}');
    await logs.change(run, WHOLE_RUN, async (log) => {
      await log.writeMetrics({});
      await rm(log.paths.metrics);
      writeFileSync(log.paths.metrics, '{}');
    });
    expect(store.written).toEqual([]);
    await logs.change(run, WHOLE_RUN, async (log) => {
      await rm(log.paths.metrics);
    });
    expect(store.texts()).toEqual({});
  });

  it('change nothing if they fail, and succeed when repeated', async () => {
    const store = new MemoryStore();
    const { logs, copies } = await machine(store);
    store.beforeRequest = (request) => {
      if (request.startsWith('put')) throw new Error('away');
    };
    await expect(addOne(logs)).rejects.toThrow('away');
    expect([store.texts(), copies()]).toEqual([{}, []]);
    store.beforeRequest = () => undefined;
    expect(await addOne(logs)).toBe(1);
    expect(await addOne(logs)).toBe(2);
  });

  it('fetch an object once, however often it is read', async () => {
    const store = new MemoryStore();
    store.keep('team/mine/run.json', '{}');
    const { logs } = await machine(store);
    for (let time = 0; time < 3; time++) await logs.read(run, WHOLE_RUN);
    expect(store.requests.filter((request) => request.startsWith('get'))).toEqual(['get team/mine/run.json']);
  });

  it('forget contents that nothing has used for a month', async () => {
    const store = new MemoryStore();
    store.keep('team/mine/run.json', '{}');
    const { logs, folder } = await machine(store);
    await logs.read(run, WHOLE_RUN);
    onTestFinished(() => {
      vi.useRealTimers();
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    const now = Date.now();
    const keptAfter = async (days: number): Promise<number> => {
      vi.setSystemTime(now + days * 24 * 3_600_000);
      await logs.prepare();
      return readdirSync(join(folder, 'objects')).length;
    };
    expect([await keptAfter(0), await keptAfter(29), await keptAfter(31)]).toEqual([1, 1, 0]);
    expect(readdirSync(join(folder, 'copies'))).toEqual([]);
    await logs.read(run, WHOLE_RUN);
    expect(readdirSync(join(folder, 'objects'))).toHaveLength(1);
  });

  it('write only to the copy for keys that lead elsewhere', async () => {
    const store = new MemoryStore();
    store.keep('team/mine/../../x', 'x');
    store.keep('team/mine/run.json', '{}');
    const { logs } = await machine(store);
    const log = await logs.read(run, WHOLE_RUN);
    expect(readdirSync(log.paths.folder)).toEqual(['run.json']);
    await expect(logs.read({ ...run, runId: '../x' }, WHOLE_RUN)).rejects.toThrow(/is not the name of a folder/);
  });
});
