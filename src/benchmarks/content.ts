/**
 * The content of a benchmark, for code on Node: its packs, its agent's prompt, its defaults, and facts about its tasks.
 */

import type { Domain } from './domain.ts';
import type { Grade } from './grade.ts';
import type { FileBytes, Manifest } from './packs/manifest.ts';
import type { Pack } from './packs/types.ts';
import type { BENCHMARK_NAMES } from './registry.ts';
import type { RecordedEpisode, RegradeDeps, RegradeResult } from './regrading.ts';
import type { Replayer } from './replay.ts';
import type { RecordedEnd, ResultsFormat } from './results-format.ts';
import type { Hashing } from './state-hasher.ts';
import type { Task } from './types.ts';

export interface BenchmarkContent {
  /** The benchmark's name for `--benchmark`, and in manifests. */
  readonly name: (typeof BENCHMARK_NAMES)[number] | 'service';
  /** The benchmark's name in messages. */
  readonly title: string;
  /** Model of the simulated user in the benchmark's published results. @default no results are published */
  readonly publishedUser?: string;
  readonly domains: ReadonlyMap<string, Domain>;
  /** Prefix of the names of the benchmark's domains; empty for tau-bench. */
  readonly prefix: string;
  /** Prefix of the names of packs imported from the benchmark's repository. */
  readonly packPrefix: string;
  /** The command that imports the benchmark's packs. */
  readonly importCommand: string;
  /**
   * True if manifests of the benchmark's packs must name it. False if they must not, and a pack may have no manifest.
   */
  readonly isNamedInManifest: boolean;
  /** True if the imported pack with a domain's name is used for a domain without a shipped pack. */
  readonly takesImportedPack: boolean;
  /** Default values of a run's options. */
  readonly defaults: { readonly taskSplit: string; readonly maxSteps: number };
  /** True if an outside harness may take an episode's steps. */
  readonly allowsOutsideSteps: boolean;
  /** Required files of a pack of the domain, except task files; sorted. */
  readonly requiredFiles: (domain: string) => readonly string[];
  /** Makes a pack from files that are known to be complete. @throws PackError */
  readonly assemble: (folder: string, manifest: Manifest, files: FileBytes) => Pack;
  /** Returns the agent's system prompt. @param policy the domain's whole policy */
  readonly agentSystemPrompt: (policy: string) => string;
  /** @param hashing null: without hashes, which take most of the time */
  readonly openReplayer: (pack: Pack, hashing: Hashing | null) => Replayer;
  /** Grades a recorded episode again by repeating its calls. */
  readonly regrade: (episode: RecordedEpisode, task: Task, deps: RegradeDeps) => RegradeResult;
  /** Grades a recorded episode again, with a service that repeats the calls. */
  readonly regradeElsewhere?: (episode: RecordedEpisode, task: Task, pack: Pack) => Promise<RegradeResult>;
  /** Returns facts for results files that decide the grade, other than the conversation. @default none */
  readonly recordedFacts?: (end: RecordedEnd, grade: Grade | null) => object;
  /** The benchmark's form of results files, if it differs from tau-bench's. */
  readonly results?: ResultsFormat;
  /** Grades a task's ground truth for the audit. @default the audit replays the ground truth and checks each call */
  readonly checkTruth?: (pack: Pack, task: Task) => TruthCheck;
}

/**
 * How the benchmark grades the ground truth of a task, and an agent that does nothing. Sentences for a judge are left
 * out.
 */
export interface TruthCheck {
  readonly isGood: boolean;
  /** Reason why the ground truth cannot be graded. */
  readonly raised?: string | undefined;
  /** Calls of the ground truth whose observation is an error. */
  readonly failed: readonly { readonly name: string; readonly observation: string }[];
  /** True if an agent without any action or message gets the task's reward. */
  readonly isDoNothing: boolean;
  /** True if the data that the task requires equal the data without any action. */
  readonly isUnchanged: boolean;
}
