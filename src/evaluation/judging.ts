/** Inputs and outputs of judging a run's failed episodes. Conversations and prompts never cross Temporal. */

import type { FailedReplies } from './failed-replies.ts';
import type { JudgeAnswer, FaultType, JudgedAuthor, QuestionName } from '../analysis/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type { EpisodeKey } from '../benchmarks/index.ts';
import type { ModelSettings, ModelPrice } from './model-settings.schema.ts';
import type { RunRef } from './workflow-input.ts';
import type { Usage } from '../agents/index.ts';
import type { WorkflowInput } from './workflow-input.ts';

/** Source of the failed episodes, and destination of the judge's answers. */
export type JudgedSource =
  | { readonly kind: 'run'; readonly run: RunRef }
  | {
      readonly kind: 'file';
      /** A results file of any tool; absolute path. */
      readonly file: string;
      /** Document that collects the judge's answers; absolute path that ends in `.json`. */
      readonly document: string;
      /** The pack of its tasks, for the analysis and for facts that the file lacks; null if there is none. */
      readonly tasks: { readonly pack: PackRef; readonly split: string } | null;
    };

export interface JudgeSettings {
  readonly model: ModelSettings;
  /** Most tokens of an answer; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  /** Retries of one call after API failures. */
  readonly maxRetries: number;
  readonly callTimeoutMs: number;
  /** See `EvaluationConfig.heartbeatTimeoutMs`. */
  readonly heartbeatTimeoutMs?: number;
  /** See `EvaluationConfig.outageTimeoutMs`. */
  readonly outageTimeoutMs?: number;
  /** Price that replaces the price list's. */
  readonly price?: ModelPrice;
}

/** A failed episode, with what is needed to find it again. */
export interface FailedEpisode extends EpisodeKey {
  /** Position in the results file; null in a run log. */
  readonly index: number | null;
  /** True if it ended in an error or has no conversation, so that no model is asked. */
  readonly isInfrastructure: boolean;
}

export interface FindFailuresInput {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** First position in the source's order. */
  readonly from: number;
  /** Most failed episodes to judge from here on; null: all. */
  readonly most: number | null;
  /** Most episodes of a page. */
  readonly page: number;
}

export interface FindFailuresOutput {
  /** Episodes to judge. */
  readonly episodes: readonly FailedEpisode[];
  /** Verdicts of this judge that are there already. */
  readonly kept: number;
  /** First position of the next page; null: this was the last. */
  readonly next: number | null;
}

export interface JudgeInput {
  readonly source: JudgedSource;
  readonly episode: FailedEpisode;
  readonly judge: JudgeSettings;
  readonly question: QuestionName;
  /** 1-based. From the second attempt on, the previous answer could not be read. */
  readonly attempt: number;
}

export interface JudgeOutput extends JudgeCost, Usage {
  /** null where it cannot be read. */
  readonly answer: JudgeAnswer | null;
  /** The beginning of an unreadable reply, with the reason for an early end. @default readable */
  readonly unread?: string;
  /** The model's name in the provider's reply. */
  readonly servedModel: string;
  readonly finishReason: string;
  readonly latencyMs: number;
  /** See `CompleteOutput.failedReplies`. */
  readonly failedReplies?: FailedReplies;
}

/** Tokens and cost of judging. */
export interface JudgeCost {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** USD; null when the price is unknown. */
  readonly costUsd: number | null;
  /** USD of calls with known price. @default equal to {@link costUsd} */
  readonly knownCostUsd?: number;
}

export interface RecordVerdictInput extends Pick<JudgeInput, 'source' | 'episode' | 'judge'> {
  /** null where the judge was not asked, or has not answered. */
  readonly author: JudgeAnswer | null;
  readonly fault: JudgeAnswer | null;
  /** Reason for a missing part; null if the verdict is complete. */
  readonly problem: string | null;
  readonly spent: JudgeCost;
}

export interface CloseJudgeInput {
  readonly source: JudgedSource;
}

export interface JudgeRunInput extends Pick<WorkflowInput, 'queues' | 'indexed' | 'version'> {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** Episodes judged at once. */
  readonly maxConcurrency: number;
  /** Judge only this many failed episodes; null: all. */
  readonly maxFailures: number | null;
  /** USD after which no further episode is judged; null: no bound. */
  readonly maxCostUsd: number | null;
  /** State of the workflow runs before this one; absent at the start. */
  readonly state?: { readonly next: number; readonly totals: JudgeTotals };
  /** Thresholds that a test lowers: episodes of one page, and the delays of a call that waits for its provider. */
  readonly tuning?: { readonly page?: number; readonly holdMs?: { readonly first: number; readonly last: number } };
}

/** Progress of the judge. */
export interface JudgeTotals extends JudgeCost {
  /** Failed episodes that have a verdict, earlier ones included. */
  readonly seen: number;
  /** Number of {@link seen} whose verdict is an earlier one. */
  readonly kept: number;
  /** Verdicts given now, by author. */
  readonly authors: Readonly<Record<JudgedAuthor | 'infrastructure' | 'unjudged', number>>;
  readonly faultTypes: Readonly<Partial<Record<FaultType, number>>>;
}

export interface JudgeProgress extends JudgeTotals {
  readonly open: number;
  /** Calls that wait for a provider that is away, and its latest failure; absent: none. */
  readonly held?: { readonly calls: number; readonly reason: string };
}
