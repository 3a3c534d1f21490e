/** The common form of results in any format. A fact that a format lacks is unknown: null, never 0. */

import type { ResultsFileMessage } from '../../benchmarks/results.ts';
import type { RowOutcome } from '../../run-log/index.ts';

/** Tokens of an episode's model calls, all of them known. */
export interface RecordedTokens {
  readonly calls: number;
  /** Tokens of prompts, cached ones included. */
  readonly prompt: number;
  readonly completion: number;
  /** Tokens read from a cache. @default none */
  readonly cached?: number | null;
  /** Tokens of reasoning. @default none */
  readonly reasoning?: number | null;
}

/** One trial of a task. */
export interface RecordedTrial {
  readonly task: string;
  /** Number of the trial, from 0. */
  readonly trial: number;
  /** Scores by name. A trial without a score was not graded by that scorer. */
  readonly scores: Readonly<Record<string, number>>;
  readonly outcome: RowOutcome;
  /** Message of the error; null if there was none. */
  readonly error: string | null;
  /** Tokens of the episode; null: unknown. */
  readonly tokens: RecordedTokens | null;
  /** Cost in USD; null: unknown. */
  readonly costUsd: number | null;
  /** Number of the agent's actions; null: unknown. */
  readonly steps: number | null;
  /** Number of the agent's messages to the user; null: unknown. */
  readonly turns: number | null;
  readonly durationMs: number | null;
  readonly tools: readonly string[];
  /** The conversation; empty if it was not requested, or is not recorded. */
  readonly messages: readonly ResultsFileMessage[];
}

/** One run: an agent on the tasks of one benchmark. */
export interface RecordedRun {
  readonly name: string;
  /** Name of the format for messages, such as `Inspect`. */
  readonly format: string;
  /** Name of the tasks; null: unknown. Runs with different names are not compared. */
  readonly benchmark: string | null;
  readonly agent: string | null;
  readonly agentModel: string | null;
  /** Score that is used by default; null: a user has to choose among several. */
  readonly mainScore: string | null;
  /** The format's own summary and caveats, one sentence each. */
  readonly notes: readonly string[];
  readonly trials: readonly RecordedTrial[];
}

export interface ReadOptions {
  /** True to read conversations too, which take most of the space. @default false */
  readonly messages?: boolean;
}
