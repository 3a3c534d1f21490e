/**
 * The command by itself: the time before a run's first model call and after its last, as the scripted model's log has
 * them, and the CPU time of `--help`.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import type { LoggedCall } from '../src/scripted-model/index.ts';
import { stopServer } from '../src/temporal/server/index.ts';
import { cpuMs, endedChildrenCpuMs, onEnd, start } from './processes.ts';
import { cleanEnvironment, makeFolder, program, startScriptedModel } from './sweep.ts';
import { median, ms, type Row } from './table.ts';

const ROUNDS = 3;
/** CPU time is counted in hundredths of a second. */
const HELPS = 5;
const TASKS = 10;
const LATENCY_MS = 100;

/** Times of one `tauflow run`. @unit milliseconds */
interface Times {
  readonly firstCall: number;
  /** CPU time of the command, without the server's, until it prints that the sweep has started; null without `/proc`. */
  readonly cpu: number | null;
  /** Time from the last reply of the model to the end of the process. */
  readonly end: number;
}

export async function startRows(pack: Pack): Promise<Row[]> {
  const section = `Command (${TASKS} tasks at once, ${LATENCY_MS} ms model; median of ${ROUNDS})`;
  const first: Times[] = [];
  const again: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { folder, remove } = await makeFolder();
    const stopTemporal = onEnd(async () => void (await stopServer(folder)));
    const logFile = join(folder, 'calls.jsonl');
    const model = await startScriptedModel(folder, { pack, latencyMs: LATENCY_MS, logFile });
    const run = (runId: string) => timeRun({ folder, pack, modelUrl: model.url, logFile, runId });
    try {
      first.push(await run('first'));
      again.push(await run('again'));
    } finally {
      await model.child.end();
      await stopTemporal();
      await remove();
    }
  }
  const row = (name: string, figures: readonly (number | null)[], atMost?: number): Row => {
    const known = figures.filter((figure) => figure !== null);
    if (known.length === 0) return { section, name, measured: null, note: 'needs Linux, for /proc' };
    const target = atMost === undefined ? {} : { target: { atMost, of: 'measured' } as const };
    return { section, name, measured: ms(median(known)), ...target };
  };
  const firstCall = 'start to first model call';
  const cpu = '  CPU time of the command until then';
  const end = 'last reply of the model to end';
  return [
    row(`${firstCall}, no server running`, pick(first, 'firstCall'), 1_500),
    row(cpu, pick(first, 'cpu')),
    row(`${end}, no server running before`, pick(first, 'end'), 500),
    row(`${firstCall}, server running`, pick(again, 'firstCall')),
    row(`${cpu}, server running`, pick(again, 'cpu')),
    row(`${end}, server running`, pick(again, 'end')),
    row('--help, CPU time', [await helpCpuMs()], 300),
  ];
}

function pick<Key extends keyof Times>(times: readonly Times[], key: Key): Times[Key][] {
  return times.map((time) => time[key]);
}

interface TimedRun {
  readonly folder: string;
  readonly pack: Pack;
  readonly modelUrl: string;
  /** The scripted model's. */
  readonly logFile: string;
  readonly runId: string;
}

async function timeRun({ folder, pack, modelUrl, logFile, runId }: TimedRun): Promise<Times> {
  const flags = {
    env: pack.domain,
    pack: pack.ref.path,
    'agent-strategy': 'tool-calling',
    model: 'oracle',
    'model-provider': 'scripted',
    'end-index': TASKS,
    'num-trials': 1,
    'max-concurrency': TASKS,
    'log-dir': folder,
    'run-id': runId,
  };
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const before = readCalls(logFile).length;
  const startedAt = Date.now();
  const env = { ...cleanEnvironment(), TAUFLOW_SCRIPTED_URL: modelUrl };
  const command = start(process.execPath, [program, 'run', ...words], { cwd: folder, env });
  await command.line(/^run started/);
  const cpu = cpuMs(command.pid);
  const code = await command.ended;
  const endedAt = Date.now();
  if (code !== 0) throw new Error(`a run has ended with ${code}:\n${command.tail()}`);
  const calls = readCalls(logFile).slice(before);
  return {
    firstCall: Math.min(...calls.map(({ receivedAt }) => receivedAt)) - startedAt,
    cpu,
    end: endedAt - Math.max(...calls.map(({ completedAt }) => completedAt)),
  };
}

function readCalls(logFile: string): LoggedCall[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedCall);
}

async function helpCpuMs(): Promise<number | null> {
  const before = endedChildrenCpuMs(process.pid);
  for (let count = 0; count < HELPS; count++) {
    await start(process.execPath, [program, '--help'], { cwd: '.', env: cleanEnvironment() }).ended;
  }
  const after = endedChildrenCpuMs(process.pid);
  return before === null || after === null ? null : (after - before) / HELPS;
}
