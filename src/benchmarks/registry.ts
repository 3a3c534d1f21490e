/** The benchmarks, and the only place that maps domains to them. */

import type { Domain } from './domain.ts';
import type { Grading, SentenceJudging } from './grading.ts';
import type { EnvData } from './overlay.ts';
import type { EpisodeLimits, EpisodeRules } from './rules.ts';
import { StateHasher, type Hashing } from './state-hasher.ts';
import { isServiceDomain } from './service/domain.ts';
import { serviceGrading } from './service/grading.ts';
import { openServiceRules } from './service/rules.ts';
import { domains as tauBenchDomains } from './tau-bench/domains.ts';
import { tauBenchGrading } from './tau-bench/grading.ts';
import { openTauBenchRules } from './tau-bench/rules.ts';
import { domains as tau3Domains } from './tau3/domains.ts';
import { tau3Grading } from './tau3/grading.ts';
import { openTau3Hashers } from './tau3/hashers.ts';
import { Tau3Rules } from './tau3/rules.ts';
import { STOP_MARKERS } from './tau3/turns.ts';
import { STOP_MARKER } from './types.ts';

/** A benchmark, as the rest of the program uses it. */
export interface Benchmark {
  readonly domains: ReadonlyMap<string, Domain>;
  /** Texts that end the episode when a simulated user says one of them. */
  readonly stopMarkers: readonly string[];
  /** The rules of an episode that begins. */
  readonly openRules: (limits: EpisodeLimits) => EpisodeRules;
  /** Makes the hashers of a pack's states: of the agent's data, and of the user's where the user has some. */
  readonly openHashers: (
    data: EnvData,
    hashing: Hashing,
  ) => { readonly agent: StateHasher; readonly user?: StateHasher | undefined };
  readonly grading: Grading;
}

const TAU_BENCH: Benchmark = {
  domains: tauBenchDomains,
  stopMarkers: [STOP_MARKER],
  openRules: openTauBenchRules,
  openHashers: (data, hashing) => ({ agent: new StateHasher(data, hashing) }),
  grading: tauBenchGrading,
};

const TAU3_BENCH: Benchmark = {
  domains: tau3Domains,
  stopMarkers: STOP_MARKERS,
  openRules: (limits) => new Tau3Rules(limits),
  openHashers: openTau3Hashers,
  grading: tau3Grading,
};

const SERVICES: Benchmark = {
  domains: new Map(),
  stopMarkers: STOP_MARKERS,
  openRules: openServiceRules,
  openHashers: (data, hashing) => ({ agent: new StateHasher(data, hashing) }),
  grading: serviceGrading,
};

const BENCHMARKS: readonly Benchmark[] = [TAU_BENCH, TAU3_BENCH];

/** Returns the sentence judging whose prompt a request's system prompt is; undefined for any other prompt. */
export function findSentenceJudging(system: string): SentenceJudging | undefined {
  return BENCHMARKS.map(({ grading }) => grading.judging).find((judging) => judging?.isPrompt(system));
}

/** The benchmark of a domain; tau-bench for one that is not known. */
export function getBenchmark(domain: string): Benchmark {
  if (isServiceDomain(domain)) return SERVICES;
  return BENCHMARKS.find(({ domains }) => domains.has(domain)) ?? TAU_BENCH;
}
