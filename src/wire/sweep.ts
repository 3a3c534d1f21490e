/** What goes into a sweep workflow, and what it tells about itself. */

import type { EpisodeKey, EvaluationConfig, RunRef } from './config.ts';
import type { OutcomeKind, TaskQueues } from './episode.ts';
import type { HeldProvider } from './held.ts';

/** Which episodes a sweep has. The order is derived from it, so it stays small however long the sweep. */
export interface SweepPlan {
  /** Task ids in the order asked for. */
  readonly taskIds: readonly number[];
  readonly numTrials: number;
  /** Shuffle the tasks of each trial (seeded). */
  readonly shuffle: boolean;
}

/** Thresholds that a test lowers; the defaults are in the workflow. */
export interface SweepTuning {
  /** Episodes above which a sweep starts lanes. @default 500 */
  readonly laneSize?: number;
  /** Continue as new after this many episodes, besides the server's own suggestion. */
  readonly continueAsNewAfter?: number;
  /** Time until the first look for episodes whose workflow code fails. @unit milliseconds @default 1 minute */
  readonly stuckLookMs?: number;
  /** Milliseconds before a held call is made again: doubled from the first to the last. @default 5 s to 5 min */
  readonly holdMs?: { readonly first: number; readonly last: number };
}

export interface SweepInput {
  readonly run: RunRef;
  readonly config: EvaluationConfig;
  readonly plan: SweepPlan;
  readonly maxConcurrency: number;
  /** Stop opening episodes when the sweep has cost this much; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly queues: TaskQueues;
  readonly tuning?: SweepTuning;
  /** Whether the namespace has the search attributes (a server may refuse to register them). */
  readonly indexed: boolean;
  /** What a reader of the figures has to know, for a run log that nobody has opened yet. @default none */
  readonly notes?: readonly string[];
  /** Nobody is there to resume it: what would pause it for a provider's refusal fails it. @default false */
  readonly unattended?: boolean;
  /** See `WORKFLOW_VERSION`; lanes and episodes have their sweep's. */
  readonly version?: number;
  /** The only episodes to run, as `retry` names them; all others stay as they are. @default every episode of the plan */
  readonly only?: readonly EpisodeKey[];
  /** The part of the plan that this workflow covers; absent in the sweep itself. */
  readonly lane?: Lane;
  /** Carried over continue-as-new. */
  readonly state?: SweepState;
}

/** A child sweep over a slice of the plan, so that no single history grows with the sweep. */
export interface Lane {
  readonly index: number;
  /** First position of the plan, and the position after the last. */
  readonly start: number;
  readonly end: number;
}

/** How a sweep is steered; what its lanes are told as well. */
export interface SweepControl {
  readonly paused: boolean;
  /** Why the sweep has paused itself: the provider's refusal that every further episode would meet; null: it has not. */
  readonly pausedFor?: string | null;
  readonly maxConcurrency: number;
  /** USD; null: no bound; absent: as it was. Of a lane: what it may spend itself. */
  readonly maxCostUsd?: number | null;
}

/** What can be changed of a sweep under way; what is absent stays. */
export interface SweepLimits {
  readonly maxConcurrency?: number;
  /** USD of the whole run; null: no bound. JSON has no infinity, it would arrive as null. */
  readonly maxCostUsd?: number | null;
}

/** Episodes to run again: those that infrastructure ended or somebody cancelled, or the named ones whatever they came to. */
export type RetryRequest = 'failed' | readonly EpisodeKey[];

export interface SweepState extends SweepControl {
  /** Next position of the plan. */
  readonly next: number;
  /** Null: another walk over the plan begins, and counts anew what the run log holds. */
  readonly totals: SweepTotals | null;
  /** As {@link SweepInput.only}, of this walk over the plan. */
  readonly only?: readonly EpisodeKey[];
  /** The only episodes of the walk that follows this one. @default no walk follows */
  readonly onlyNext?: readonly EpisodeKey[];
}

export interface SweepTotals {
  /** Episodes that ended, those found in the run log included. */
  readonly ended: number;
  /** Of these, found in the run log at the start. */
  readonly resumed: number;
  readonly rewardSum: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
  readonly steps: number;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** USD over the calls with a known price; what records cost that were replaced, or will be, is in it. */
  readonly knownCostUsd: number;
  /** Records with at least one call of unknown price. */
  readonly unpriced: number;
}

export interface SweepProgress extends SweepTotals, SweepControl {
  readonly total: number;
  /** Trials per task: {@link SweepPlan.numTrials}, or what the sweep was extended to. */
  readonly numTrials: number;
  /** Whether another walk over the plan follows, for episodes that run again or were added. */
  readonly again: boolean;
  readonly running: number;
  /** Workflow ids of open lanes; their own progress comes on top of these totals. */
  readonly lanes: readonly string[];
  readonly status: 'running' | 'paused' | 'ended' | 'budget_reached';
  /** Up to ten of the open episodes, `task-<id>.trial-<n>`. */
  readonly open: readonly string[];
  /** The last few episodes that ended, newest first. */
  readonly recent: readonly string[];
  /** Providers whose calls are held; absent: none. */
  readonly held?: readonly HeldProvider[];
}

/** How a run can end. `incomplete`: an episode that has ended has no readable record; resuming the run repeats it. */
export const RUN_ENDS = ['completed', 'incomplete', 'budget_reached', 'cancelled', 'failed'] as const;
export type RunEnd = (typeof RUN_ENDS)[number];

/** What a sweep returns. */
export interface SweepResult {
  readonly total: number;
  readonly totals: SweepTotals;
  readonly status: Extract<RunEnd, 'completed' | 'incomplete' | 'budget_reached'>;
  /** See `RunRef.token`; absent in sweeps of before version 4. */
  readonly token?: string;
}
