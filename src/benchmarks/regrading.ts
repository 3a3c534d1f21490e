/** Grades a recorded episode again: replays its calls on the pack's data and computes the reward. */

import type { Grade, GradeResult } from './grade.ts';
import type { EnvData } from './overlay.ts';
import type { RecordingForm } from './recording.ts';
import type { RecordDiff } from './state.ts';
import type { StateHasher } from './state-hasher.ts';
import type { ResultsFileEntry } from './tau-bench/results/entry.schema.ts';
import type { ActingMessage } from './trajectory.ts';

export interface RecordedEpisode {
  readonly entry: ResultsFileEntry;
  /** Form of the whole results file. */
  readonly form: RecordingForm;
  /** The messages with the actions as tool calls; created on demand. */
  readonly messages: () => readonly ActingMessage[];
}

export interface RegradeDeps {
  readonly data: EnvData;
  readonly hasher: Pick<StateHasher, 'hash'>;
}

/** How the replayed episode ended. Only the first three kinds are graded. */
export type RegradedEnding =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  /** A log's episode, which neither the conversation nor a call ends. */
  | { readonly kind: 'unknown' }
  /** The recording ends before the episode does. */
  | { readonly kind: 'not_done' }
  /** An exception left the environment's step, or the message is not an action. */
  | { readonly kind: 'raised' | 'unreadable'; readonly message: string }
  /** The recording has an error instead of a trajectory. */
  | { readonly kind: 'recorded_error'; readonly message: string };

/** True for the endings after which the reward is computed. */
export function isGradedEnding({ kind }: RegradedEnding): boolean {
  return kind === 'user_stop' || kind === 'transferred' || kind === 'unknown';
}

export interface Mismatch {
  /** Position of the action, from 0. */
  readonly position: number;
  readonly action: string;
  /** The answer that the agent received. */
  readonly recorded: string;
  readonly replayed: string;
}

export type TaskField = 'user_id' | 'instruction' | 'actions' | 'outputs';

type RecordedRewardInfo = NonNullable<NonNullable<ResultsFileEntry['info']>['reward_info']>;

export interface RegradeResult {
  readonly replayedReward: number;
  readonly ending: RegradedEnding;
  /** Number of the trajectory's actions that were executed before the episode ended. */
  readonly executedActions: number;
  readonly recordedActions: number;
  /** Number of observations that are errors. */
  readonly toolErrors: number;
  readonly dataHash: string;
  /** Grade of the replayed episode; null if the reference does not grade, or its grading throws. */
  readonly grade: Grade | null;
  /** Parts other than data and outputs that keep the reward below one, each in the benchmark's words. */
  readonly unmetParts: readonly string[];
  /** The grade of an episode that was not done, which the reference does not give. */
  readonly wouldBe: GradeResult | null;
  /** The recorded grade without the ground truth, which is part of the task. */
  readonly recordedRewardInfo: Omit<RecordedRewardInfo, 'actions'> | null;
  /**
   * Actions whose replayed observation differs from the recorded one. A log has other texts, so its actions are
   * included only if either the environment or the log refuses them, not both.
   */
  readonly mismatches: readonly Mismatch[];
  /** False for a log, which does not have the order of calls and replies. */
  readonly isOrdered: boolean;
  /** Mismatches in which the log has a change, and the environment refuses it. */
  readonly refusedWrites: readonly Mismatch[];
  /** Fields in which the pack's task differs from the recorded one. */
  readonly taskChanges: readonly TaskField[];
  /** Differences between the agent's final data (`a`) and the ground truth's (`b`). */
  readonly dataDiffs: readonly RecordDiff[];
}
