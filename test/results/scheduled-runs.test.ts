import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { compareScheduledRun, listScheduledRuns } from '../../src/results/compare/index.ts';
import { openRun, RunLog, type RunStatus } from '../../src/run-log/index.ts';
import { RUN_HEAD, openRunLogs } from '../../src/run-log/store/index.ts';
import { LogStore } from '../../src/run-log/store/testing.ts';
import { parseScheduledRunId, scheduledRunId, type EvaluationConfig, type RunEnd } from '../../src/evaluation/index.ts';
import { CONFIG, record, scratchFolder } from './fixtures.ts';
import { MemoryStore } from '../run-log/sync/memory-store.ts';

const day = (n: number) => scheduledRunId('shop', new Date(Date.UTC(2026, 10, n, 2)));

interface Made {
  readonly status?: RunStatus;
  readonly config?: Partial<EvaluationConfig>;
  readonly outcome?: 'user_stop' | 'infrastructure_error';
}

/** Three tasks; those below `solved` are solved. */
async function makeScheduledRun(logDir: string, runId: string, solved: number, made?: Made): Promise<RunLog> {
  const log = new RunLog({ runId, logDir });
  await fillScheduledRun(log, solved, made);
  return log;
}

async function fillScheduledRun(log: RunLog, solved: number, made: Made = {}): Promise<void> {
  const { status = 'completed', config = {}, outcome = 'user_stop' } = made;
  const { runId, logDir } = log;
  const input = {
    run: { runId, logDir },
    config: { ...CONFIG, ...config },
    plan: { taskIds: [0, 1, 2], numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    workflowId: runId,
  };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
  await log.writeRun({ ...manifest, status });
  for (const taskId of [0, 1, 2]) {
    const failure = { kind: 'infrastructure_error', error: 'x', message: 'x' } as const;
    await log.writeEpisode(
      record(taskId, 0, {
        reward: taskId < solved ? 1 : 0,
        outcome: outcome === 'user_stop' ? { kind: 'user_stop' } : failure,
        ...(outcome === 'user_stop' ? {} : { grade: null }),
      }),
    );
  }
}

const compare = (logDir: string, runId: string, end: RunEnd = 'completed') =>
  compareScheduledRun(
    { run: { runId, logDir }, schedule: 'shop', end, problem: null, planned: 3 },
    openRunLogs(logDir, null),
    (problem) => expect.fail(problem),
  );

describe('the name of a scheduled run', () => {
  it('is that of its schedule and the second it was due', () => {
    const runId = scheduledRunId('shop', new Date('2026-11-21T02:00:00.400Z'));
    expect(runId).toBe('shop-2026-11-21T020000Z');
    expect(parseScheduledRunId('shop', runId)).toEqual({ runId, at: '2026-11-21T02:00:00Z', count: 1 });
    expect(parseScheduledRunId('shop', `${runId}-2`)).toMatchObject({ count: 2 });
  });

  it.each(['shop', 'shop-x-2026-11-21T020000Z', 'shopping-2026-11-21T020000Z', 'shop-2026-11-21T020000Z.json'])(
    'is not %s',
    (runId) => {
      expect(parseScheduledRunId('shop', runId)).toBeNull();
    },
  );
});

describe('a scheduled run is compared with', () => {
  it('the last one before it, whatever came after', async () => {
    const logDir = scratchFolder();
    await makeScheduledRun(logDir, day(1), 0);
    await makeScheduledRun(logDir, day(2), 3);
    await makeScheduledRun(logDir, day(3), 3);
    await makeScheduledRun(logDir, day(4), 0);
    expect((await listScheduledRuns(openRunLogs(logDir, null), 'shop')).map(({ runId }) => runId)).toEqual(
      [1, 2, 3, 4].map(day),
    );
    expect(await compare(logDir, day(3))).toMatchObject({ verdict: 'no_difference', baseline: { runId: day(2) } });
  });

  it('the same one in a store, from any machine, which is left with no copies', async () => {
    const store = new MemoryStore();
    const logDir = 's3://bucket/team';
    const machine = async () => {
      const folder = scratchFolder();
      const logs = new LogStore(store, { logDir, prefix: 'team/', folder });
      await logs.prepare();
      return { logs, runs: openRunLogs(logDir, logs), copies: () => readdirSync(join(folder, 'copies')) };
    };
    const [one, other] = [await machine(), await machine()];
    const made: [runId: string, solved: number, made?: Made][] = [
      [day(1), 3],
      [day(2), 0, { status: 'cancelled' }],
      [day(3), 0],
      ['shopping-2026', 0],
    ];
    for (const [runId, ...solvedAndMade] of made) {
      await one.logs.change({ runId, logDir }, RUN_HEAD, (log) => fillScheduledRun(log, ...solvedAndMade));
    }
    store.requests.length = 0;
    const before = store.texts();
    const input = { run: { runId: day(3), logDir }, schedule: 'shop', end: 'completed', problem: null } as const;
    const comparison = await compareScheduledRun({ ...input, planned: 3 }, other.runs, (problem) =>
      expect.fail(problem),
    );
    expect(comparison).toMatchObject({ baseline: { runId: day(1) }, errorsLeftOut: { delta: -1 } });
    expect(store.texts()).toEqual(before);
    expect(store.requests.filter((request) => request.startsWith('folders'))).toEqual(['folders team/shop-']);
    expect([one, other].flatMap(({ copies }) => copies())).toEqual([]);
  });

  it('none that was stopped, is under way, or says nothing about the agent', async () => {
    const logDir = scratchFolder();
    await makeScheduledRun(logDir, day(1), 3);
    await makeScheduledRun(logDir, day(2), 0, { status: 'cancelled' });
    await makeScheduledRun(logDir, day(3), 0, { status: 'failed' });
    await makeScheduledRun(logDir, day(4), 0, { status: 'running' });
    await makeScheduledRun(logDir, day(5), 0, { outcome: 'infrastructure_error' });
    await makeScheduledRun(logDir, day(6), 0, { status: 'budget_reached' });
    await makeScheduledRun(logDir, day(7), 3);
    expect(await compare(logDir, day(7))).toMatchObject({ verdict: 'no_difference', baseline: { runId: day(1) } });
  });

  it('one of another pack by name only', async () => {
    const logDir = scratchFolder();
    await makeScheduledRun(logDir, day(1), 3, { config: { pack: { ...CONFIG.pack, digest: 'cd'.repeat(32) } } });
    await makeScheduledRun(logDir, day(2), 0);
    expect(await compare(logDir, day(2))).toMatchObject({ verdict: 'incomparable', baseline: { runId: day(1) } });
  });

  it('the one of the same second that came first', async () => {
    const logDir = scratchFolder();
    await makeScheduledRun(logDir, day(1), 3);
    await makeScheduledRun(logDir, `${day(1)}-2`, 3);
    expect(await compare(logDir, `${day(1)}-2`)).toMatchObject({ baseline: { runId: day(1) } });
    expect(await compare(logDir, day(1))).toMatchObject({ verdict: 'first' });
  });

  it('nothing where it is the first; a damaged neighbour is reported', async () => {
    const logDir = scratchFolder();
    const damaged = await makeScheduledRun(logDir, day(1), 3);
    await writeFile(damaged.paths.run, '{');
    await makeScheduledRun(logDir, day(2), 3);
    const problems: string[] = [];
    const input = {
      run: { runId: day(2), logDir },
      schedule: 'shop',
      end: 'completed',
      problem: null,
      planned: 3,
    } as const;
    const comparison = await compareScheduledRun(input, openRunLogs(logDir, null), (problem) => problems.push(problem));
    expect(comparison).toMatchObject({ verdict: 'first' });
    expect(problems).toEqual([expect.stringContaining(damaged.paths.run)]);
  });

  it('the run before, even without a run log of its own', async () => {
    const logDir = scratchFolder();
    await makeScheduledRun(logDir, day(1), 3);
    const comparison = await compare(logDir, day(2), 'failed');
    expect(comparison).toMatchObject({ verdict: 'unfinished', run: { status: 'failed', unfinished: { missing: 3 } } });
    const log = new RunLog({ runId: day(2), logDir });
    await log.writeComparison(comparison);
    expect(await log.readComparison()).toMatchObject({ verdict: 'unfinished', baseline: { runId: day(1) } });
  });
});
