/**
 * The Python reference, side by side: its own `run.py` over the same tasks against the same scripted model, which it
 * reaches through LiteLLM like any OpenAI-compatible server.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDict } from '../src/benchmarks/python/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import { start, cpuMs, readMemory } from './processes.ts';
import { sum, bytes, count, ms, type Row } from './table.ts';
import { sweepSection } from './sweep-rows.ts';
import { makeFolder, startScriptedModel, countCalls, type MeasuredSweep } from './sweep.ts';

export interface ReferencePlace {
  /** A checkout of tau-bench. */
  readonly dir: string;
  /** An interpreter that has its dependencies. */
  readonly python: string;
}

type Reference = ReferencePlace | { readonly missing: string };

export function findReference(env: NodeJS.ProcessEnv): Reference {
  const { TAU_BENCH_DIR: dir = '', PYTHON: python = '' } = env;
  const howTo = 'set TAU_BENCH_DIR to a checkout of tau-bench and PYTHON to an interpreter with its dependencies';
  if (dir === '' || python === '') return { missing: `to run the reference side by side, ${howTo}` };
  if (!existsSync(join(dir, 'run.py'))) return { missing: `TAU_BENCH_DIR (${dir}) has no run.py; ${howTo}` };
  return { dir, python };
}

/** Returns true if the checkout's users are those of the pack: the reference runs its own tasks, whatever ours are. */
export async function hasSameUsers({ dir }: ReferencePlace, pack: Pack): Promise<boolean> {
  const file = join(dir, 'tau_bench', 'envs', pack.domain, 'data', 'users.json');
  if (!existsSync(file)) return false;
  const theirs = Object.keys(JSON.parse(await readFile(file, 'utf8')) as object);
  const ours = pack.tables.get('users');
  return isDict(ours) && ours.size === theirs.length && theirs.every((id) => ours.has(id));
}

const SAMPLE_MS = 100;

/** A reference's own run, beside one of ours. */
interface ReferenceRun {
  readonly section: string;
  readonly python: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Matches the line that it prints when its work begins: its imports take seconds and are no part of it. */
  readonly begins: RegExp;
  /** Reads what it has written. */
  readonly outcome: () => Promise<{ readonly solved: number; readonly problem?: string | undefined }>;
}

/** Rows of the reference on the same tasks as `ours`, which was measured a moment ago. */
export async function referenceRows({ dir, python }: ReferencePlace, ours: MeasuredSweep): Promise<Row[]> {
  return rowsBeside(ours, (folder) => ({
    section: `${sweepSection(ours.spec)}: Python reference`,
    python,
    args: commandLine(dir, folder, ours),
    cwd: dir,
    begins: /^Running tasks/,
    outcome: async () => {
      const results = await readResults(folder);
      return {
        solved: results.filter(({ reward }) => reward === 1).length,
        problem: results.find(({ info }) => info?.error !== undefined)?.info?.error,
      };
    },
  }));
}

/** @param runIn the reference's run, which writes to a temporary folder */
export async function rowsBeside(
  ours: MeasuredSweep,
  runIn: (folder: string) => ReferenceRun | Promise<ReferenceRun>,
): Promise<Row[]> {
  const { folder, remove } = await makeFolder();
  const { section, python, args, cwd, env, begins, outcome } = await runIn(folder);
  const model = await startScriptedModel(folder, ours.spec);
  try {
    const child = start(python, args, {
      cwd,
      env: {
        ...process.env,
        OPENAI_API_BASE: model.url,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'none',
        PYTHONUNBUFFERED: '1',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        NO_PROXY: '127.0.0.1',
        ...env,
      },
    });
    await child.line(begins);
    const started = performance.now();
    const idleCpu = cpuMs(child.pid) ?? 0;
    let cpu: number | null = null;
    let peak: number | null = null;
    let exit: number | null | undefined;
    void child.ended.then((code) => (exit = code)).catch(() => undefined);
    while (exit === undefined) {
      cpu = cpuMs(child.pid) || cpu;
      peak = readMemory(child.pid)?.peak || peak;
      await Promise.race([child.ended, delay(SAMPLE_MS)]);
    }
    const wallMs = performance.now() - started;
    if (exit !== 0) throw new Error(`the reference has ended with ${exit}:\n${child.tail()}`);
    const { solved, problem } = await outcome();
    const stats = await model.stats();
    const episodes = ours.records.length;
    const ourCpu = [ours.server.cpuMs, ours.worker.cpuMs].reduce((a, b) => (a === null || b === null ? null : a + b));
    const ourPeak = (ours.server.memory?.peak ?? 0) + (ours.worker.memory?.peak ?? 0);
    return [
      { section, name: 'wall', measured: ms(wallMs), baseline: { ...ms(ours.wallMs), what: 'ours' } },
      {
        section,
        name: 'CPU per episode',
        measured: cpu === null ? null : ms((cpu - idleCpu) / episodes),
        ...(ourCpu === null ? {} : { baseline: { ...ms(ourCpu / episodes), what: 'ours, server and worker' } }),
      },
      {
        section,
        name: 'peak memory',
        measured: peak === null ? null : bytes(peak),
        ...(ourPeak === 0 ? {} : { baseline: { ...bytes(ourPeak), what: 'ours, server and worker' } }),
      },
      {
        section,
        name: 'model calls answered',
        measured: count(stats.completions),
        baseline: { ...count(sum(ours.records.map(countCalls))), what: 'ours' },
      },
      {
        section,
        name: 'episodes with reward 1',
        measured: count(solved),
        baseline: { ...count(ours.records.filter(({ reward }) => reward === 1).length), what: 'ours' },
        ...(problem === undefined ? {} : { note: `first error: ${problem.slice(0, 200)}` }),
      },
    ];
  } finally {
    await model.child.end();
    await remove();
  }
}

function commandLine(dir: string, folder: string, { spec }: MeasuredSweep): string[] {
  const flags = {
    env: spec.pack.domain,
    'agent-strategy': spec.strategy,
    model: 'oracle',
    'model-provider': 'openai',
    'user-model': 'oracle',
    'user-model-provider': 'openai',
    'task-split': spec.split,
    'num-trials': spec.trials,
    'max-concurrency': spec.concurrency,
    'log-dir': folder,
  };
  return [
    join(dir, 'run.py'),
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    '--task-ids',
    ...spec.taskIds.map(String),
  ];
}

/** The fields that are read of an entry of its results file. */
interface ReferenceResult {
  readonly reward: number;
  readonly info: { readonly error?: string } | null;
}

async function readResults(folder: string): Promise<readonly ReferenceResult[]> {
  const file = (await readdir(folder)).find((name) => name.endsWith('.json'));
  if (file === undefined) return [];
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as ReferenceResult[];
}
