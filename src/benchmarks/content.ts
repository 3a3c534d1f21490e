/** The content of a benchmark, for code on Node: its packs, its agent's prompt, its defaults, and facts about its tasks. */

import type { Domain } from './domain.ts';
import type { Grade } from './grade.ts';
import type { FileBytes, Manifest } from './packs/manifest.ts';
import type { Pack } from './packs/types.ts';
import type { BENCHMARK_NAMES } from './registry.ts';
import type { RecordedEpisode, RegradeDeps, Regraded } from './regrading.ts';
import type { Replayer } from './replay.ts';
import type { EpisodeEnd, ResultsFormat } from './results-format.ts';
import type { Hashing } from './state-hasher.ts';
import type { Task } from './types.ts';

export interface BenchmarkContent {
  /** Its name for `--benchmark`, and in manifests that name it. */
  readonly name: (typeof BENCHMARK_NAMES)[number] | 'service';
  /** Its name in messages. */
  readonly title: string;
  /** Simulated user's model of its published results. @default none are published */
  readonly publishedUser?: string;
  readonly domains: ReadonlyMap<string, Domain>;
  /** Start of its domains' names, which keeps them apart from another benchmark's; empty for tau-bench. */
  readonly prefix: string;
  /** Start of the names of the packs that are imported from its repository. */
  readonly packPrefix: string;
  /** The command that imports them. */
  readonly importCommand: string;
  /** True if manifests of its packs must name it; false: they must not, and a pack may have no manifest. */
  readonly isNamedInManifest: boolean;
  /** True if the imported pack that is named as a domain is taken where no pack is shipped. */
  readonly takesImportedPack: boolean;
  /** Values of a run's options that a person leaves out. */
  readonly defaults: { readonly taskSplit: string; readonly maxSteps: number };
  /** True if an outside harness may take an episode's steps. */
  readonly allowsOutsideSteps: boolean;
  /** Files that a pack of the domain cannot do without, task files aside; sorted. */
  readonly requiredFiles: (domain: string) => readonly string[];
  /** A pack from files that are known to be all there. @throws PackError */
  readonly assemble: (folder: string, manifest: Manifest, files: FileBytes) => Pack;
  /** The agent's system prompt. @param policy the domain's, whole */
  readonly agentSystemPrompt: (policy: string) => string;
  /** @param hashing null: lines have no hashes, which take most of the time */
  readonly openReplayer: (pack: Pack, hashing: Hashing | null) => Replayer;
  /** Grades a recorded episode again by carrying out its calls. */
  readonly regrade: (episode: RecordedEpisode, task: Task, deps: RegradeDeps) => Regraded;
  /** The same in the place of {@link regrade} where a service carries the calls out. */
  readonly regradeElsewhere?: (episode: RecordedEpisode, task: Task, pack: Pack) => Promise<Regraded>;
  /** Facts that an episode is graded by besides its conversation, for results files. @default none */
  readonly recordedFacts?: (end: EpisodeEnd, grade: Grade | null) => object;
  /** The results files of its tools, where they differ from tau-bench's. */
  readonly results?: ResultsFormat;
  /** Grades a task's ground truth, for the audit. Absent: the audit replays it and checks each call. */
  readonly checkTruth?: (pack: Pack, task: Task) => TruthCheck;
}

/** The ground truth of a task, and doing nothing, as the benchmark grades them. Sentences for a judge are left out. */
export interface TruthCheck {
  readonly isGood: boolean;
  /** Reason why the ground truth cannot be graded. */
  readonly raised?: string | undefined;
  /** Calls of the ground truth that are answered with an error. */
  readonly failed: readonly { readonly name: string; readonly observation: string }[];
  /** True if an agent that does and says nothing gets the task's reward. */
  readonly isDoNothing: boolean;
  /** True if the wanted data are those of doing nothing. */
  readonly isUnchanged: boolean;
}
