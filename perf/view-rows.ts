/** `tauflow view` on a log folder of many runs and on one of many episodes: the first answer, and those that follow. */

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLog, openRun, type EpisodeRow } from '../src/run-log/index.ts';
import { metricsToJson, reportOfRows } from '../src/results/report/index.ts';
import { startViewServer } from '../src/viewer/server/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import { ms, type Row } from './table.ts';

const RUNS = 200;
const EPISODES = 10_000;
const TRIALS = 4;

export async function viewRows(pack: Pack): Promise<Row[]> {
  const section = 'View, in one process';
  const row = (name: string, took: number, atMost: number): Row => ({
    section,
    name,
    measured: ms(took),
    target: { atMost, of: 'measured' },
  });
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-bench-view-'));
  try {
    for (let run = 0; run < RUNS; run++) await makeRun(pack, join(folder, 'many'), `run-${run}`, 80);
    await makeRun(pack, join(folder, 'long'), 'long', EPISODES);
    const many = await asked(join(folder, 'many'), 'api/runs');
    const long = await asked(join(folder, 'long'), 'api/runs/long');
    return [
      row(`list of ${RUNS} runs, first`, many.first, 2_000),
      row('the same again', many.again, 100),
      row('the same again, where the browser has it', many.unchanged, 100),
      row(`overview of ${EPISODES} episodes, first`, long.first, 3_000),
      row('the same again', long.again, 300),
      row('the same again, where the browser has it', long.unchanged, 50),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Times {
  readonly first: number;
  readonly again: number;
  /** Time of an answer that is not sent, because nothing has changed. */
  readonly unchanged: number;
}

async function asked(logDir: string, path: string): Promise<Times> {
  const bundle = () => Promise.resolve({ script: '', style: '' });
  const server = await startViewServer({ place: { logDir, folder: logDir }, port: 0, bundle });
  const ask = async (headers: Record<string, string> = {}) => {
    const before = performance.now();
    const response = await fetch(`${server.url}/${path}`, { headers });
    await response.arrayBuffer();
    return { took: performance.now() - before, response };
  };
  try {
    const first = await ask();
    const again = await ask();
    const unchanged = await ask({ 'If-None-Match': first.response.headers.get('etag') ?? '' });
    if (unchanged.response.status !== 304) throw new Error(`${path} was answered with ${unchanged.response.status}`);
    return { first: first.took, again: again.took, unchanged: unchanged.took };
  } finally {
    await server.close();
  }
}

/** A run that has ended. Its records are empty: the view reads their rows. */
async function makeRun(pack: Pack, logDir: string, runId: string, episodes: number): Promise<void> {
  const log = new RunLog({ runId, logDir });
  await log.prepare();
  const taskIds = Array.from({ length: episodes / TRIALS }, (_, taskId) => taskId);
  const model = { provider: 'openai', model: 'gpt-4o', temperature: 0 } as const;
  const config = {
    env: pack.domain,
    split: 'test',
    pack: { ...pack.ref, path: '/packs/bench' },
    strategy: 'tool-calling',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    ...{ agentModel: model, userStrategy: 'llm', userModel: model, maxSteps: 30, seed: 10, maxRetries: 3 },
    episodeTimeoutMs: 600_000,
  } as const;
  const plan = { taskIds, numTrials: TRIALS, shuffle: false };
  const input = { run: { runId, logDir }, config, plan, maxConcurrency: 1, maxCostUsd: null, workflowId: runId };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
  const ended = { ...manifest, status: 'completed', endedAt: manifest.startedAt } as const;
  await log.writeRun(ended);
  const rows = taskIds.flatMap((taskId) => Array.from({ length: TRIALS }, (_, trial) => createRow(taskId, trial)));
  const lines: string[] = [];
  for (const row of rows) {
    const file = `task-${row.taskId}.trial-${row.trial}.json`;
    const place = join(log.paths.episodes, file);
    await writeFile(place, '{}');
    const { size, mtimeMs } = await stat(place);
    lines.push(JSON.stringify({ file, size, mtimeMs, row }));
  }
  await writeFile(log.paths.rows, lines.join('\n'));
  await log.writeMetrics(metricsToJson(await reportOfRows(log, ended, { rows, archived: [], problems: [] })));
}

function createRow(taskId: number, trial: number): EpisodeRow {
  const isSolved = (taskId * 7 + trial * 3) % 5 < 3;
  const usage = { calls: 12, cachedCalls: 0, extraAttempts: 0, truncatedReplies: 0, promptTokens: 20_000 };
  const tokens = { completionTokens: 900, cachedTokens: 0, reasoningTokens: 0, costUsd: 0.05, latencyMs: 8_000 };
  return {
    ...{ taskId, trial, reward: isSolved ? 1 : 0, outcome: 'user_stop', steps: 12, turns: 5, costUsd: 0.1 },
    roles: ['agent', 'user'].map((role) => ({ role, ...usage, ...tokens })),
    ...{ counts: {}, durationMs: 60_000, error: null, numberSpellingOnly: false, wouldHavePassed: false },
    servedModels: ['gpt-4o-2024-08-06'],
    workflowId: `bench/task-${taskId}/trial-${trial}`,
    userId: `user_${taskId}`,
    tools: ['find_user_id_by_email', 'get_order_details', 'cancel_pending_order'],
    endedAt: '2025-01-01T00:00:00.000Z',
  };
}
