/** Inputs and outputs of judging a run's failed episodes. Conversations and prompts are not among them. */

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
      /** Absolute path of a results file of any tool. */
      readonly file: string;
      /** Absolute path of the document for the judge's answers; it ends in `.json`. */
      readonly document: string;
      /** The pack of the tasks, for the analysis and for facts that the file lacks; null if there is none. */
      readonly tasks: { readonly pack: PackRef; readonly split: string } | null;
    };

export interface JudgeSettings {
  readonly model: ModelSettings;
  /** Most tokens of an answer; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  /** Most retries of a call after API failures. */
  readonly maxRetries: number;
  readonly callTimeoutMs: number;
  /** See `EvaluationConfig.outageTimeoutMs`. */
  readonly outageTimeoutMs?: number;
  /** Price that replaces the price list's price. */
  readonly price?: ModelPrice;
}

/** A failed episode, with the facts for finding it again. */
export interface FailedEpisode extends EpisodeKey {
  /** Position of the episode in the results file; null in a run log. */
  readonly index: number | null;
  /** True if the episode ended in an error or has no conversation, so that no model is called. */
  readonly isInfrastructure: boolean;
}

export interface FindFailuresInput {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** First position to read, in the source's order. */
  readonly from: number;
  /** Most failed episodes to judge from this position on; null: all. */
  readonly most: number | null;
  /** Most episodes of a page. */
  readonly page: number;
}

export interface FindFailuresOutput {
  /** Episodes to judge. */
  readonly episodes: readonly FailedEpisode[];
  /** Number of episodes that already have a verdict of this judge. */
  readonly kept: number;
  /** First position of the next page; null after the last one. */
  readonly next: number | null;
}

export interface JudgeInput {
  readonly source: JudgedSource;
  readonly episode: FailedEpisode;
  readonly judge: JudgeSettings;
  readonly question: QuestionName;
  /** Number of the attempt, from 1. Before a further attempt, the previous answer could not be read. */
  readonly attempt: number;
}

export interface JudgeOutput extends JudgeCost, Usage {
  /** The judge's answer; null if it cannot be read. */
  readonly answer: JudgeAnswer | null;
  /** Beginning of an unreadable reply, with the reason for its early end. @default the reply is readable */
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
  /** Cost in USD; null if the price is unknown. */
  readonly costUsd: number | null;
  /** Cost of the calls with a known price in USD. @default equal to {@link costUsd} */
  readonly knownCostUsd?: number;
}

export interface RecordVerdictInput extends Pick<JudgeInput, 'source' | 'episode' | 'judge'> {
  /** The judge's answer on the author; null if there was no question or no answer. */
  readonly author: JudgeAnswer | null;
  readonly fault: JudgeAnswer | null;
  /** Reason for a missing part of the verdict; null if it is complete. */
  readonly problem: string | null;
  readonly spent: JudgeCost;
}

export interface CloseJudgeInput {
  readonly source: JudgedSource;
}

export interface JudgeRunInput extends Pick<WorkflowInput, 'queues' | 'indexed' | 'version'> {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** Most episodes judged at the same time. */
  readonly maxConcurrency: number;
  /** Most failed episodes to judge; null: all. */
  readonly maxFailures: number | null;
  /** Cost in USD above which no further episode is judged; null: no bound. */
  readonly maxCostUsd: number | null;
  /** State of the workflow runs before this one; absent at the start. */
  readonly state?: { readonly next: number; readonly totals: JudgeTotals };
  /** Thresholds that tests lower: episodes per page, and delays of a call that waits for its provider. */
  readonly tuning?: { readonly page?: number; readonly holdMs?: { readonly first: number; readonly last: number } };
}

/** Progress of the judge. */
export interface JudgeTotals extends JudgeCost {
  /** Number of failed episodes that have a verdict, including earlier ones. */
  readonly seen: number;
  /** Number of {@link seen} whose verdict is an earlier one. */
  readonly kept: number;
  /** Number of new verdicts by author. */
  readonly authors: Readonly<Record<JudgedAuthor | 'infrastructure' | 'unjudged', number>>;
  readonly faultTypes: Readonly<Partial<Record<FaultType, number>>>;
}

export interface JudgeProgress extends JudgeTotals {
  readonly open: number;
  /** Number of calls that wait for a provider that is away, and its latest failure; absent: none. */
  readonly held?: { readonly calls: number; readonly reason: string };
}
