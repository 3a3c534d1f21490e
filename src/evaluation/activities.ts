/** The activities with their inputs and outputs: JSON-safe, small, and pure data. */

import type { CallRole, Completion } from '../agents/index.ts';
import type { GradeOutput, TrajectoryForm } from '../benchmarks/index.ts';
import type {
  AbandonedAttempt,
  AgentTurnInput,
  AgentTurnOutput,
  ForwardInput,
  ForwardOutput,
} from './agent-service.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type {
  ActionWire,
  EarlierEpisode,
  EpisodeSummary,
  ForkFacts,
  Outcome,
  RoleUsage,
  StepMetric,
} from './episode.ts';
import type { EpisodeKey, EvaluationConfig, RunRef } from './config.ts';
import type { FailedReplies } from './failed-replies.ts';
import type { LongReply, ReplyExcess, ReplyLimits, TranscriptDelta } from './transcript.ts';
import type {
  CloseJudgeInput,
  FindFailuresInput,
  FindFailuresOutput,
  JudgeInput,
  JudgeOutput,
  RecordVerdictInput,
} from './judging.ts';
import type { AlertInput, CompareRunsInput, RunComparison } from './scheduled-run.ts';
import type { RunEnd, SweepInput, SweepPlan, SweepTotals } from './sweep.ts';
import type { StepResult } from '../benchmarks/index.ts';

/** Every activity, as workflows call it and workers offer it. */
export interface Activities {
  readonly complete: (input: CompleteInput) => Promise<CompleteOutput>;
  /** Asks an agent that is a service. */
  readonly agentTurn: (input: AgentTurnInput) => Promise<AgentTurnOutput>;
  /** Makes a model call of such an agent. */
  readonly forward: (input: ForwardInput) => Promise<ForwardOutput>;
  /** Takes one step in the environment; a repetition has the same result. */
  readonly step: (input: StepInput) => Promise<StepOutput>;
  readonly grade: (input: GradeInput) => Promise<GradeOutput>;
  readonly record: (input: RecordInput) => Promise<void>;
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

export interface StepInput {
  readonly pack: PackRef;
  /** The episode's earlier actions that changed data, in order. */
  readonly writes: readonly ActionWire[];
  readonly action: ActionWire;
  /** The task in whose initial state the episode began; absent in steps of older workflows: the pack's own. */
  readonly task?: { readonly split: string; readonly taskId: number };
  /** Folder of the run log in which the step is noted while the episode goes on; absent: nowhere. */
  readonly logDir?: string;
}

export interface StepOutput extends StepResult {
  /** True if the action changed data, and so belongs to the writes of later steps. */
  readonly changed: boolean;
}

export interface GradeInput {
  readonly pack: PackRef;
  readonly split: string;
  readonly taskId: number;
  /** The episode's trajectory; its actions are derived from it. */
  readonly trajectory: TranscriptDelta;
  /** Its notation. @default 'tools' */
  readonly form?: TrajectoryForm;
}

export type { GradeOutput, RewardInfo } from '../benchmarks/index.ts';

export interface CompleteInput extends Omit<ForwardInput, 'wire' | 'transcript'> {
  readonly pack: PackRef;
  readonly split: string;
  readonly strategy: string;
  readonly strategyOptions: EvaluationConfig['strategyOptions'];
  readonly role: CallRole;
  /** Tokens that the completion may have; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  readonly transcript: TranscriptDelta;
  readonly tools: boolean;
  readonly format: 'text' | 'json';
  /** See `CompletionRequest.schema`. */
  readonly schema?: string;
  /** See `CompletionRequest.replyFields`. */
  readonly replyFields?: string;
  /** Passed to providers that take a seed. */
  readonly seed: number;
  /** See `EvaluationConfig.replyLimits`. */
  readonly replyLimits?: ReplyLimits;
  /** Folder of the run log in which the reply is noted while the episode goes on; absent: nowhere. */
  readonly logDir?: string;
  /** See `EvaluationConfig.keepRequests`; only with {@link logDir}. */
  readonly keepRequests?: true;
  /** See `EpisodeInput.resumes`. */
  readonly resumes?: EarlierEpisode;
}

export interface CompleteOutput extends Completion {
  /** The model as the provider names what it served. */
  readonly servedModel: string;
  readonly fingerprint: string | null;
  readonly requestId: string | null;
  /** One more than the earlier attempts that may have been paid as well: see {@link EarlierAttempts}. */
  readonly attempt: number;
  /** Fields of the request that the model does not take, and that were left out; absent: none. */
  readonly leftOut?: readonly string[];
  /** Repairs without which the reply could not be read; absent: none. */
  readonly repairs?: readonly string[];
  /** The worker's response cache had it: the cost is 0, the tokens are those of the call that was made once. */
  readonly cached?: true;
  /** The reply was too long: the message's content is its beginning and end, for people alone. */
  readonly tooLong?: ReplyExcess;
  /** The earlier episode was answered this, and had paid it: see `EpisodeInput.resumes`. */
  readonly reused?: true;
  /** Replies of the attempts before, which were paid and are no part of the usage. Absent: none. */
  readonly failedReplies?: FailedReplies;
}

export interface RecordInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  readonly config: EvaluationConfig;
  readonly workflowId: string;
  readonly workflowRunId: string;
  readonly trajectory: TranscriptDelta;
  readonly outcome: Outcome;
  /** 0 unless the episode was done and graded 1, as in the reference. */
  readonly reward: number;
  /** null when the episode was not done. */
  readonly grade: GradeOutput | null;
  /** Grade that an episode which was out of steps would have had; null otherwise. */
  readonly wouldBeGrade: GradeOutput | null;
  readonly steps: readonly StepMetric[];
  /** The strategy's counters, in the order of first mention. */
  readonly counts: Readonly<Record<string, number>>;
  readonly usage: readonly RoleUsage[];
  /** Replies that were too long to be used, the first few; absent: none. */
  readonly longReplies?: readonly LongReply[];
  /** Served model names and fingerprints, as the providers report them. */
  readonly served: readonly string[];
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Absent in an episode that began at its beginning. */
  readonly fork?: ForkToRecord;
  /** Attempts of an agent service that were taken back; absent: none. */
  readonly abandoned?: readonly AbandonedAttempt[];
  /** Calls among {@link usage} that are from the record that this one replaces; absent: none. */
  readonly reusedCalls?: number;
}

