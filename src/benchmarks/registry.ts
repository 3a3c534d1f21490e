/** The benchmarks, without the code of their domains. */

import type { Grading, SentenceJudging } from './grading.ts';
import type { EpisodeLimits, EpisodeRules } from './rules.ts';
import { isServiceDomain } from './service/domain.ts';
import { serviceGrading } from './service/grading.ts';
import { openServiceRules } from './service/rules.ts';
import { fromRewardInfo, toRewardInfo } from './tau-bench/reward-info.ts';
import { openTauBenchRules } from './tau-bench/rules.ts';
import { tau3Grading } from './tau3/grading.ts';
import { PREFIX, Tau3Rules } from './tau3/rules.ts';
import { STOP_MARKERS } from './tau3/turns.ts';
import { STOP_MARKER } from './types.ts';

/** Names for `--benchmark`; the first is the default. */
export const BENCHMARK_NAMES = ['tau-bench', 'tau3'] as const;

/** Default domain of runs, and the split and the number of steps of tau-bench's `run.py`. */
export const DEFAULTS = { env: 'retail', taskSplit: 'test', maxSteps: 30 } as const;

/** The rules face of a benchmark. */
export interface RegisteredBenchmark {
  /** Texts that end the episode when a simulated user says one of them. */
  readonly stopMarkers: readonly string[];
  /** Creates the rules of a new episode. */
  readonly openRules: (limits: EpisodeLimits) => EpisodeRules;
  readonly grading: Grading;
}

const TAU_BENCH: RegisteredBenchmark = {
  stopMarkers: [STOP_MARKER],
  openRules: openTauBenchRules,
  grading: { toInfo: toRewardInfo, fromInfo: fromRewardInfo },
};

const TAU3_BENCH: RegisteredBenchmark = {
  stopMarkers: STOP_MARKERS,
  openRules: (limits) => new Tau3Rules(limits),
  grading: tau3Grading,
};

const SERVICES: RegisteredBenchmark = {
  stopMarkers: STOP_MARKERS,
  openRules: openServiceRules,
  grading: serviceGrading,
};

/** Returns the sentence judging that a request's system prompt belongs to; undefined for any other prompt. */
export function findSentenceJudging(system: string): SentenceJudging | undefined {
  return [TAU_BENCH, TAU3_BENCH].map(({ grading }) => grading.judging).find((judging) => judging?.isPrompt(system));
}

/** Returns the benchmark of a domain; tau-bench for an unknown domain. */
export function getBenchmark(domain: string): RegisteredBenchmark {
  if (isServiceDomain(domain)) return SERVICES;
  return domain.startsWith(PREFIX) ? TAU3_BENCH : TAU_BENCH;
}
