/** Rows that a run of the benchmark measures, in their order. */

import { listPacks, resolveService, type Pack } from '../src/benchmarks/packs/index.ts';
import { crashRows, memoryRows, memorySpec, runLogRows, sweepRows, sweepSection, workersRows } from './sweep-rows.ts';
import { environmentRows } from './environment-rows.ts';
import { sum, type Row } from './table.ts';
import { historyRows, readHistories } from './history-rows.ts';
import { longRows } from './long-rows.ts';
import { gatewayRows } from './gateway-rows.ts';
import { serviceRows } from './service-rows.ts';
import { bankingSpecs, comparedSpec, findTau2, startAdapter, tau2Rows, tau3Rows } from './tau3-rows.ts';
import { startRows } from './start-rows.ts';
import { viewRows } from './view-rows.ts';
import { readCrashes, type CrashesOptions } from './crashes/index.ts';
import { measureLong } from './long-sweep.ts';
import { findReference, hasSameUsers, referenceRows } from './reference-rows.ts';
import { countCalls, measureSweep, type MeasuredSweep, type SweepSpec } from './sweep.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SPLIT = 'test';
/** Episodes of a sweep: tau-bench's retail tasks; a smaller pack's tasks are tried several times. */
const EPISODES = 115;
const FEW = 20;
/** The strategy that the reference and all budgets are compared by. */
const COMPARED = 'tool-calling';

interface Reporter {
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
    for (const imported of await importedPacks(env)) to.rows(tau3Rows(imported, 'base'));
  }
  if (wants('view') && (size !== 'quick' || only.length > 0)) {
    to.say('view');
    to.rows(await viewRows(pack));
  }
  if (wants('start') && (size !== 'quick' || only.length > 0)) {
    to.say('start');
    to.rows(await startRows(pack));
  }
  const sweeps = planSweeps(size, all);
  // What the run log, a crash and several workers are measured on.
  const basis = sweeps.findLast(({ strategy }) => strategy === COMPARED);
  const measured = await measureSweeps(sweeps, basis, wants, to);
  if (only.includes('gateway')) {
    to.say('gateway');
    to.rows(await gatewayRows(pack));
  }
  if (wants('service') && (size === 'overhead' || only.length > 0) && basis !== undefined) {
    to.say('agent service');
    to.rows(await serviceRows(basis));
  }
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
      to.rows(await crashRows({ ...last.spec, latencyMs: 500 }, sum(last.records.map(countCalls))));
    }
  }
  if ((size === 'overhead' || only.length > 0) && last !== undefined && wants('workers')) {
    for (const workers of [2, 4]) {
      to.say(`${workers} workers, ${sweepSection(last.spec)}`);
      to.rows(workersRows(last, await measureSweep({ ...last.spec, workers })));
    }
  }
  if (wants('reference')) await measureReference(measured, env, to);
  if (wants('tau2') && (size === 'overhead' || only.length > 0)) await measureTau2(env, to);
}

async function importedPacks(env: NodeJS.ProcessEnv): Promise<readonly Pack[]> {
  const home = env['TAUFLOW_HOME'];
  const listed = await listPacks(home === undefined ? {} : { home });
  return listed.flatMap((one) => (one.kind === 'usable' ? [one.pack] : []));
}

