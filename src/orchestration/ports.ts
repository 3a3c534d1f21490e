/** Ports of a sweep: workflow code has Temporal behind them, a test plain objects. */

import type { EpisodeInput } from '../episode/index.ts';
import type {
  CloseRunInput,
  EpisodeKey,
  EpisodeSummary,
  HeldRelease,
  RunInput,
  SweepControl,
  SweepInput,
  SweepResult,
} from '../evaluation/index.ts';
import type {
  ArchiveInput,
  ArchiveOutput,
  CloseRunOutput,
  EndStuckInput,
  EndStuckOutput,
  FindRecordedInput,
  FindRecordedOutput,
  OpenRunOutput,
  RecordLostInput,
  SumRecordedInput,
  SumRecordedOutput,
  SummarizeInput,
} from './activities.ts';

/** The activities of a sweep. Each call has a summary for people. */
export interface SweepActivities {
  openRun(summary: string, input: RunInput): Promise<OpenRunOutput>;
  findRecorded(summary: string, input: FindRecordedInput): Promise<FindRecordedOutput>;
  sumRecorded(summary: string, input: SumRecordedInput): Promise<SumRecordedOutput>;
  summarize(summary: string, input: SummarizeInput): Promise<EpisodeSummary | null>;
  archive(summary: string, input: ArchiveInput): Promise<ArchiveOutput>;
  closeRun(summary: string, input: CloseRunInput): Promise<CloseRunOutput>;
  endStuckEpisodes(summary: string, input: EndStuckInput): Promise<EndStuckOutput>;
  recordLost(summary: string, input: RecordLostInput): Promise<EpisodeSummary>;
}

/** An open lane: the workflow of a sweep over a slice of the plan. */
export interface LaneHandle {
  readonly result: () => Promise<SweepResult>;
  readonly send: (settings: SweepControl) => Promise<void>;
}

/** Reason why the workflow of an episode has returned no summary. */
export type EpisodeFailure =
  | {
      readonly kind: 'failed';
      readonly isCancelled: boolean;
      readonly message: string;
      /** Summary of the episode, if the episode ended itself. */
      readonly summary?: EpisodeSummary;
      readonly workflowId?: string;
      readonly workflowRunId?: string;
    }
  /** The sweep was cancelled before it opened the episode. */
  | { readonly kind: 'unopened' }
  /** The episode of an earlier sweep is still open. */
  | { readonly kind: 'open' };

export interface SweepPorts {
  readonly activities: SweepActivities;
  readonly workflowId: string;
  /** True once cancellation of the sweep was requested; a waiting call then fails with the cancellation. */
  readonly isCancelled: () => boolean;
  readonly isCancellation: (error: unknown) => boolean;
  /** True if the error is a failure, false if it is a bug. */
  readonly isFailure: (error: unknown) => boolean;
  /** Runs work that the cancellation of the sweep does not end. */
  readonly uncancelled: <T>(work: () => Promise<T>) => Promise<T>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Waits until a condition is met, or at most `ms` milliseconds. */
  readonly until: (isMet: () => boolean, ms?: number) => Promise<unknown>;
  /** True if the workflow should continue as new. */
  readonly isHistoryFull: () => boolean;
  readonly startLane: (lane: SweepInput & Required<Pick<SweepInput, 'lane'>>) => Promise<LaneHandle>;
  readonly playEpisode: (input: EpisodeInput) => Promise<EpisodeSummary>;
  /** Reads the failure behind an error of {@link playEpisode}; undefined for a bug. */
  readonly readEpisodeFailure: (error: unknown) => EpisodeFailure | undefined;
  /** Makes an episode repeat its held call, or give it up. @throws a failure if the episode has ended */
  readonly release: (episode: EpisodeKey, release: HeldRelease) => Promise<void>;
  /** Reports to the sweep of a lane that the lane has paused itself. */
  readonly reportHalt: (reason: string) => Promise<void>;
}
