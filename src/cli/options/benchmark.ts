/** The domain that a command line names, of either benchmark. */

import { basename } from 'node:path';
import { TAU3_PREFIX, domains, isTau3 } from '../../benchmarks/index.ts';
import { UsageError } from '../../errors/index.ts';

export const BENCHMARKS = ['tau-bench', 'tau3'] as const;

/** The default of tau-bench's `run.py`. */
export const DEFAULT_ENV = 'retail';

interface Named {
  readonly env?: unknown;
  readonly benchmark?: unknown;
  readonly pack?: unknown;
}

/**
 * `--env retail --benchmark tau3`, or `--pack tau3-retail` alone, is the domain `tau3-retail`.
 * @throws UsageError for a benchmark that is not known
 */
export function chooseEnv({ env, benchmark, pack }: Named): string {
  if (benchmark !== undefined && !BENCHMARKS.some((known) => known === benchmark)) {
    const given = typeof benchmark === 'string' ? benchmark : 'another value';
    throw new UsageError(`--benchmark must be ${BENCHMARKS.join(' or ')}, not "${given}".`);
  }
  if (typeof env === 'string') return benchmark === 'tau3' && !isTau3(env) ? `${TAU3_PREFIX}${env}` : env;
  if (benchmark === 'tau3') return `${TAU3_PREFIX}${DEFAULT_ENV}`;
  const name = typeof pack === 'string' ? basename(pack) : undefined;
  return name !== undefined && isTau3(name) && domains.has(name) ? name : DEFAULT_ENV;
}

/** Options with the domain that they name, and for τ³-bench its defaults: all tasks of the leaderboard, 200 steps. */
export function withEnv<T extends Named>(raw: T): T & { readonly env?: unknown } {
  const env = chooseEnv(raw);
  if (!isTau3(env)) return raw;
  return { taskSplit: 'base', maxSteps: 200, ...raw, env };
}