/** τ³-bench's telecom, and its banking by the adapter: ours and then theirs. */
async function measureTau2(env: NodeJS.ProcessEnv, to: Reporter): Promise<void> {
  const place = findTau2(env);
  if (place === null) {
    to.say('tau2 run is left out: set TAU2_PYTHON to a Python that has tau2.');
    return;
  }
  const beside = async (spec: SweepSpec) => {
    to.say(`tau2 run, ${spec.pack.ref.name}, ${sweepSection(spec)}`);
    const ours = await measureSweep(spec);
    to.server(ours.serverVersion);
    to.rows(await tau2Rows(place, ours));
  };
  const pack = (await importedPacks(env)).find(({ domain }) => domain === 'tau3-telecom');
  if (pack !== undefined) await beside(comparedSpec(pack));
  else to.say('telecom is left out: import its pack with `tauflow data import --benchmark tau3`.');
  const interpreter = env['TAUFLOW_TAU2_PYTHON'];
  if (interpreter === undefined) {
    to.say('banking is left out: set TAUFLOW_TAU2_PYTHON to a Python that has tau2 with its knowledge packages.');
    return;
  }
  const { child, url } = await startAdapter(interpreter);
  const source = { kind: 'url', url } as const;
  const banking = await resolveService({
    source,
    env: 'tau2:banking_knowledge',
    options: { retrieval_variant: 'bm25' },
  });
  for (const spec of bankingSpecs(banking, child.pid)) await beside(spec);
  await child.end();
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
    const agent = formatAgent(spec);
    const readsHistories = wants('history') && !known.has(agent);
    const isDerivedFrom =
      (wants('reference') && spec.strategy === COMPARED) ||
      ((wants('run-log') || wants('crash') || wants('workers')) && spec === basis);
    if (!wants('sweep') && !readsHistories && !isDerivedFrom) continue;
    known.add(agent);
    to.say(sweepSection(spec));
    let histories: Row[] = [];
    const sweep = await measureSweep(spec, {
      inspect: async (stage, done) => {
        if (readsHistories) histories = historyRows(agent, await readHistories(stage, done));
      },
    });
    measured.push(sweep);
    to.server(sweep.serverVersion);
    if (wants('sweep')) to.rows(sweepRows(sweep));
    to.rows(histories);
  }
  return measured;
}

/** A model that wants its reasoning back makes longer histories. */
function formatAgent({ strategy, model }: SweepSpec): string {
  return model === undefined ? strategy : `${strategy} with ${model}`;
}

type Tasks = Pick<SweepSpec, 'pack' | 'split' | 'trials' | 'taskIds'>;

function planSweeps(size: BenchOptions['size'], all: Tasks): SweepSpec[] {
  const few: Tasks = { ...all, trials: 1, taskIds: all.taskIds.slice(0, FEW) };
  const of = (tasks: Tasks, strategy: string, latencyMs: number, concurrency: number): SweepSpec => ({
    ...tasks,
    strategy,
    latencyMs,
    concurrency,
  });
  const thinking: SweepSpec = { ...of(few, COMPARED, 100, 10), model: 'oracle+thinking' };
  if (size === 'quick') return [of(few, COMPARED, 100, 10)];
  const usual = [of(all, COMPARED, 500, 10), of(all, COMPARED, 500, 50), of(all, COMPARED, 100, 50)];
  if (size === 'overhead') return [...usual, { ...of(all, COMPARED, 100, 50), trials: 4 * all.trials }];
  if (size === 'default') return [thinking, ...usual, of(few, 'fastworkflow', 100, 10)];
  return [
    thinking,
    ...usual,
    of(all, COMPARED, 100, 10),
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
    if (sweep.spec.strategy !== COMPARED) continue;
    if (!(await hasSameUsers(reference, sweep.spec.pack))) {
      to.say('the reference knows only its own tasks; give a pack of its data with --pack to run it side by side.');
      return;
    }
    to.say(`Python reference, ${sweepSection(sweep.spec)}`);
    to.rows(await referenceRows(reference, sweep));
  }
}

/** The benchmark's flags. */
interface BenchOptions {
  readonly size: 'quick' | 'default' | 'full' | 'overhead';
  /** Times that everything is measured; the table has medians. */
  readonly runs: number;
  /** A pack's folder or name; undefined: the shipped one. */
  readonly pack: string | undefined;
  /** Open episodes with which memory is measured as well. */
  readonly open: number | null;
  /** Kinds of sections that are run; empty: all that the size has. */
  readonly only: readonly Kind[];
  /** Measure nothing but one sweep of so many episodes. */
  readonly long: { readonly episodes: number; readonly concurrency: number } | null;
  /** Measure nothing but what failures cost, for Tauflow and other tools. */
  readonly crashes: CrashesOptions | null;
  readonly json: boolean;
}

const KINDS = [
  'environment',
  'view',
  'start',
  'sweep',
  'service',
  'gateway',
  'history',
  'memory',
  'run-log',
  'crash',
  'workers',
  'reference',
  'tau2',
] as const;
type Kind = (typeof KINDS)[number];
const OF_OVERHEAD: readonly Kind[] = ['start', 'sweep', 'service', 'memory', 'workers', 'reference', 'tau2'];

