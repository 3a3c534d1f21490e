/** Which rows a run of the benchmark measures, in which order. */

import type { Pack } from '../src/packs/index.ts';
import { crashRows } from './crash-rows.ts';
import { environmentRows } from './environment-rows.ts';
import { sum } from './figures.ts';
import { historyRows, readHistories } from './history-rows.ts';
import { longRows } from './long/rows.ts';
import { measureLong } from './long/sweep.ts';
import { memoryRows, memorySpec } from './memory-rows.ts';
import type { BenchOptions, Kind } from './options.ts';
import { findReference, hasTasksOf, referenceRows } from './reference-rows.ts';
import { runLogRows } from './run-log-rows.ts';
import { sweepRows, sweepSection } from './sweep-rows.ts';
import { callsOf, measureSweep, type MeasuredSweep, type SweepSpec } from './sweep.ts';
import type { Row } from './table.ts';

const SPLIT = 'test';
/** Episodes of a sweep: tau-bench's retail tasks; a smaller pack's tasks are tried several times. */
const EPISODES = 115;
const FEW = 20;
/** The strategy that the reference and all budgets are compared by. */
const COMPARED = 'tool-calling';

export interface Reporter {
  rows(rows: readonly Row[]): void;
  say(line: string): void;
  /** The version of the Temporal server that the rows were measured with. */
  server(version: string): void;
}

/** Measures section by section; rows are handed over as they come, so that a failure loses only what follows it. */
export async function measureAll(
  pack: Pack,
  options: BenchOptions,
  env: NodeJS.ProcessEnv,
  to: Reporter,
): Promise<void> {
  const { size, only, long } = options;
  if (long !== null) return to.rows(longRows(await measureLong(long, (line) => to.say(line))));
  const wants = (kind: Kind) => only.length === 0 || only.includes(kind);
  const taskIds = (pack.splits[SPLIT] ?? []).map((_, id) => id);
  const all: Tasks = { pack, split: SPLIT, trials: Math.max(1, Math.round(EPISODES / taskIds.length)), taskIds };

  if (wants('environment')) {
    to.say('environment');
    to.rows(await environmentRows(pack, SPLIT));
  }
  const sweeps = sweepsOf(size, all);
  // What the run log and a crash are measured on.
  const basis = sweeps.findLast(({ strategy }) => strategy === COMPARED);
  const measured = await measureSweeps(sweeps, basis, wants, to);
  if (wants('memory')) {
    const opens = [...(size === 'quick' ? [] : [100]), ...(options.open === null ? [] : [options.open])];
    for (const open of new Set(opens)) {
      const spec = memorySpec({ ...all, strategy: COMPARED }, open);
      to.say(`memory, ${sweepSection(spec)}`);
      to.rows(await memoryRows(spec));
    }
  }
  const last = measured.findLast(({ spec }) => spec === basis);
  if (size === 'full' && last !== undefined) {
    if (wants('run-log')) to.rows(await runLogRows(last));
    if (wants('crash')) {
      to.say('worker killed in the middle');
      to.rows(await crashRows({ ...last.spec, latencyMs: 500 }, sum(last.records.map(callsOf))));
    }
  }
  if (wants('reference')) await measureReference(measured, env, to);
}

/** Runs the sweeps that are asked for, or that other sections are derived from. */
async function measureSweeps(
  sweeps: readonly SweepSpec[],
  basis: SweepSpec | undefined,
  wants: (kind: Kind) => boolean,
  to: Reporter,
): Promise<MeasuredSweep[]> {
  const measured: MeasuredSweep[] = [];
  const known = new Set<string>();
  for (const spec of sweeps) {
    // A strategy's histories are the same whatever the latency and the concurrency.
    const readsHistories = wants('history') && !known.has(spec.strategy);
    const isDerivedFrom =
      (wants('reference') && spec.strategy === COMPARED) || ((wants('run-log') || wants('crash')) && spec === basis);
    if (!wants('sweep') && !readsHistories && !isDerivedFrom) continue;
    known.add(spec.strategy);
    to.say(sweepSection(spec));
    let histories: Row[] = [];
    const sweep = await measureSweep(spec, {
      inspect: async (stage, done) => {
        if (readsHistories) histories = historyRows(spec.strategy, await readHistories(stage, done));
      },
    });
    measured.push(sweep);
    to.server(sweep.serverVersion);
    if (wants('sweep')) to.rows(sweepRows(sweep));
    to.rows(histories);
  }
  return measured;
}

type Tasks = Pick<SweepSpec, 'pack' | 'split' | 'trials' | 'taskIds'>;

function sweepsOf(size: BenchOptions['size'], all: Tasks): SweepSpec[] {
  const few: Tasks = { ...all, trials: 1, taskIds: all.taskIds.slice(0, FEW) };
  const of = (tasks: Tasks, strategy: string, latencyMs: number, concurrency: number): SweepSpec => ({
    ...tasks,
    strategy,
    latencyMs,
    concurrency,
  });
  if (size === 'quick') return [of(few, COMPARED, 100, 10)];
  const usual = [of(all, COMPARED, 500, 10), of(all, COMPARED, 500, 50), of(all, COMPARED, 100, 50)];
  if (size === 'default') return [...usual, of(few, 'fastworkflow', 100, 10)];
  return [...usual, of(all, COMPARED, 100, 10), of(all, 'fastworkflow', 500, 50), of(few, 'fastworkflow', 100, 10)];
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
    if (sweep.spec.strategy !== COMPARED) continue;
    if (!(await hasTasksOf(reference, sweep.spec.pack))) {
      to.say('the reference knows only its own tasks; give a pack of its data with --pack to run it side by side.');
      return;
    }
    to.say(`Python reference, ${sweepSection(sweep.spec)}`);
    to.rows(await referenceRows(reference, sweep));
  }
}
