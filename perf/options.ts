/** The benchmark's flags. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly size: 'quick' | 'default' | 'full';
  /** A pack's folder or name; undefined: the shipped one. */
  readonly pack: string | undefined;
  /** Also measure memory with this many open episodes. */
  readonly open: number | null;
  /** Only sections of these kinds; empty: all that the size has. */
  readonly only: readonly Kind[];
  /** Measure nothing but one sweep of so many episodes. */
  readonly long: { readonly episodes: number; readonly concurrency: number } | null;
  readonly json: boolean;
}

const KINDS = ['environment', 'sweep', 'history', 'memory', 'run-log', 'crash', 'reference'] as const;
export type Kind = (typeof KINDS)[number];

const HELP = `npm run bench -- [flags]

  --quick         about 40 s: the environment, and 20 tasks with a 100 ms model
  (no flag)       about 3 minutes: wall against the ideal, histories, memory at 100 open episodes
  --full          about 8 minutes: all latencies and strategies, the run log, and a worker killed in the middle
  --open N        also measure memory with N open episodes
  --long [N]      nothing but one sweep of N episodes (default: 5000) of a generated pack, 40 at once, whose worker and
                  command are killed at a tenth; 5000 take about 20 minutes on two cores; ends with
                  1 if the worker's memory grows with the episodes
  --only KINDS    only some of ${KINDS.join(', ')} (separated by commas)
  --pack PACK     a pack's folder or name (default: tau-bench's retail data where TAU_BENCH_PACKS or the folder
                  ../shared/tau-bench has them, else the shipped pack)
  --json          one JSON document instead of the table

TAU_BENCH_DIR (a checkout of tau-bench) and PYTHON (with its dependencies) add the Python reference, side by side.
It knows only its own tasks, so it needs a pack of tau-bench's data.`;

/** @returns a text to print instead of measuring. @throws TypeError for flags that do not exist */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): BenchOptions | string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      open: { type: 'string' },
      long: { type: 'boolean' },
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
  if (positionals.length > 0) throw new TypeError(`${positionals.join(' ')} is no flag`);
  const only = (values.only?.split(',') ?? []).map(kindOf);
  return {
    size: values.quick === true ? 'quick' : values.full === true ? 'full' : 'default',
    pack: values.pack ?? referencePack(env),
    open,
    long: long === null ? null : { episodes: long, concurrency: 40 },
    only,
    json: values.json === true,
  };
}

function kindOf(name: string): Kind {
  const kind = KINDS.find((known) => known === name);
  if (kind === undefined) throw new TypeError(`--only knows no ${name}; it knows ${KINDS.join(', ')}`);
  return kind;
}

function referencePack(env: NodeJS.ProcessEnv): string | undefined {
  const beside = fileURLToPath(new URL('../../shared/tau-bench', import.meta.url));
  const folder = join(env['TAU_BENCH_PACKS'] ?? beside, 'retail');
  return existsSync(join(folder, 'tasks-test.json')) ? folder : undefined;
}
