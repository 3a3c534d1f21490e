/**
 * `npm run bench`: speed and memory as figures beside what they are held against, in one run on one machine. No test
 * fails on them; they are for reading.
 */

import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolvePack } from '../src/packs/find.ts';
import { endAll } from './children.ts';
import { readOptions } from './options.ts';
import { measureAll } from './plan.ts';
import { formatTable, rowToJson, type Row } from './table.ts';

const INTERRUPTED = 130;

/** Rows as they come to stderr would be a second table; there only what is being measured is told. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (typeof options === 'string') {
    process.stdout.write(`${options}\n`);
    return 0;
  }
  const machine = {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    load_at_start: loadavg()[0] ?? 0,
  };
  const pack = await resolvePack('retail', options.pack);
  const rows: Row[] = [];
  const started = Date.now();
  await measureAll(pack, options, process.env, {
    rows: (more) => rows.push(...more),
    say: (line) => process.stderr.write(`[${Math.round((Date.now() - started) / 1000)} s] ${line}\n`),
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  if (options.json) {
    const document = {
      machine,
      pack: { name: pack.ref.name, digest: pack.ref.digest },
      seconds,
      rows: rows.map(rowToJson),
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return 0;
  }
  const { cores, cpu, node, platform, load_at_start: load } = machine;
  process.stdout.write(`${cores} cores (${cpu}), Node ${node}, ${platform}, load ${load.toFixed(1)} at start\n\n`);
  process.stdout.write(`${formatTable(rows)}\n\n${seconds} s in all\n`);
  return 0;
}

let isEnding = false;
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
  if (!isEnding) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  // An interruption ends everything itself, and must not be overtaken.
  if (!isEnding) {
    await endAll();
    process.exit(code);
  }
}
