/** A view's server on a log folder of the test, and what it answers. */

import { connect } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFinished } from 'vitest';

import { openRun, RunLog } from '../../src/run-log/index.ts';
import { metricsToJson, reportOfRun } from '../../src/results/report/index.ts';
import { startViewServer, type ViewOptions, type ViewedPlace } from '../../src/viewer/server/index.ts';
import type { RecordInput } from '../../src/episode/index.ts';
import { CONFIG, record, scratchFolder } from '../results/fixtures.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Document of a JSON answer. */
  readonly json: unknown;
}

export interface View {
  readonly url: string;
  readonly logDir: string;
  readonly place: ViewedPlace;
  get(path: string, headers?: Record<string, string>): Promise<Answered>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>;
}

export const BUNDLE = { script: 'document.title = "view";', style: 'body { margin: 0 }' };

export async function startView(logDir = scratchFolder(), options: Partial<ViewOptions> = {}): Promise<View> {
  const { place = { logDir, folder: logDir } } = options;
  const server = await startViewServer({ port: 0, bundle: () => Promise.resolve(BUNDLE), ...options, place });
  onTestFinished(() => server.close());
  const ask = async (at: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${server.url}/${at}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  return {
    url: server.url,
    logDir,
    place,
    get: (at, headers = {}) => ask(at, { headers }),
    put: (at, body, headers = {}) =>
      ask(at, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

export interface MadeRun {
  readonly status?: 'running' | 'completed';
  readonly startedAt?: string;
  /** Task, trial and changes of each record; the reward 1 is a success. */
  readonly episodes?: readonly (readonly [taskId: number, trial: number, changes?: Partial<RecordInput>])[];
}

/** A run as `run` leaves it; of two tasks with two trials each, three of them solved. */
export async function makeViewedRun(logDir: string, runId: string, made: MadeRun = {}): Promise<RunLog> {
  const { status = 'completed', startedAt = '2025-01-01T00:00:00.000Z', episodes = FOUR } = made;
  const log = new RunLog({ runId, logDir });
  const run = { runId, logDir };
  const plan = { taskIds: [...new Set(episodes.map(([taskId]) => taskId))], numTrials: 2, shuffle: false };
  const input = { run, config: CONFIG, plan, maxConcurrency: 1, maxCostUsd: null, workflowId: runId };
  const temporal = { address: '127.0.0.1:7233', namespace: 'default', workflowId: runId };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal, notes: [] });
  await log.writeRun({ ...manifest, startedAt, status, endedAt: status === 'running' ? null : startedAt });
  for (const [taskId, trial, changes] of episodes) await log.writeEpisode(record(taskId, trial, { run, ...changes }));
  if (status === 'completed') await log.writeMetrics(metricsToJson(await reportOfRun(log)));
  return log;
}

const FOUR: NonNullable<MadeRun['episodes']> = [
  [0, 0],
  [0, 1],
  [7, 0],
  [7, 1, { reward: 0 }],
];

export const recordPath = (log: RunLog, name: string) => path.join(log.paths.episodes, `${name}.json`);

/** Status of a request as it is written: `fetch` would put odd paths and hosts in order. */
export async function rawStatus({ url }: View, head: string, body = ''): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write(`${head}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'close');
  return Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1]);
}
