/** Finds the domain of a command line, and the defaults of its benchmark. */

import { basename } from 'node:path';
import { getContent, contents, type BenchmarkContent } from '../benchmarks/contents.ts';
import { BENCHMARK_NAMES, DEFAULTS } from '../benchmarks/index.ts';
import { UsageError } from '../errors/index.ts';

interface EnvNames {
  readonly env?: unknown;
  readonly benchmark?: unknown;
  readonly pack?: unknown;
}

/**
 * Chooses the domain: `--benchmark` adds its prefix to `--env`; without both, an imported pack names its domain.
 * @throws UsageError for an unknown benchmark
 */
export function chooseEnv({ env, benchmark, pack }: EnvNames): string {
  const prefix = benchmark === undefined ? '' : findBenchmark(benchmark).prefix;
  if (typeof env === 'string') return env.startsWith(prefix) ? env : `${prefix}${env}`;
  if (prefix !== '') return `${prefix}${DEFAULTS.env}`;
  const name = typeof pack === 'string' ? basename(pack) : DEFAULTS.env;
  return contents.some(({ takesImportedPack, domains }) => takesImportedPack && domains.has(name))
    ? name
    : DEFAULTS.env;
}

function findBenchmark(name: unknown): BenchmarkContent {
  const found = contents.find((known) => known.name === name);
  if (found !== undefined) return found;
  const given = typeof name === 'string' ? name : 'another value';
  throw new UsageError(`--benchmark must be ${BENCHMARK_NAMES.join(' or ')}, not "${given}".`);
}

/** Returns the options with their domain and the defaults of its benchmark. */
export function withEnv<T extends EnvNames>(raw: T): T & { readonly env?: unknown } {
  const env = chooseEnv(raw);
  // The options' schema refuses a config file's value that is not a text.
  if (raw.env !== undefined && typeof raw.env !== 'string') return raw;
  return { ...getContent(env).defaults, ...raw, env };
}
