/** The benchmarks. Nobody else asks which of them a domain belongs to. */

import type { Grading, SentenceJudging } from './grading.ts';
import type { EnvData } from './overlay.ts';
import type { EpisodeLimits, EpisodeRules } from './rules.ts';
import { StateHasher, type Hashing } from './state-hasher.ts';
import { tauBenchGrading } from './tau-bench/grading.ts';
import { openTauBenchRules } from './tau-bench/rules.ts';
import { tau3Grading } from './tau3/grading.ts';
import { openTau3Hashers } from './tau3/hashers.ts';
import { Tau3Rules } from './tau3/rules.ts';

/** Start of the name of each of τ³-bench's domains. */
export const TAU3_PREFIX = 'tau3-';

/** The environment of a benchmark, as far as it differs from one to another besides the domains. */
export interface BenchmarkEnvironment {
  /** Makes the hashers of a pack's states: of the agent's data, and of the user's where the user has some. */
  readonly openHashers: (
    data: EnvData,
    hashing: Hashing,
  ) => { readonly agent: StateHasher; readonly user?: StateHasher | undefined };
}

/** A benchmark, as the rest of the program uses it. */
export interface Benchmark {
  /** The rules of an episode that begins. */
  readonly openRules: (limits: EpisodeLimits) => EpisodeRules;
  readonly environment: BenchmarkEnvironment;
  readonly grading: Grading;
}

const TAU_BENCH: Benchmark = {
  openRules: openTauBenchRules,
  environment: { openHashers: (data, hashing) => ({ agent: new StateHasher(data, hashing) }) },
  grading: tauBenchGrading,
};

const TAU3_BENCH: Benchmark = {
  openRules: (limits) => new Tau3Rules(limits),
  environment: { openHashers: openTau3Hashers },
  grading: tau3Grading,
};

/** Returns true for a domain of τ³-bench. Its name says it, so that no row of one can be taken for one of tau-bench. */
export function isTau3(domain: string): boolean {
  return domain.startsWith(TAU3_PREFIX);
}

/** Returns the sentence judging whose prompt a request's system prompt is; undefined for any other prompt. */
export function findSentenceJudging(system: string): SentenceJudging | undefined {
  return [TAU_BENCH, TAU3_BENCH].map(({ grading }) => grading.judging).find((judging) => judging?.isPrompt(system));
}

/** The benchmark of a domain. */
export function benchmarkOf(domain: string): Benchmark {
  return isTau3(domain) ? TAU3_BENCH : TAU_BENCH;
}