export interface ForkToRecord extends ForkFacts {
  /** Calls of the replayed prefix that were answered with the origin's replies: no part of the usage. */
  readonly replayedCalls: number;
}

export interface SumRecordedInput {
  readonly run: RunRef;
  readonly plan: SweepPlan;
  readonly seed: number;
  /** See `SweepInput.only`: every other episode counts as it is recorded, whatever its outcome. */
  readonly only?: readonly EpisodeKey[];
}

export interface FindRecordedInput extends SumRecordedInput {
  /** Half-open range of the plan's positions. */
  readonly start: number;
  readonly end: number;
}

export interface FindRecordedOutput {
  /**
   * Positions in the range whose episode is in the run log and need not run again, ascending: it was neither cancelled
   * nor ended by an infrastructure error.
   */
  readonly positions: readonly number[];
  /** Totals of these positions; the costs are those of every record in the range, replaced ones and those to be replaced included. */
  readonly totals: SweepTotals;
  /** Workflow runs of canceled episodes in the range, by episode name; absent: there are none. */
  readonly begun?: Readonly<Record<string, string>>;
}

/** Sums over the part of a plan that the run log holds, without the positions: a plan may have thousands. */
export interface SumRecordedOutput {
  /** Episodes that run again in another walk over the plan: recorded, and cancelled or ended by infrastructure. */
  readonly failed: number;
  /** See {@link FindRecordedOutput.totals}. */
  readonly totals: SweepTotals;
}

export interface EndStuckInput {
  readonly config: EvaluationConfig;
  /** True if the sweep is being cancelled: its episodes are to end anyway. */
  readonly isCancelled: boolean;
}

export interface EndStuckOutput {
  readonly ended: number;
  /** Episodes whose workflow task fails, but not yet often enough. */
  readonly failing: number;
}

export interface RecordLostInput extends Pick<
  RecordInput,
  'run' | 'episode' | 'config' | 'workflowId' | 'workflowRunId'
> {
  /** Recorded where the server has no better words. */
  readonly message: string;
}

export interface SummarizeInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  /** Workflow run of the episode; null: whichever has recorded it. */
  readonly workflowRunId: string | null;
}

export interface ArchiveInput {
  readonly run: RunRef;
  /** Episodes whose records are archived, whatever their outcome. */
  readonly episodes: readonly EpisodeKey[];
  /** Part of {@link episodes} that the sweep counts whatever their outcome. */
  readonly counted: readonly EpisodeKey[];
}

export interface ArchiveOutput {
  /** Totals of the records moved by this attempt that the sweep counts: those asked about, and every final one. */
  readonly totals: SweepTotals;
}

export interface RunInput extends Pick<
  SweepInput,
  'run' | 'config' | 'plan' | 'maxConcurrency' | 'maxCostUsd' | 'notes'
> {
  readonly workflowId: string;
  /** The run's episodes go on meanwhile; absent: it has none yet. */
  readonly isUnderWay?: true;
}

export interface CloseRunInput extends RunInput {
  /** Status as the sweep knows it, which does not read the records. */
  readonly status: Exclude<RunEnd, 'incomplete'>;
  /** Episodes that have ended, each of which must have a record. */
  readonly ended: number;
}

export interface OpenRunOutput {
  /** See `RunRef.token`. */
  readonly token: string;
}

/** Search attributes of a run that has been closed. */
export interface CloseRunOutput {
  /** Every error counted as a failure; null when no episode has a score. */
  readonly averageReward: number | null;
  /** USD, replaced records included; null when a price is unknown. */
  readonly costUsd: number | null;
  /** Status that the records show. */
  readonly status: RunEnd;
}

/** Longest wait of a model call's attempt for its turn at a provider that answers 429. */
export const TURN_WAIT_MS = 120_000;

/** Time of an attempt beyond the call's own deadline: to wait for its turn, to prepare it, to report how it ended. */
export const CALL_SLACK_MS = TURN_WAIT_MS + 30_000;
