/**
 * Grades a recorded episode again: its actions are replayed on the pack's data, with the user's recorded words, until
 * an action ends the episode as it does in the reference; then the reward is computed anew.
 *
 * A log of calls beside a conversation is replayed to its end, the calls first: nothing says which of them came after
 * the episode's end, and no reply changes data.
 */

import {
  RESPOND,
  diffStates,
  getDomain,
  grade,
  groundTruthState,
  openOverlay,
  replayStep,
  type Action,
  type EnvData,
  type GradeOutput,
  type RecordDiff,
  type RewardInfo,
  type StateHasher,
  type Task,
} from '../../benchmarks/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';
import { recordedSteps, type RecordedStep, type RecordedSteps, type RecordingForm } from '../../run-log/index.ts';
import { equals } from '../../benchmarks/python/index.ts';

/** End of the replayed episode. Only the first three are graded. */
type Ending =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  /** The episode of a log that neither the conversation nor a call ends. */
  | { readonly kind: 'unknown' }
  /** The trajectory ends before the episode does: the reference's agent has {@link STEP_LIMIT} steps. */
  | { readonly kind: 'not_done' }
  /** An exception left the environment's step, or the message is no action. */
  | { readonly kind: 'raised' | 'unreadable'; readonly message: string }
  /** The recording has an error in the place of a trajectory. */
  | { readonly kind: 'recorded_error'; readonly message: string };

/** Steps that the reference gives an agent. */
export const STEP_LIMIT = 30;

interface Mismatch {
  /** Place among the actions, from 0. */
  readonly position: number;
  readonly action: string;
  /** The answer that the agent was given. */
  readonly recorded: string;
  readonly replayed: string;
}

type RecordedRewardInfo = NonNullable<NonNullable<ResultsFileEntry['info']>['reward_info']>;

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
  /** The reference's reward; null if it does not grade, or its grading raises. */
  readonly rewardInfo: RewardInfo | null;
  /** The grade of an episode that was not done, which the reference does not give. */
  readonly wouldBe: GradeOutput | null;
  /** The recorded grade without the ground truth, which the task has. */
  readonly recordedRewardInfo: Omit<RecordedRewardInfo, 'actions'> | null;
  /**
   * Positions among the actions, from 0, where the environment answers otherwise than was recorded; of a log, whose
   * answers are worded otherwise, where the environment refuses what the log says was done, or the other way round.
   */
  readonly mismatches: readonly number[];
  readonly firstMismatch: Mismatch | null;
  /** false: of a log, which does not say when between the replies a call was made. */
  readonly isOrdered: boolean;
  /** Mismatches that are changes which the log says were made and the environment refuses. */
  readonly refusedWrites: readonly Mismatch[];
  /** Fields in which the pack's task is not the recorded one. */
  readonly taskChanges: readonly TaskField[];
  /** Parts of τ³-bench's basis that keep the reward from being one, in words; absent: an episode of tau-bench. */
  readonly failedParts?: readonly string[];
  /** Differences between the agent's final data (`a`) and the ground truth's (`b`). */
  readonly dataDiffs: readonly RecordDiff[];
}

export interface RegradeDeps {
  readonly data: EnvData;
  readonly hasher: Pick<StateHasher, 'hash'>;
  readonly form: RecordingForm;
}

/** @param task the pack's task of that number */
export function regradeEntry(entry: ResultsFileEntry, index: number, task: Task, deps: RegradeDeps): RegradedRecord {
  const { data, hasher } = deps;
  const recording = recordedSteps(entry, deps.form);
  const { executed, state, end, toolErrors, mismatches } = execute(data, recording);
  const ending = endingOf(entry, end, recording);
  const wanted = groundTruthState(data, task);
  const graded = grade(data, task, executed, { hash: (reached) => hasher.hash(reached) });
  const isDone = isGraded(ending);
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
    recordedRewardInfo: withoutActions(entry.info?.reward_info ?? null),
    mismatches: mismatches.map(({ position }) => position),
    firstMismatch: mismatches[0] ?? null,
    isOrdered: recording.isOrdered,
    refusedWrites: recording.isOrdered
      ? []
      : mismatches.filter(({ action, replayed }) => isWriter(data, action) && isRefusal(replayed)),
    taskChanges: changedFields(entry.info?.task, task),
    dataDiffs: diffStates(data, state, wanted),
  };
}

function withoutActions(recorded: RecordedRewardInfo | null): Omit<RecordedRewardInfo, 'actions'> | null {
  if (recorded === null) return null;
  const { reward, info } = recorded;
  return info === undefined ? { reward } : { reward, info };
}

/** Rewards are compared as tau-bench's metrics do. */
export function isSameReward({ recordedReward, replayedReward }: RegradedRecord): boolean {
  return Math.abs(recordedReward - replayedReward) <= 1e-6;
}

/** @returns true for the endings after which the reward is computed */
export function isGraded({ kind }: Ending): boolean {
  return kind === 'user_stop' || kind === 'transferred' || kind === 'unknown';
}

