/** The common form of results in any format. A fact that a format lacks is unknown: null, never 0. */

import type { ResultsFileMessage } from '../../benchmarks/results.ts';
import type { RowOutcome } from '../../run-log/index.ts';

/** Tokens of an episode's model calls, all of them known. */
export interface RecordedTokens {
  readonly calls: number;
  /** Cached ones included. */
  readonly prompt: number;
  readonly completion: number;
  /** @default none */
  readonly cached?: number | null;
  /** @default none */
  readonly reasoning?: number | null;
}

/** One trial of a task. */
export interface RecordedTrial {
  readonly task: string;
  /** From 0. */
  readonly trial: number;
  /** Scores by name; a trial without a score of that name was not graded by it. */
  readonly scores: Readonly<Record<string, number>>;
  readonly outcome: RowOutcome;
  /** Message of the error; null without one. */
  readonly error: string | null;
  /** null: unknown. */
  readonly tokens: RecordedTokens | null;
  /** USD; null: unknown. */
  readonly costUsd: number | null;
  /** Actions of the agent; null: unknown. */
  readonly steps: number | null;
  /** The agent's messages to the user; null: unknown. */
  readonly turns: number | null;
  readonly durationMs: number | null;
  readonly tools: readonly string[];
  /** The conversation; empty if it was not requested, or is not recorded. */
  readonly messages: readonly ResultsFileMessage[];
}

/** One run: an agent on the tasks of one benchmark. */
export interface RecordedRun {
  readonly name: string;
  /** `Inspect`, in messages. */
  readonly format: string;
  /** Name of the tasks; runs with different ones are not compared. null: unknown. */
  readonly benchmark: string | null;
  readonly agent: string | null;
  readonly agentModel: string | null;
  /** Score that is used if none is requested; null: a person has to choose among several. */
  readonly mainScore: string | null;
  /** The format's own summary and caveats, one sentence each. */
  readonly notes: readonly string[];
  readonly trials: readonly RecordedTrial[];
}

export interface ReadOptions {
  /** Also reads conversations, which take most of the space. @default false */
  readonly messages?: boolean;
}
