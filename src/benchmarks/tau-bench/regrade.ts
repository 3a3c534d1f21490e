/**
 * Grades a recorded episode again: replays its actions on the pack's data, with the user's recorded messages, until an
 * action ends the episode as in the reference, and then computes the reward.
 *
 * A log of calls beside a conversation is replayed to its end, the calls first, because it does not tell which calls
 * came after the episode's end, and no reply changes data.
 */

import { getDomain } from '../domains.ts';
import { replayStep } from '../environment.ts';
import { openOverlay, type EnvData } from '../overlay.ts';
import { equals } from '../python/index.ts';
import { recordedSteps, type RecordedStep, type RecordedSteps } from '../recording.ts';
import {
  isGradedEnding,
  type Mismatch,
  type RecordedEpisode,
  type RegradeDeps,
  type RegradeResult,
  type RegradedEnding,
  type TaskField,
} from '../regrading.ts';
import { diffStates } from '../state.ts';
import { RESPOND, type Action, type Task } from '../types.ts';
import type { ResultsFileEntry } from './results/entry.schema.ts';
import { grade, groundTruthState } from './reward.ts';

/** @param task the pack's task with the recorded number */
export function regradeTauBench(
  { entry, form }: RecordedEpisode,
  task: Task,
  { data, hasher }: RegradeDeps,
): RegradeResult {
  const recording = recordedSteps(entry, form);
  const { executed, state, end, toolErrors, mismatches } = execute(data, recording);
  const ending = findEnding(entry, end, recording);
  const wanted = groundTruthState(data, task);
  const graded = grade(data, task, executed, { hash: (reached) => hasher.hash(reached) });
  const isDone = isGradedEnding(ending);
  const gradeRaised = isDone && graded.kind === 'raised';
  const own = isDone && graded.kind === 'graded' ? graded.grade : null;
  return {
    replayedReward: own?.reward ?? 0,
    ending: gradeRaised ? { kind: 'raised', message: graded.message } : ending,
    executedActions: executed.length,
    recordedActions: recording.steps.length,
    toolErrors,
    dataHash: hasher.hash(state),
    grade: own,
    unmetParts: [],
    wouldBe: ending.kind === 'not_done' ? graded : null,
    recordedRewardInfo: withoutActions(entry.info?.reward_info ?? null),
    mismatches,
    isOrdered: recording.isOrdered,
    refusedWrites: recording.isOrdered
      ? []
      : mismatches.filter(({ action, replayed }) => isWriter(data, action) && isRefusal(replayed)),
    taskChanges: changedFields(entry.info?.task, task),
    dataDiffs: diffStates(data, state, wanted),
  };
}

type RecordedRewardInfo = NonNullable<NonNullable<ResultsFileEntry['info']>['reward_info']>;

function withoutActions(recorded: RecordedRewardInfo | null): Omit<RecordedRewardInfo, 'actions'> | null {
  if (recorded === null) return null;
  const { reward, info } = recorded;
  return info === undefined ? { reward } : { reward, info };
}

/** Takes the steps until one is done or throws; a log's steps, until one throws. */
function execute(data: EnvData, { steps, isOrdered }: RecordedSteps) {
  const state = openOverlay(data);
  const executed: Action[] = [];
  const mismatches: Mismatch[] = [];
  let toolErrors = 0;
  let end: RegradedEnding = { kind: 'not_done' };
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

/** @returns true if the domain's own tool contradicts the log; other commands belong to an agent's framework */
function isContradicted(
  { domain }: EnvData,
  { action, answer, succeeded }: RecordedStep,
  observation: string,
): boolean {
  if (succeeded === undefined || !getDomain(domain).tools.has(action.name)) return false;
  // For the framework, a call that it carried out has succeeded, whatever the tool answered.
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

function findEnding(
  entry: ResultsFileEntry,
  end: RegradedEnding,
  { unreadable, isOrdered }: RecordedSteps,
): RegradedEnding {
  if (end.kind !== 'not_done') return end;
  if (unreadable !== null) return { kind: 'unreadable', message: unreadable };
  const error = entry.info?.error ?? null;
  if (error !== null && (entry.traj ?? []).length === 0) return { kind: 'recorded_error', message: error };
  return isOrdered ? end : { kind: 'unknown' };
}

type RecordedTask = NonNullable<ResultsFileEntry['info']>['task'];

/** Returns fields with different values in the recording and the pack, without fields that the recording lacks. */
export function changedFields(recorded: RecordedTask, task: Task): TaskField[] {
  if (recorded === undefined || recorded === null) return [];
  const changes: TaskField[] = [];
  if (recorded.user_id !== undefined && recorded.user_id !== task.userId) changes.push('user_id');
  if (recorded.instruction !== task.instruction) changes.push('instruction');
  if (!sameActions(recorded.actions, task.actions)) changes.push('actions');
  if (recorded.outputs !== undefined && !equals(recorded.outputs, task.outputs)) changes.push('outputs');
  return changes;
}

export function sameActions(a: readonly Action[], b: readonly Action[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, kwargs }, at) => {
      const other = b[at];
      return other !== undefined && name === other.name && equals(kwargs, other.kwargs);
    })
  );
}
