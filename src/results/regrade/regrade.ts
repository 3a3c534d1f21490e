/**
 * Grades a recorded episode again: its actions are replayed on the pack's data, with the user's recorded words, until
 * an action ends the episode as it does in the reference; then the reward is computed anew.
 */

import { openOverlay, type EnvData } from '../../bench/environment.ts';
import { replayStep } from '../../bench/replay.ts';
import { grade, groundTruthState, type GradeOutput, type RewardInfo } from '../../bench/reward.ts';
import { diffStates, type RecordDiff } from '../../bench/state-diff.ts';
import type { StateHasher } from '../../bench/state-hasher.ts';
import type { Sha256 } from '../../bench/state.ts';
import { RESPOND, type Action, type Task } from '../../bench/types.ts';
import type { ResultsFileEntry } from '../tau-bench/results-reader.ts';
import { recordedSteps, type RecordedStep } from './steps.ts';
import type { TrajectoryForm } from './strategies.ts';
import { changedFields, type TaskField } from './task-changes.ts';

/** How the replayed episode ended. Only the first two are graded. */
export type Ending =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  /** The trajectory ends before the episode does: the reference's agent has {@link STEP_LIMIT} steps. */
  | { readonly kind: 'not_done' }
  /** An exception left the environment's step, or the message is no action. */
  | { readonly kind: 'raised' | 'unreadable'; readonly message: string }
  /** The recording has an error in the place of a trajectory. */
  | { readonly kind: 'recorded_error'; readonly message: string };

/** Steps that the reference gives an agent. */
export const STEP_LIMIT = 30;

export interface Mismatch {
  /** Among the actions, from 0. */
  readonly position: number;
  readonly action: string;
  readonly recorded: string;
  readonly replayed: string;
}

export interface RegradedRecord {
  /** Position in the file, from 0. */
  readonly index: number;
  readonly taskId: number;
  readonly trial: number | null;
  readonly recordedReward: number;
  readonly replayedReward: 0 | 1;
  readonly ending: Ending;
  /** Actions that were executed until the episode ended, of those that the trajectory has. */
  readonly executedActions: number;
  readonly recordedActions: number;
  /** Observations that are errors. */
  readonly toolErrors: number;
  readonly dataHash: string;
  /** What the reference reports; null when it does not grade, or its grading raises. */
  readonly rewardInfo: RewardInfo | null;
  /** The grade of an episode that was not done, which the reference does not give. */
  readonly wouldBe: GradeOutput | null;
  readonly recordedRewardInfo: NonNullable<ResultsFileEntry['info']>['reward_info'];
  /** Where the environment answers otherwise than was recorded: positions among the actions, from 0. */
  readonly mismatches: readonly number[];
  readonly firstMismatch: Mismatch | null;
  /** Fields in which the pack's task is not the recorded one. */
  readonly taskChanges: readonly TaskField[];
  /** Between the agent's final data (`a`) and the ground truth's (`b`). */
  readonly dataDiffs: readonly RecordDiff[];
}

export interface RegradeDeps {
  readonly data: EnvData;
  readonly hasher: StateHasher;
  readonly sha256: Sha256;
  readonly form: TrajectoryForm;
}

/** @param task the pack's task of that number */
export function regradeEntry(entry: ResultsFileEntry, index: number, task: Task, deps: RegradeDeps): RegradedRecord {
  const { data, hasher } = deps;
  const recording = recordedSteps(entry.traj ?? [], deps.form);
  const { executed, state, end, toolErrors, mismatches } = execute(data, recording.steps);
  const ending = endingOf(entry, end, recording.unreadable);
  const wanted = groundTruthState(data, task);
  const graded = grade(data, task, executed, { sha256: deps.sha256, groundTruthHash: () => hasher.hash(wanted) });
  const isDone = ending.kind === 'user_stop' || ending.kind === 'transferred';
  const gradeRaised = isDone && graded.kind === 'raised';
  const info = isDone && graded.kind === 'graded' ? graded.info : null;
  return {
    index,
    taskId: entry.task_id,
    trial: entry.trial ?? null,
    recordedReward: entry.reward,
    replayedReward: info?.reward ?? 0,
    ending: gradeRaised ? { kind: 'raised', message: graded.message } : ending,
    executedActions: executed.length,
    recordedActions: recording.steps.length,
    toolErrors,
    dataHash: hasher.hash(state),
    rewardInfo: info,
    wouldBe: ending.kind === 'not_done' ? graded : null,
    recordedRewardInfo: entry.info?.reward_info ?? null,
    mismatches: mismatches.map(({ position }) => position),
    firstMismatch: mismatches[0] ?? null,
    taskChanges: changedFields(entry.info?.task, task),
    dataDiffs: diffStates(data, state, wanted),
  };
}

/** Rewards are compared as tau-bench's metrics do. */
export function isSameReward({ recordedReward, replayedReward }: RegradedRecord): boolean {
  return Math.abs(recordedReward - replayedReward) <= 1e-6;
}

/** Takes the steps until one is done or raises. */
function execute(data: EnvData, steps: readonly RecordedStep[]) {
  const state = openOverlay(data);
  const executed: Action[] = [];
  const mismatches: Mismatch[] = [];
  let toolErrors = 0;
  let end: Ending = { kind: 'not_done' };
  for (const [position, { action, answer }] of steps.entries()) {
    const step = replayStep(data, state, action, () => answer ?? '');
    executed.push(action);
    if (step.kind === 'raised') {
      end = { kind: 'raised', message: `${step.type}: ${step.message}` };
      break;
    }
    const { observation } = step;
    if (action.name !== RESPOND && observation.startsWith('Error')) toolErrors++;
    if (answer !== null && observation !== answer) {
      mismatches.push({ position, action: action.name, recorded: answer, replayed: observation });
    }
    if (step.done) {
      end = { kind: action.name === RESPOND ? 'user_stop' : 'transferred' };
      break;
    }
  }
  return { executed, state, end, toolErrors, mismatches };
}

function endingOf({ info, traj }: ResultsFileEntry, end: Ending, unreadable: string | null): Ending {
  if (end.kind !== 'not_done') return end;
  if (unreadable !== null) return { kind: 'unreadable', message: unreadable };
  const error = info?.error ?? null;
  if (error !== null && (traj ?? []).length === 0) return { kind: 'recorded_error', message: error };
  return end;
}
