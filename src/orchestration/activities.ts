/** The port of the activities, which workflows call and workers offer; all payloads are small, plain JSON. */

import type { GradeOutput } from '../benchmarks/index.ts';
import type {
  CompleteInput,
  GradeInput,
  RecordInput,
  RecordOutput,
  StartInput,
  StartOutput,
  StepInput,
  StepOutput,
} from '../episode/index.ts';
import type { AgentTurnInput, AgentTurnOutput, ForwardInput, ForwardOutput } from '../agent-service/pure.ts';
import type {
  AlertInput,
  CloseJudgeInput,
  CloseRunInput,
  CompareRunsInput,
  EpisodeKey,
  EpisodeSummary,
  EvaluationConfig,
  FindFailuresInput,
  FindFailuresOutput,
  JudgeInput,
  JudgeOutput,
  RecordVerdictInput,
  RunComparison,
  RunEnd,
  RunInput,
  RunRef,
  SweepPlan,
  SweepTotals,
  CompleteOutput,
} from '../evaluation/index.ts';

export interface Activities {
  readonly complete: (input: CompleteInput) => Promise<CompleteOutput>;
  /** Asks an agent that is a service. */
  readonly agentTurn: (input: AgentTurnInput) => Promise<AgentTurnOutput>;
  /** Makes a model call of an agent that is a service. */
  readonly forward: (input: ForwardInput) => Promise<ForwardOutput>;
  /** Begins an episode on an environment service. */
  readonly start: (input: StartInput) => Promise<StartOutput>;
  /** Takes one step in the environment; a repetition has the same result. */
  readonly step: (input: StepInput) => Promise<StepOutput>;
  readonly grade: (input: GradeInput) => Promise<GradeOutput>;
  readonly record: (input: RecordInput) => Promise<RecordOutput>;
  readonly openRun: (input: RunInput) => Promise<OpenRunOutput>;
  readonly findRecorded: (input: FindRecordedInput) => Promise<FindRecordedOutput>;
  readonly sumRecorded: (input: SumRecordedInput) => Promise<SumRecordedOutput>;
  readonly summarize: (input: SummarizeInput) => Promise<EpisodeSummary | null>;
  readonly supersede: (input: ArchiveInput) => Promise<ArchiveOutput>;
  readonly closeRun: (input: CloseRunInput) => Promise<CloseRunOutput>;
  readonly endStuckEpisodes: (input: EndStuckInput) => Promise<EndStuckOutput>;
  readonly recordLost: (input: RecordLostInput) => Promise<EpisodeSummary>;
  readonly judge: (input: JudgeInput) => Promise<JudgeOutput>;
  readonly findFailures: (input: FindFailuresInput) => Promise<FindFailuresOutput>;
  readonly recordVerdict: (input: RecordVerdictInput) => Promise<void>;
  readonly closeErrors: (input: CloseJudgeInput) => Promise<void>;
  readonly compareRuns: (input: CompareRunsInput) => Promise<RunComparison>;
  readonly alert: (input: AlertInput) => Promise<void>;
}

export interface SumRecordedInput {
  readonly run: RunRef;
  readonly plan: SweepPlan;
  readonly seed: number;
  /** See `SweepInput.only`: other episodes need not run, with any outcome. */
  readonly only?: readonly EpisodeKey[];
  /** Most repetitions of an episode with a suspect user. @default 0 */
  readonly repeatSuspect?: number;
}

export interface FindRecordedInput extends SumRecordedInput {
  /** Half-open range of the plan's positions. */
  readonly start: number;
  readonly end: number;
}

export interface FindRecordedOutput {
  /**
   * Positions in the range whose episodes have a final record (neither cancelled nor ended by an infrastructure error),
   * so that they need not run again; ascending.
   */
  readonly positions: readonly number[];
  /**
   * Totals of {@link positions}. The costs are those of all records in the range, also of replaced ones and ones to be
   * replaced.
   */
  readonly totals: SweepTotals;
  /** Workflow runs of canceled episodes in the range, by episode name. @default none */
  readonly begun?: Readonly<Record<string, string>>;
  /** Numbers of earlier attempts of episodes to repeat, by name. @default none */
  readonly repeats?: Readonly<Record<string, number>>;
}

/** Sums over the recorded part of a plan, without positions, because a plan may have thousands. */
export interface SumRecordedOutput {
  /**
   * Number of recorded episodes that run again in another walk over the plan: cancelled ones, and ones that
   * infrastructure ended.
   */
  readonly failed: number;
  /** See {@link FindRecordedOutput.totals}. */
  readonly totals: SweepTotals;
}

export interface EndStuckInput {
  readonly config: EvaluationConfig;
  /** True if the sweep is being canceled, so that its episodes have to end anyway. */
  readonly isCancelled: boolean;
}

export interface EndStuckOutput {
  readonly ended: number;
  /** Number of episodes whose workflow task fails, but not yet often enough to end them. */
  readonly failing: number;
}

export interface RecordLostInput extends Pick<
  RecordInput,
  'run' | 'episode' | 'config' | 'workflowId' | 'workflowRunId' | 'repeat'
> {
  /** Message for the record if the server has no better one. */
  readonly message: string;
}

export interface SummarizeInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  /** Workflow run of the episode; null: the one that has recorded it. */
  readonly workflowRunId: string | null;
}

export interface ArchiveInput {
  readonly run: RunRef;
  /** Episodes whose records are archived, with any outcome. */
  readonly episodes: readonly EpisodeKey[];
  /** Part of {@link episodes} that the sweep counts with any outcome. */
  readonly counted: readonly EpisodeKey[];
}

export interface ArchiveOutput {
  /** Totals of the records moved by this attempt that the sweep counts: requested ones, and all final ones. */
  readonly totals: SweepTotals;
}

export interface OpenRunOutput {
  /** See `RunRef.token`. */
  readonly token: string;
}

/** Search attributes of a run that has been closed. */
export interface CloseRunOutput {
  /** Average reward, with every error as a failure; null if no episode has a score. */
  readonly averageReward: number | null;
  /** Cost in USD, replaced records included; null if a price is unknown. */
  readonly costUsd: number | null;
  /** Status of the run, from its records. */
  readonly status: RunEnd;
}
