/**
 * Grades a recorded episode of τ³-bench again: its calls are carried out on the task's initial state, and the reward is
 * counted anew by the task's basis. Verdicts on sentences (NL_ASSERTION) are the recording's: no model is asked.
 */

import { diffStates, type Overlay, type RewardInfo, type StateHasher, type Task } from '../../benchmarks/index.ts';
import {
  callTool,
  episodeMessages,
  gradeTau3,
  preparedTask,
  type EpisodeMessage,
  type PreparedTask,
  type Tau3Grade,
} from '../../benchmarks/tau3/index.ts';
import { asToolCalls, type Message } from '../../agents/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';
import type { RegradeDeps, RegradedRecord } from './regrade.ts';

/** @param packTask the pack's task of the entry's id */
export function regradeTau3Entry(
  entry: ResultsFileEntry,
  index: number,
  packTask: Task,
  { data, hasher, form }: RegradeDeps,
): RegradedRecord {
  const task = preparedTask(data, packTask);
  const { termination_reason: reason, nl_assertions: judged, error } = entry.info ?? {};
  const recorded = (entry.traj ?? []) as readonly Message[];
  const messages = episodeMessages(form === 'log' ? recorded : asToolCalls(recorded, form));
  const termination = reason === 'agent_stop' || reason === 'user_stop' ? reason : 'max_steps';
  const graded = gradeTau3(
    task,
    { messages, termination },
    judged?.map(({ met }) => met),
  );
  const { state, calls, toolErrors, mismatches } = execute(task, messages);
  const { checks } = graded;
  const isFinished = termination !== 'max_steps';
  return {
    index,
    taskId: entry.task_id,
    trial: entry.trial ?? null,
    recordedReward: entry.reward,
    replayedReward: graded.reward,
    ending: endingOf({ isFinished, error: error ?? null, raised: graded.raised }),
    executedActions: calls,
    recordedActions: calls,
    toolErrors,
    dataHash: hasher.hash(state),
    rewardInfo: checks === null ? null : rewardInfoOf(task, graded, checks, hasher),
    wouldBe: null,
    recordedRewardInfo: null,
    mismatches: mismatches.map(({ position }) => position),
    firstMismatch: mismatches[0] ?? null,
    isOrdered: true,
    refusedWrites: [],
    taskChanges: [],
    dataDiffs: checks?.basis.includes('DB') === true && !checks.db ? diffStates(data, state, task.wanted) : [],
    failedParts: checks === null ? [] : failedParts(task, graded, checks),
  };
}

function endingOf(end: {
  isFinished: boolean;
  error: string | null;
  raised: string | undefined;
}): RegradedRecord['ending'] {
  if (end.error !== null) return { kind: 'recorded_error', message: end.error };
  if (end.raised !== undefined) return { kind: 'raised', message: end.raised };
  return { kind: end.isFinished ? 'user_stop' : 'not_done' };
}

type Checks = NonNullable<Tau3Grade['checks']>;

/** The checks that tau-bench has too. */
function rewardInfoOf(
  { criteria, wanted }: PreparedTask,
  { reward }: Tau3Grade,
  { db, communicate }: Checks,
  hasher: Pick<StateHasher, 'hash'>,
): RewardInfo {
  const infos = criteria?.communicateInfo ?? [];
  const outputs = infos.map((info, at) => [info, communicate.met[at] === true] as const);
  const detail: RewardInfo['detail'] =
    outputs.length > 0
      ? { kind: 'outputs', rOutputs: communicate.reward === 1, outputs }
      : { kind: 'actions', rActions: db, gtDataHash: hasher.hash(wanted) };
  return { reward, detail, dataMatches: db, numberSpellingOnly: false, strictOutputs: communicate.reward === 1 };
}

/** Parts of the basis that tau-bench does not have, and that keep the reward from being one. */
function failedParts({ criteria }: PreparedTask, { isJudgeMissing }: Tau3Grade, checks: Checks): string[] {
  const { basis, envAssertions, actions, nlAssertions } = checks;
  const failed = (part: Checks['basis'][number], names: readonly string[], met: readonly boolean[]) =>
    basis.includes(part) && !met.every(Boolean)
      ? [`${part}: ${names.filter((_, at) => met[at] === false).join(', ')}`]
      : [];
  return [
    ...failed(
      'ENV_ASSERTION',
      (criteria?.envAssertions ?? []).map(({ name }) => name),
      envAssertions.met,
    ),
    ...failed(
      'ACTION',
      (criteria?.actions ?? []).map(({ name }) => name),
      actions.met,
    ),
    ...failed('NL_ASSERTION', criteria?.nlAssertions ?? [], nlAssertions?.met ?? []),
    ...(isJudgeMissing ? ['NL_ASSERTION is missing: the recording has no verdicts'] : []),
  ];
}

/** Carries out every call, and compares what it answers with the recording. */
function execute({ domain, start }: PreparedTask, messages: readonly EpisodeMessage[]) {
  const state: Overlay = start.copy();
  const mismatches: { position: number; action: string; recorded: string; replayed: string }[] = [];
  const waiting: { readonly position: number; readonly action: string; readonly replayed: string }[] = [];
  let calls = 0;
  let toolErrors = 0;
  for (const message of messages) {
    if (message.role === 'tool') {
      const answered = waiting.shift();
      if (answered !== undefined && answered.replayed !== message.text) {
        mismatches.push({ ...answered, recorded: message.text });
      }
      continue;
    }
    for (const call of message.calls ?? []) {
      const { observation, error } = callTool(domain, state, { ...call, requestor: message.role });
      if (error) toolErrors++;
      waiting.push({ position: calls++, action: call.name, replayed: observation });
    }
  }
  return { state, calls, toolErrors, mismatches };
}
