/** Which rows a run of the benchmark measures, in which order. */

import type { Pack } from '../src/packs/types.ts';
import { crashRows } from './crash-rows.ts';
import { environmentRows } from './environment-rows.ts';
import { sum } from './figures.ts';
import { historyRows, readHistories } from './history-rows.ts';
import { memoryRows, memorySpec } from './memory-rows.ts';
import type { BenchOptions } from './options.ts';
import { findReference, referenceRows } from './reference-rows.ts';
import { runLogRows } from './run-log-rows.ts';
import { sweepRows, sweepSection } from './sweep-rows.ts';
import { callsOf, measureSweep, type MeasuredSweep, type SweepSpec } from './sweep.ts';
import type { Row } from './table.ts';

export const SPLIT = 'test';
/** Episodes of a sweep: tau-bench's retail tasks; a smaller pack's tasks are tried several times. */
const EPISODES = 115;
const FEW = 20;

export interface Reporter {
  rows(rows: readonly Row[]): void;
  say(line: string): void;
}

export async function measureAll(
  pack: Pack,
  options: BenchOptions,
  env: NodeJS.ProcessEnv,
  to: Reporter,
): Promise<void> {
  const { size, only } = options;
  const wants = (kind: string) => only.length === 0 || only.includes(kind);
  const all = (pack.splits[SPLIT] ?? []).map((_, id) => id);
  const base = { pack, split: SPLIT, trials: Math.max(1, Math.round(EPISODES / all.length)), taskIds: all };
  const few = { ...base, trials: 1, taskIds: all.slice(0, FEW) };

  if (wants('environment')) {
    to.say('environment');
    to.rows(await environmentRows(pack, SPLIT));
  }

  const sweeps = sweepsOf(size, base, few);
  const measured: MeasuredSweep[] = [];
  const read = new Set<string>();
  for (const spec of sweeps) {
    const isFirst = !read.has(spec.strategy);
    if (!wants('sweep') && !(wants('history') && isFirst) && !needsSweep(only)) continue;
    read.add(spec.strategy);
    to.say(sweepSection(spec));
    let histories: Row[] = [];
    const sweep = await measureSweep(spec, {
      inspect: async (stage, done) => {
        if (wants('history') && isFirst) histories = historyRows(spec.strategy, await readHistories(stage, done));
      },
    });
    measured.push(sweep);
    if (wants('sweep')) to.rows(sweepRows(sweep));
    to.rows(histories);
  }

  if (wants('memory')) {
    const opens = [...(size === 'quick' ? [] : [100]), ...(options.open === null ? [] : [options.open])];
    for (const open of new Set(opens)) {
      const spec = memorySpec({ ...base, strategy: 'tool-calling' }, open);
      to.say(`memory, ${sweepSection(spec)}`);
      to.rows(await memoryRows(spec));
    }
  }

  const [last] = measured.filter(({ spec }) => spec.strategy === 'tool-calling').slice(-1);
  if (last === undefined) return;
  if (size === 'full' && wants('run-log')) to.rows(await runLogRows(last));
  if (size === 'full' && wants('crash')) {
    to.say('worker killed in the middle');
    to.rows(await crashRows({ ...last.spec, latencyMs: 500 }, sum(last.records.map(callsOf))));
  }
  if (wants('reference')) await measureReference(measured, env, to);
}

/** Sections that are derived from a sweep's outcome. */
function needsSweep(only: readonly string[]): boolean {
  return only.some((kind) => ['run-log', 'crash', 'reference'].includes(kind));
}

type Tasks = Pick<SweepSpec, 'pack' | 'split' | 'trials' | 'taskIds'>;

function sweepsOf(size: BenchOptions['size'], all: Tasks, few: Tasks): SweepSpec[] {
  const of = (tasks: Tasks, strategy: string, latencyMs: number, concurrency: number): SweepSpec => ({
    ...tasks,
    strategy,
    latencyMs,
    concurrency,
  });
  if (size === 'quick') return [of(few, 'tool-calling', 100, 10)];
  const usual = [of(all, 'tool-calling', 500, 10), of(all, 'tool-calling', 500, 50), of(all, 'tool-calling', 100, 50)];
  if (size === 'default') return [...usual, of(few, 'fastworkflow', 100, 10)];
  return [
    ...usual,
    of(all, 'tool-calling', 100, 10),
    of(all, 'fastworkflow', 500, 50),
    of(few, 'fastworkflow', 100, 10),
  ];
}

async function measureReference(
  measured: readonly MeasuredSweep[],
  env: NodeJS.ProcessEnv,
  to: Reporter,
): Promise<void> {
  const reference = findReference(env);
  if ('missing' in reference) {
    to.say(`${reference.missing}.`);
    return;
  }
  for (const sweep of measured) {
    if (sweep.spec.strategy !== 'tool-calling') continue;
    to.say(`Python reference, ${sweepSection(sweep.spec)}`);
    to.rows(await referenceRows(reference, sweep));
  }
}
