/** What crosses Temporal when a judge looks at a run's failed episodes. Conversations and prompts never do. */

import type { Choice, FaultType, JudgedAuthor, QuestionName } from '../analysis/index.ts';
import type { PackRef } from '../packs/index.ts';
import type { EpisodeKey, ModelConfig, ModelPrice, RunRef } from './config.ts';
import type { TaskQueues } from './episode.ts';

/** Whose failed episodes are judged, and where the verdicts go. */
export type JudgedSource =
  | {
      readonly kind: 'run';
      readonly run: RunRef;
      /** For records that were not analysed when they were made; null: they stay so. */
      readonly pack: PackRef | null;
    }
  | {
      readonly kind: 'file';
      /** A results file of any tool; absolute path. */
      readonly file: string;
      /** Where the verdicts are put together; absolute path, which ends in `.json`. */
      readonly document: string;
      /** The pack of its tasks, for what the file does not say of them and for the analysis; null: neither. */
      readonly tasks: { readonly pack: PackRef; readonly split: string } | null;
    };

export interface JudgeSettings {
  readonly model: ModelConfig;
  /** Tokens that an answer may have; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  /** Retries of one call after API failures. */
  readonly maxRetries: number;
  readonly callTimeoutMs: number;
  /** See `EvaluationConfig.heartbeatTimeoutMs`. */
  readonly heartbeatTimeoutMs?: number;
  /** See `EvaluationConfig.outageTimeoutMs`. */
  readonly outageTimeoutMs?: number;
  /** Goes before the price list's. */
  readonly price?: ModelPrice;
}

/** A failed episode, by what finds it again. */
export interface FailedEpisode extends EpisodeKey {
  /** Position in the results file; null in a run log. */
  readonly index: number | null;
  /** It ended in an error, or holds no conversation: no model is asked. */
  readonly isInfrastructure: boolean;
}

export interface FindFailuresInput {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** Where to begin in the source's order. */
  readonly from: number;
  /** Failed episodes that may still be looked at; null: all. */
  readonly most: number | null;
  /** Episodes to be returned at most. */
  readonly page: number;
}

export interface FindFailuresOutput {
  /** Those that are to be judged. */
  readonly episodes: readonly FailedEpisode[];
  /** Verdicts of this judge that are there already. */
  readonly kept: number;
  /** Where to go on; null: all has been seen. */
  readonly next: number | null;
}

export interface JudgeInput {
  readonly source: JudgedSource;
  readonly episode: FailedEpisode;
  readonly judge: JudgeSettings;
  readonly question: QuestionName;
  /** 1-based; from the second on, the answer before could not be read. */
  readonly attempt: number;
}

export interface JudgeOutput extends Spent {
  /** null where it cannot be read. */
  readonly answer: JudgedAnswer | null;
  /** Parts of the prompt's and of the completion's tokens. */
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** The model as the provider names what it served. */
  readonly servedModel: string;
  readonly finishReason: string;
  readonly latencyMs: number;
}

/** See `JudgeAnswer`. */
export interface JudgedAnswer {
  readonly choice: Choice;
  readonly description: string;
  readonly quotes: readonly string[];
  readonly unfoundQuotes: number;
}

/** What judging has cost. */
export interface Spent {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** USD; null when the price is unknown. */
  readonly costUsd: number | null;
}

export interface RecordVerdictInput {
  readonly source: JudgedSource;
  readonly episode: FailedEpisode;
  readonly judge: JudgeSettings;
  /** null where the judge was not asked, or has not answered. */
  readonly author: JudgedAnswer | null;
  readonly fault: JudgedAnswer | null;
  /** Why something is missing; null where nothing is. */
  readonly problem: string | null;
  readonly spent: Spent;
}

export interface CloseErrorsInput {
  readonly source: JudgedSource;
}

export interface ErrorsInput {
  readonly source: JudgedSource;
  readonly judge: JudgeSettings;
  /** Episodes judged at once. */
  readonly maxConcurrency: number;
  /** The first so many failed episodes only; null: all. */
  readonly maxFailures: number | null;
  /** No further episode is judged when so much was spent, in USD; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly queues: TaskQueues;
  /** Whether the server knows the search attributes. */
  readonly indexed: boolean;
  /** See `WORKFLOW_VERSION`. */
  readonly version?: number;
  /** Of the runs of this workflow before; absent at its start. */
  readonly state?: ErrorsState;
  /** For tests: episodes of one page; and of a call that waits for its provider, the first and the last delay. */
  readonly tuning?: { readonly page?: number; readonly holdMs?: { readonly first: number; readonly last: number } };
}

/** How far it is. */
export interface ErrorsTotals extends Spent {
  /** Failed episodes that have a verdict, those of before included. */
  readonly seen: number;
  /** Of these, verdicts of before. */
  readonly kept: number;
  /** Verdicts given now, by author. */
  readonly authors: Readonly<Record<JudgedAuthor | 'infrastructure' | 'unjudged', number>>;
  readonly faultTypes: Readonly<Partial<Record<FaultType, number>>>;
}

export interface ErrorsState {
  readonly next: number;
  readonly totals: ErrorsTotals;
}

export interface ErrorsProgress extends ErrorsTotals {
  readonly open: number;
  /** Calls that wait for a provider that is away, and its latest failure; absent: none. */
  readonly held?: { readonly calls: number; readonly reason: string };
}

export interface ErrorsResult extends ErrorsTotals {
  readonly status: 'completed' | 'budget_reached';
}
