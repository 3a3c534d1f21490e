/** A results file of a benchmark's own tools: how it is recognized, read and written. */

import type { Grade } from './grade.ts';
import type { EnvData } from './overlay.ts';
import type { PyValue } from './python/index.ts';
import type { EnvironmentRef, ServiceStart } from './service/port.ts';
import type { ResultsFileEntry } from './tau-bench/results/entry.schema.ts';
import type { ActingMessage } from './trajectory.ts';
import type { Task } from './types.ts';

interface RecordedModelSettings {
  readonly provider: string;
  readonly model: string;
  readonly temperature?: number | null | undefined;
  readonly top_p?: number | null | undefined;
  readonly reasoning_effort?: string | null | undefined;
}

interface RunSettings {
  readonly env: string;
  readonly strategy: string;
  readonly strategyOptions: { readonly omitPolicy: boolean };
  readonly userStrategy: string;
  readonly seed: number;
}

/** The pack of a run. */
export interface ExportedPack extends EnvData {
  readonly policy: string;
  readonly splits: Readonly<Record<string, readonly Task[]>>;
  readonly version?: string | undefined;
  readonly changedFiles?: readonly string[] | undefined;
  /** The environment service of the pack, if it has one. */
  readonly environment?: { readonly taskPack: (task: Task) => Promise<{ readonly start: ServiceStart }> } | undefined;
}

/** A run, from its manifest. */
export interface ExportedRun {
  readonly runId: string;
  readonly config: RunSettings & {
    readonly split: string;
    readonly maxSteps: number;
    readonly pack: {
      readonly digest: string;
      readonly environment?: Pick<EnvironmentRef, 'name' | 'version' | 'options'> | undefined;
    };
    readonly agentModel: RecordedModelSettings | null;
    readonly userModel: RecordedModelSettings;
  };
  readonly plan: { readonly taskIds: readonly number[]; readonly numTrials: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly startedAt: string;
  readonly endedAt?: string | null | undefined;
}

interface ExportedMessage extends ActingMessage {
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** An episode, from its record, with the actions as tool calls. */
export interface ExportedEpisode {
  readonly runId: string;
  readonly taskId: number;
  readonly trial: number;
  readonly config: RunSettings;
  readonly outcome: { readonly kind: RecordedEnd; readonly message?: string };
  readonly reward: number;
  readonly grade: Grade | null;
  readonly task: Task;
  readonly trajectory: readonly ExportedMessage[];
  readonly usage: readonly { readonly role: string; readonly costUsd: number | null }[];
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
}

export type RecordedEnd =
  | 'user_stop'
  | 'transferred'
  | 'agent_stop'
  | 'max_steps'
  | 'agent_error'
  | 'infrastructure_error'
  | 'cancelled'
  | 'decision_only';

/** Figures of a run's report for a leaderboard. */
export interface LeaderboardFigures {
  readonly agentModel: string | null;
  /** pass^k of the run, without episodes that infrastructure ended. */
  readonly passHatK: readonly { readonly k: number; readonly value: number }[];
  readonly episodes: number;
  /** Average cost of the agent's calls per episode in USD; null if a price is unknown. */
  readonly agentCostUsd: number | null;
}

/** A run for the benchmark's leaderboard, after its episodes have been written. */
export interface SubmittedRun {
  readonly run: ExportedRun;
  readonly figures: LeaderboardFigures;
  /** Pack of the run; undefined if it is not on this machine. */
  readonly pack: Pick<ExportedPack, 'splits' | 'version' | 'changedFiles'> | undefined;
  /** True if some sentences were not judged, so that the score ignores them. */
  readonly isJudgeMissing: boolean;
  /** Number of written episodes with their conversation. */
  readonly trajectories: number;
  /** Name of the results file. */
  readonly resultsFile: string;
}

/** A check of a submission. `wrong`: the leaderboard would refuse it. */
export interface SubmissionFinding {
  readonly check: string;
  readonly state: 'right' | 'note' | 'wrong';
  /** Result of the check and remedy, as a sentence without its full stop. */
  readonly message: string;
}

/** Writes one run. */
interface ResultsWriter {
  /** @returns pieces of one JSON document, without episodes that have no result */
  readonly write: (episodes: AsyncIterable<ExportedEpisode>) => AsyncGenerator<string, void, undefined>;
  /** @param resultsFile name of the results file */
  readonly submitted: (figures: LeaderboardFigures, resultsFile: string) => SubmittedRun;
}

export interface ResultsFormat {
  /** Title of the benchmark, in messages. */
  readonly title: string;
  /** Value of `--format` for this form. */
  readonly name: string;
  /** Line in the help of `--format`. */
  readonly help: string;
  /** End of the file's name, after the run's name. */
  readonly fileName: string;
  /** Returns the list of results in a file of this form; undefined for any other file. */
  readonly resultsIn: (value: PyValue) => readonly PyValue[] | undefined;
  /** @returns results in the file's order, or a sentence that describes a problem of the file */
  readonly read: (value: PyValue) => readonly ResultsFileEntry[] | string;
  /** @param pack undefined if the pack is not on this machine */
  readonly open: (run: ExportedRun, pack: ExportedPack | undefined) => ResultsWriter;
  /** Checks runs that are to be one submission to the benchmark's leaderboard. */
  readonly checkSubmission: (runs: readonly SubmittedRun[]) => SubmissionFinding[];
  /** Returns the document for the leaderboard; null if the runs allow none. */
  readonly createSubmission: (runs: readonly SubmittedRun[]) => object | null;
}
