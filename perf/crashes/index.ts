/** `npm run bench -- --crashes`: what failures cost, for Tauflow and the tools beside it. */

import { drawFraction } from '../../src/scripted-model/case-code.ts';
import { findReference } from '../reference-rows.ts';
import { makeFolder } from '../sweep.ts';
import { runSession, type PlannedFailure, type SessionSpec } from './session.ts';
import { TOOLS, type Tool, type ToolName } from './tools.ts';

/**
 * Tasks of tau-bench's retail domain whose truth is the same in τ³-bench's, where they have the same number and need no
 * judge.
 */
const TASKS = [
  0, 1, 5, 6, 7, 8, 9, 10, 11, 14, 15, 17, 20, 22, 23, 25, 26, 27, 30, 31, 32, 33, 34, 35, 41, 42, 48, 49, 50, 51, 52,
  53, 55, 56, 57, 58, 61, 64, 65, 66,
];
const KILLS = 10;

export interface CrashesOptions {
  readonly seed: number;
  readonly tools: readonly ToolName[];
}

/** @throws TypeError for a name that is no tool's, and for a seed that is no number */
export function readCrashes(names: string | undefined, seed: string): CrashesOptions {
  if (!/^\d{1,9}$/.test(seed)) throw new TypeError(`--seed ${seed} is no number`);
  const known = Object.keys(TOOLS) as ToolName[];
  const tools = (names?.split(',') ?? known).map((name) => {
    const tool = known.find((one) => one === name);
    if (tool === undefined) throw new TypeError(`--crashes knows no ${name}; it knows ${known.join(', ')}`);
    return tool;
  });
  return { seed: Number(seed), tools };
}

/** @throws Error if tau-bench or a Python is missing */
export async function measureCrashes(
  { seed, tools }: CrashesOptions,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<object> {
  const spec = { tasks: TASKS, concurrency: 4, latencyMs: 500, outageMs: 60_000, fullDiskMs: 20_000 };
  const reference = findReference(env);
  if ('missing' in reference) throw new Error(reference.missing);
  const { folder, remove } = await makeFolder();
  const figures: object[] = [];
  for (const name of tools) {
    const tool = await TOOLS[name]({ ...reference, folder, env });
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

/** @returns as many kills and one of each other failure, in the order of their moments; the key is revoked in the middle */
export function planFailures(seed: number, kills: number): PlannedFailure[] {
  const kinds = Array.from({ length: kills }, (_, i) => (i % 2 === 0 ? 'kill of one' : 'kill of all'));
  return ([...kinds, 'full disk', 'outage', 'revoked key'] as PlannedFailure['kind'][])
    .map((kind, i) => ({
      kind,
      at: kind === 'revoked key' ? 0.5 : 0.05 + 0.9 * drawFraction(`${seed} moment ${i}`),
      dice: drawFraction(`${seed} dice ${i}`),
    }))
    .sort((a, b) => a.at - b.at);
}

/** Runs a tool undisturbed, and once more with the failures. */
export async function measureTool(tool: Tool, spec: SessionSpec, say: (line: string) => void) {
  const calm = await runSession(tool, { ...spec, failures: [] }, 0, say);
  const { billed, seconds, ...figures } = await runSession(tool, spec, calm.billed.size, say);
  const again = [...billed].map(([digest, times]) => Math.max(0, times - (calm.billed.get(digest) ?? 1)));
  return {
    tool: tool.name,
    version: tool.version,
    seconds_undisturbed: calm.seconds,
    seconds,
    calls_undisturbed: [...calm.billed.values()].reduce((sum, times) => sum + times, 0),
    calls_paid_again: again.reduce((sum, times) => sum + times, 0),
    ...figures,
  };
}
