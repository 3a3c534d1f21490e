/**
 * The data of an HTML report: plain JSON, written by the program and read by the page. The overview is plain;
 * conversations are packed in chunks, and unpacked when one is opened.
 */

import type { DataDifference, UserFault, UserFaultKind, Fault, FaultKind, FaultType } from '../../analysis/index.ts';
import type { PresentedComparison } from '../../results/compare/index.ts';
import type { ConditionFigures } from '../../results/metrics/index.ts';
import type { Report } from '../../results/report/index.ts';
import type { RowOutcome } from '../../run-log/index.ts';
import type { Author, Verdict } from '../../results/judge/index.ts';
import type { RunState } from '../../evaluation/index.ts';

export interface Payload {
  readonly version: 1;
  /**
   * Time of the newest event in the report, ISO 8601, UTC. It is not the time of writing, so that a report made twice
   * is the same.
   */
  readonly asOf: string | null;
  readonly runs: readonly EmbeddedRun[];
  /** Empty for one run. */
  readonly comparison: Pick<PresentedComparison, 'sentences' | 'settings'>;
}

export interface PayloadRun extends Pick<
  Report,
  'subject' | 'metrics' | 'remarks' | 'problems' | 'leaderboardRow' | 'notes'
> {
  /** Names of the tools that were called, sorted. */
  readonly tools: readonly string[];
  /** Episodes sorted by trial, then by task, including those under conditions. */
  readonly episodes: readonly PayloadEpisode[];
  /** Conditions of the run beside `base`; absent if it has none. */
  readonly conditions?: readonly PayloadCondition[];
  /** State from the server, for a run whose log has no end. @default unknown */
  readonly state?: RunState | null;
}

/** A condition beside `base`. */
export interface PayloadCondition extends Pick<ConditionFigures, 'name' | 'p' | 'decision' | 'cost' | 'steps'> {
  /** pass^1 under the condition; null without a scored episode. */
  readonly passHat1: number | null;
  /** Paired difference of the average reward to `base`. */
  readonly difference: Pick<ConditionFigures['difference'], 'delta' | 'interval'>;
  readonly worseTasks: readonly Pick<ConditionFigures['worseTasks'][number], 'taskId' | 'before' | 'after'>[];
}

/** An episode in the overview, with the facts that the grid, the charts, the search and the filters need. */
export interface PayloadEpisode {
  readonly taskId: number;
  /** Name that an environment service gives the task. */
  readonly taskName?: string | undefined;
  readonly trial: number;
  /** Condition of the episode. @default `base` */
  readonly condition?: string;
  readonly reward: number;
  readonly outcome: RowOutcome;
  /** The benchmark that defines the run's metrics. @default tau-bench */
  readonly countedAs?: string;
  /** Number of steps; null if unknown. The same holds for `turns`. */
  readonly steps: number | null;
  readonly turns: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  readonly faults: readonly {
    readonly kind: FaultKind;
    readonly faultType: FaultType | null;
    readonly step: number | null;
  }[];
  readonly userFaults: readonly UserFaultKind[];
  readonly isSuspect: boolean;
  readonly error: string | null;
  /** The tools that the agent called, as positions in the run's list. */
  readonly tools: readonly number[];
  /** Verdict of the judge; null if there is none. */
  readonly verdict: { readonly author: Author; readonly faultType: FaultType | null } | null;
}

/** A run whose conversations are in the same file. */
export interface EmbeddedRun extends PayloadRun {
  readonly episodes: readonly EmbeddedEpisode[];
}

export interface EmbeddedEpisode extends PayloadEpisode {
  /** Number of the chunk with the episode's conversation. */
  readonly chunk: number;
  readonly place: number;
}

/** Episodes of the same tasks, packed together, so that the trials of a task are unpacked together. */
export interface PayloadChunk {
  /** System prompts, each once. */
  readonly prompts: readonly string[];
  readonly conversations: readonly PayloadConversation[];
}

/** The conversation of an episode and the facts that are shown beside it. */
export interface PayloadConversation {
  readonly instruction: string;
  readonly outputs: readonly string[];
  readonly wanted: readonly PayloadAction[];
  readonly opening: string | null;
  readonly steps: readonly PayloadStep[];
  /** False if the steps are a log's calls followed by its replies, because the log does not have their order. */
  readonly isOrdered: boolean;
  /** System prompts of the conversation, as positions in the chunk's list. */
  readonly prompts: readonly number[];
  /** Text of the agent after the last step, without an action; null if there is none. */
  readonly unread: string | null;
  /** False if the record has no analysis, and none could be made. */
  readonly isAnalysed: boolean;
  readonly faults: readonly Fault[];
  readonly differences: readonly PayloadDifference[];
  readonly userFaults: readonly UserFault[];
  readonly roles: readonly {
    readonly role: string;
    readonly calls: number;
    readonly tokensIn: number;
    readonly tokensOut: number;
    readonly costUsd: number | null;
    readonly latencyMs: number;
  }[];
  readonly verdict: PayloadVerdict | null;
  readonly workflowId: string | null;
  /** Address of the episode's history in Temporal UI; null if the UI's address is unknown. */
  readonly historyUrl: string | null;
}

export interface PayloadAction {
  /** Name of the tool, or `respond`. */
  readonly name: string;
  /** Text to the user, or the tool's arguments as JSON, with the spelling of their numbers. */
  readonly text: string;
}

/** A call, with its answer. */
export interface PayloadCall extends PayloadAction {
  readonly observation: string | null;
}

export interface PayloadStep extends PayloadAction {
  readonly index: number;
  /** Text of the agent beside its action; null if there is none. */
  readonly thought: string | null;
  /** Answer of the environment or of the user. */
  readonly observation: string | null;
  /** Calls that the user made with its own tools before answering. */
  readonly userCalls: readonly PayloadCall[];
  readonly changed: boolean;
  readonly costUsd: number | null;
  readonly thinkMs: number | null;
  readonly durationMs: number | null;
  readonly calls: number | null;
}

export interface PayloadDifference extends Pick<DataDifference, 'step' | 'agent' | 'wanted'> {
  /** Path of the field: `orders #W1: items.0.price`. */
  readonly field: string;
}

export type PayloadVerdict = Pick<
  Verdict,
  'author' | 'description' | 'quotes' | 'faultType' | 'faultDescription' | 'faultQuotes'
>;
