/** The benchmarks. Nobody else asks which of them a domain belongs to. */

import type { EpisodeLimits, EpisodeRules } from './rules.ts';
import { openTauBenchRules } from './tau-bench/rules.ts';
import { Tau3Rules } from './tau3/rules.ts';

/** Start of the name of each of τ³-bench's domains. */
export const TAU3_PREFIX = 'tau3-';

/** A benchmark, as the rest of the program uses it. */
export interface Benchmark {
  /** The rules of an episode that begins. */
  readonly openRules: (limits: EpisodeLimits) => EpisodeRules;
}

const TAU_BENCH: Benchmark = { openRules: openTauBenchRules };

const TAU3_BENCH: Benchmark = { openRules: (limits) => new Tau3Rules(limits) };

/** Returns true for a domain of τ³-bench. Its name says it, so that no row of one can be taken for one of tau-bench. */
export function isTau3(domain: string): boolean {
  return domain.startsWith(TAU3_PREFIX);
}

/** The benchmark of a domain. */
export function benchmarkOf(domain: string): Benchmark {
  return isTau3(domain) ? TAU3_BENCH : TAU_BENCH;
}