const HELP = `npm run bench -- [flags]

  --quick         about 40 s: the environment, and 20 tasks with a 100 ms model
  (no flag)       about 3 minutes: wall against the ideal, histories, memory at 100 open episodes, the view,
                  a command's start and end
  --full          about 8 minutes: all latencies and strategies, the run log, and a worker killed in the middle
  --overhead      about 6 minutes: what docs/performance.md shows; \`npm run perf\` is this in 3 runs
  --runs N        measure everything N times (default: 1): medians, with the smallest and the largest value
  --open N        also measure memory with N open episodes
  --long [N]      nothing but one sweep of N episodes (default: 5000) of a generated pack, 40 at once, whose worker and
                  command are killed at a tenth; 5000 take about 20 minutes on two cores; ends with
                  1 if the worker's memory grows with the episodes
  --crashes [TOOLS]
                  nothing but what failures cost: 10 SIGKILLs, a full disk, an outage of 60 s and a revoked key, for
                  tauflow, run.py, inspect and tau2, or some of them (separated by commas), as JSON; about 2 hours
  --seed N        of --crashes: draws moments and victims of the failures (default: 1)
  --only KINDS    only some of ${KINDS.join(', ')} (separated by commas)
  --pack PACK     a pack's folder or name (default: tau-bench's retail data where TAU_BENCH_PACKS or the folder
                  ../shared/tau-bench has them, else the shipped pack)
  --json          one JSON document instead of the table

TAU_BENCH_DIR (a checkout of tau-bench) and PYTHON (with its dependencies) add the Python reference, side by side.
It knows only its own tasks, so it needs a pack of tau-bench's data. TAU2_PYTHON (an interpreter with tau2) and an
imported pack tau3-telecom, or TAUFLOW_TAU2_PYTHON, add τ³-bench's, with --overhead or --only tau2. --crashes finds the other tools by the same three
and by INSPECT_PYTHON (an interpreter with inspect-ai, openai and tau-bench's dependencies); it needs Linux and root, because
it mounts a small file system.`;

/** @returns a text to print instead of measuring. @throws TypeError for flags that do not exist */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): BenchOptions | string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      overhead: { type: 'boolean' },
      runs: { type: 'string' },
      open: { type: 'string' },
      long: { type: 'boolean' },
      crashes: { type: 'boolean' },
      seed: { type: 'string' },
      only: { type: 'string' },
      pack: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return HELP;
  const open = values.open === undefined ? null : Number(values.open);
  if (open !== null && !(Number.isInteger(open) && open > 0)) throw new TypeError(`--open ${values.open} is no count`);
  const long = values.long === true ? Number(positionals.shift() ?? 5000) : null;
  if (long !== null && !(Number.isInteger(long) && long >= 20))
    throw new TypeError('--long takes a count of at least 20');
  const crashes = values.crashes === true ? readCrashes(positionals.shift(), values.seed ?? '1') : null;
  const runs = Number(values.runs ?? 1);
  if (!(Number.isInteger(runs) && runs > 0)) throw new TypeError(`--runs ${values.runs} is no count`);
  if (positionals.length > 0) throw new TypeError(`${positionals.join(' ')} is no flag`);
  const only = (values.only?.split(',') ?? []).map(parseKind);
  return {
    size: (['quick', 'full', 'overhead'] as const).find((size) => values[size] === true) ?? 'default',
    runs,
    pack: values.pack ?? referencePack(env),
    open,
    long: long === null ? null : { episodes: long, concurrency: 40 },
    only: values.overhead === true && only.length === 0 ? OF_OVERHEAD : only,
    crashes,
    json: values.json === true,
  };
}

function parseKind(name: string): Kind {
  const kind = KINDS.find((known) => known === name);
  if (kind === undefined) throw new TypeError(`--only knows no ${name}; it knows ${KINDS.join(', ')}`);
  return kind;
}

function referencePack(env: NodeJS.ProcessEnv): string | undefined {
  const beside = fileURLToPath(new URL('../../shared/tau-bench', import.meta.url));
  const folder = join(env['TAU_BENCH_PACKS'] ?? beside, 'retail');
  return existsSync(join(folder, 'tasks-test.json')) ? folder : undefined;
}
