/**
 * `npm run bench`: speed and memory as figures beside what they are held against, in one run on one machine. They are
 * for reading; only a long sweep whose memory grows beyond its bound ends with an error.
 */

import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolvePack, type Pack } from '../src/benchmarks/packs/index.ts';
import { measureCrashes } from './crashes/index.ts';
import { endAll } from './processes.ts';
import { readOptions, measureAll } from './plan.ts';
import { formatTable, isWithinTarget, medianRows, rowToJson, type Row } from './table.ts';

const BAD_USAGE = 2;
const INTERRUPTED = 130;
let isEnding = false;

interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly node: string;
  readonly platform: string;
  /** Runnable processes over the last minute: above 1 the machine was busy with something else. */
  readonly load_at_start: number;
  /** Null until a sweep has been measured. */
  temporal_server: string | null;
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    process.stderr.write(`${toErrorMessage(error)}; see npm run bench -- --help\n`);
    return BAD_USAGE;
  }
  if (typeof options === 'string') {
    process.stdout.write(`${options}\n`);
    return 0;
  }
  if (options.crashes !== null) {
    const figures = await measureCrashes(options.crashes, process.env, (line) => process.stderr.write(`${line}\n`));
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    return 0;
  }
  const machine: Machine = {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    load_at_start: loadavg()[0] ?? 0,
    temporal_server: null,
  };
  const pack = await resolvePack('retail', options.pack);
  const runs: Row[][] = [];
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  let rows: Row[] = [];
  try {
    for (let run = 1; run <= options.runs; run++) {
      const measured: Row[] = [];
      runs.push(measured);
      const which = options.runs === 1 ? '' : `run ${run} of ${options.runs}, `;
      await measureAll(pack, options, process.env, {
        rows: (more) => measured.push(...more),
        server: (version) => (machine.temporal_server = version),
        say: (line) => process.stderr.write(`[${which}${seconds()} s] ${line}\n`),
      });
    }
  } finally {
    rows = medianRows(runs);
    print(options.json ? 'json' : 'table', machine, pack, rows, seconds());
  }
  const beyond = options.long === null ? [] : rows.filter((row) => isWithinTarget(row) === false);
  for (const { name } of beyond) process.stderr.write(`beyond its bound: ${name}\n`);
  return beyond.length === 0 ? 0 : 1;
}

function print(form: 'json' | 'table', machine: Machine, { ref }: Pack, rows: readonly Row[], seconds: number): void {
  if (isEnding || rows.length === 0) return;
  if (form === 'json') {
    const document = { machine, pack: { name: ref.name, digest: ref.digest }, seconds, rows: rows.map(rowToJson) };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const { cores, cpu, node, platform, load_at_start: load, temporal_server: server } = machine;
  const parts = [`${cores} cores (${cpu})`, `Node ${node}`, platform, `load ${load.toFixed(1)} at start`];
  if (server !== null) parts.push(`Temporal server ${server}`);
  process.stdout.write(`${parts.join(', ')}\n\n`);
  process.stdout.write(`${formatTable(rows)}\n\n${seconds} s in all\n`);
}

function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (isEnding) return;
    isEnding = true;
    process.stderr.write('interrupted: ending what was started\n');
    void endAll().finally(() => process.exit(INTERRUPTED));
  });
}

let code = 1;
try {
  code = await main();
} catch (error) {
  if (!isEnding) process.stderr.write(`${toErrorMessage(error)}\n`);
} finally {
  // An interruption ends everything itself, and must not be overtaken.
  if (!isEnding) {
    await endAll();
    process.exit(code);
  }
}