/** Takes the steps until one is done or raises; those of a log until one raises. */
function execute(data: EnvData, { steps, isOrdered }: RecordedSteps) {
  const state = openOverlay(data);
  const executed: Action[] = [];
  const mismatches: Mismatch[] = [];
  let toolErrors = 0;
  let end: Ending = { kind: 'not_done' };
  for (const [position, recorded] of steps.entries()) {
    const { action, answer } = recorded;
    const step = replayStep(data, state, action, () => answer ?? '');
    executed.push(action);
    if (step.kind === 'raised') {
      end = { kind: 'raised', message: `${step.type}: ${step.message}` };
      break;
    }
    const { observation } = step;
    if (action.name !== RESPOND && observation.startsWith('Error')) toolErrors++;
    if (isOrdered ? answer !== null && observation !== answer : isContradicted(data, recorded, observation)) {
      mismatches.push({ position, action: action.name, recorded: answer ?? '', replayed: observation });
    }
    if (step.done && !isOrdered) end = { kind: action.name === RESPOND ? 'user_stop' : 'transferred' };
    else if (step.done) {
      end = { kind: action.name === RESPOND ? 'user_stop' : 'transferred' };
      break;
    }
  }
  return { executed, state, end, toolErrors, mismatches };
}

/** @returns true where the domain's own tool contradicts the log; an agent's framework has commands of its own */
function isContradicted(
  { domain }: EnvData,
  { action, answer, succeeded }: RecordedStep,
  observation: string,
): boolean {
  if (succeeded === undefined || !getDomain(domain).tools.has(action.name)) return false;
  // A call that the framework carried out has succeeded for it, whatever the tool has answered.
  const wasDone = succeeded && !SAYS_ERROR.test(answer ?? '');
  return wasDone === isRefusal(observation);
}

const SAYS_ERROR = /^(?:[^{["]*: )?Error\b/;

function isRefusal(observation: string): boolean {
  return observation.startsWith('Error');
}

function isWriter({ domain }: EnvData, tool: string): boolean {
  return getDomain(domain).audit?.writes.includes(tool) ?? false;
}

function endingOf(entry: ResultsFileEntry, end: Ending, { unreadable, isOrdered }: RecordedSteps): Ending {
  if (end.kind !== 'not_done') return end;
  if (unreadable !== null) return { kind: 'unreadable', message: unreadable };
  const error = entry.info?.error ?? null;
  if (error !== null && (entry.traj ?? []).length === 0) return { kind: 'recorded_error', message: error };
  return isOrdered ? end : { kind: 'unknown' };
}

export type TaskField = 'user_id' | 'instruction' | 'actions' | 'outputs';

type RecordedTask = NonNullable<ResultsFileEntry['info']>['task'];

/** Fields of which the recording says something else than the pack; what it does not say is not compared. */
export function changedFields(recorded: RecordedTask, task: Task): TaskField[] {
  if (recorded === undefined || recorded === null) return [];
  const changes: TaskField[] = [];
  if (recorded.user_id !== undefined && recorded.user_id !== task.userId) changes.push('user_id');
  if (recorded.instruction !== task.instruction) changes.push('instruction');
  if (!sameActions(recorded.actions, task.actions)) changes.push('actions');
  if (recorded.outputs !== undefined && !equals(recorded.outputs, task.outputs)) changes.push('outputs');
  return changes;
}

function sameActions(a: readonly Action[], b: readonly Action[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, kwargs }, at) => {
      const other = b[at];
      return other !== undefined && name === other.name && equals(kwargs, other.kwargs);
    })
  );
}

// Whether a file's results are of a pack's tasks, by what the file says of them.

/** @returns true if anything in the file says what its tasks are */
export function namesTasks(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined || recordedTruth(entry) !== undefined);
}

/** @returns true if anything in the file says whom its tasks are about */
export function namesUsers(entries: readonly ResultsFileEntry[]): boolean {
  return entries.some((entry) => recordedUser(entry) !== undefined);
}

/**
 * Counts the results that have the user and the ground truth that the tasks of their numbers have. Instructions are
 * corrected more often than these, and are not compared.
 * @returns null where the tasks are others: one is not there or is of another user, or most ground truths differ
 */
export function fitOf(entries: readonly ResultsFileEntry[], tasks: readonly Task[]): number | null {
  let known = 0;
  let equal = 0;
  for (const entry of entries) {
    const task = tasks[entry.task_id];
    if (task === undefined) return null;
    const user = recordedUser(entry);
    if (user !== undefined && user !== task.userId) return null;
    const truth = recordedTruth(entry);
    if (truth === undefined && user === undefined) continue;
    known++;
    if (truth === undefined || sameActions(truth, withoutRespond(task.actions))) equal++;
  }
  return known > 0 && 2 * equal > known ? equal : null;
}

function recordedUser({ info }: ResultsFileEntry): string | undefined {
  return info?.task?.user_id ?? undefined;
}

/**
 * tau-bench's grade has the ground truth as well, but for what is said to the user. An empty list there may as well have
 * been left empty by another tool, and is ignored.
 */
function recordedTruth({ info }: ResultsFileEntry): readonly Action[] | undefined {
  if (info?.task !== undefined && info.task !== null) return withoutRespond(info.task.actions);
  const actions = info?.reward_info?.actions ?? [];
  return actions.length === 0 ? undefined : withoutRespond(actions);
}

function withoutRespond(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ name }) => name !== RESPOND);
}
