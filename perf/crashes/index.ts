/** `npm run bench -- --crashes`: what failures cost, for Tauflow and the tools beside it. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { resolvePack } from '../../src/benchmarks/packs/index.ts';
import { findReference } from '../reference-rows.ts';
import { makeFolder, program } from '../sweep.ts';
import { tau2Python } from '../tau3-rows.ts';
import { planFailures } from './failures.ts';
import { inspect } from './inspect.ts';
import { runSession, type Session, type SessionSpec } from './session.ts';
import { tau2 } from './tau2.ts';
import { tauBench } from './tau-bench.ts';
import { tauflow } from './tauflow.ts';
import { readOutput, type Tool } from './tool.ts';

/**
 * Tasks of tau-bench's retail domain whose truth is the same in τ³-bench's, where they have the same number and need no
 * judge.
 */
const TASKS = [
  0, 1, 5, 6, 7, 8, 9, 10, 11, 14, 15, 17, 20, 22, 23, 25, 26, 27, 30, 31, 32, 33, 34, 35, 41, 42, 48, 49, 50, 51, 52,
  53, 55, 56, 57, 58, 61, 64, 65, 66,
];
const KILLS = 10;

const TOOLS = ['tauflow', 'run.py', 'inspect', 'tau2'] as const;

export interface CrashesOptions {
  readonly seed: number;
  readonly taskCount: number;
  readonly tools: readonly (typeof TOOLS)[number][];
}

/** @throws TypeError for a name that is no tool's, and for what is no count */
export function readCrashes(
  names: string | undefined,
  { tasks, seed }: { readonly tasks: string; readonly seed: string },
): CrashesOptions {
  const taskCount = Number(tasks);
  if (!(Number.isInteger(taskCount) && taskCount > 0 && taskCount <= TASKS.length)) {
    throw new TypeError(`--tasks ${tasks} is no count from 1 to ${TASKS.length}`);
  }
  if (!/^\d{1,9}$/.test(seed)) throw new TypeError(`--seed ${seed} is no number`);
  const tools = (names?.split(',') ?? TOOLS).map((name) => {
    const tool = TOOLS.find((known) => known === name);
    if (tool === undefined) throw new TypeError(`--crashes knows no ${name}; it knows ${TOOLS.join(', ')}`);
    return tool;
  });
  return { seed: Number(seed), taskCount, tools };
}

export interface ToolFigures {
  readonly tool: string;
  readonly version: string;
  readonly seconds_undisturbed: number;
  readonly seconds: number;
  readonly calls_undisturbed: number;
  readonly calls_paid_again: number;
  readonly scored_zero: number;
  readonly results_lost: number;
  readonly solved: number;
  readonly commands: number;
  readonly commands_listed_by_hand: number;
  readonly failures: Session['happened'];
}

export interface CrashFigures {
  readonly date: string;
  readonly seed: number;
  readonly episodes: number;
  readonly concurrency: number;
  readonly latency_ms: number;
  readonly outage_ms: number;
  readonly full_disk_ms: number;
  readonly tools: readonly ToolFigures[];
}

export async function measureCrashes(
  { seed, taskCount, tools }: CrashesOptions,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<CrashFigures> {
  const spec: Omit<SessionSpec, 'failures'> = {
    tasks: TASKS.slice(0, taskCount),
    concurrency: 4,
    latencyMs: 500,
    outageMs: 60_000,
    fullDiskMs: 20_000,
  };
  const { folder, remove } = await makeFolder();
  const found = await findTools(folder, env, say);
  const figures: ToolFigures[] = [];
  for (const tool of found.filter(({ name }) => tools.some((wanted) => name.startsWith(wanted)))) {
    figures.push(await measureTool(tool, { ...spec, failures: planFailures(seed, KILLS) }, say));
  }
  await remove();
  return {
    date: new Date().toISOString().slice(0, 10),
    seed,
    episodes: spec.tasks.length,
    concurrency: spec.concurrency,
    latency_ms: spec.latencyMs,
    outage_ms: spec.outageMs,
    full_disk_ms: spec.fullDiskMs,
    tools: figures,
  };
}

/** Runs a tool undisturbed, and once more with the failures. */
export async function measureTool(tool: Tool, spec: SessionSpec, say: (line: string) => void): Promise<ToolFigures> {
  const calm = await runSession(tool, { ...spec, failures: [] }, 0, say);
  const crashed = await runSession(tool, spec, calm.billed.size, say);
  const again = [...crashed.billed].map(([digest, times]) => Math.max(0, times - (calm.billed.get(digest) ?? 1)));
  return {
    tool: tool.name,
    version: tool.version,
    seconds_undisturbed: Math.round(calm.seconds),
    seconds: Math.round(crashed.seconds),
    calls_undisturbed: sum([...calm.billed.values()]),
    calls_paid_again: sum(again),
    scored_zero: crashed.scoredZero,
    results_lost: crashed.resultsLost,
    solved: crashed.solved,
    commands: crashed.commands,
    commands_listed_by_hand: crashed.listedByHand,
    failures: crashed.happened,
  };
}

/** @returns Tauflow alone without tau-bench's tasks, and those of the others that are installed */
async function findTools(folder: string, env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<Tool[]> {
  const reference = findReference(env);
  if ('missing' in reference) {
    say(`run.py and inspect eval-set are left out, and tau-bench's tasks: ${reference.missing}.`);
    return [await tauflow(await resolvePack('retail', undefined))];
  }
  const pack = await importPack('tau-bench', reference.dir, 'retail', folder);
  const tools = [await tauflow(pack), await tauBench(reference, pack)];
  const inspected = inspect(env['INSPECT_PYTHON'] ?? 'python3', reference.dir, pack);
  if (inspected === null) {
    say(
      `inspect eval-set is left out: set INSPECT_PYTHON to a Python that has inspect-ai, openai and tau-bench's packages.`,
    );
  } else tools.push(inspected);
  const python = tau2Python(env);
  const checkout =
    python === null
      ? undefined
      : readOutput({ program: python, args: ['-c', 'from tau2.utils.utils import DATA_DIR as d; print(d.parent)'] })
          ?.split('\n')
          .at(-1);
  if (python === null || checkout === undefined) {
    say('tau2 run is left out: set TAU2_PYTHON to a Python that has tau2 installed from a checkout.');
  } else tools.push(await tau2(python, checkout, await importPack('tau3', checkout, 'tau3-retail', folder)));
  return tools;
}

async function importPack(benchmark: string, checkout: string, domain: string, folder: string) {
  const args = ['data', 'import', '--benchmark', benchmark, checkout, '--env', 'retail', '--name', domain];
  execFileSync(process.execPath, [program, ...args, '--out', folder], { stdio: 'pipe' });
  return await resolvePack(domain, join(folder, domain));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
