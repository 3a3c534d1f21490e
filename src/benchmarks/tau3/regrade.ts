/**
 * Grades a recorded episode of τ³-bench again by running its calls on the task's initial state. Verdicts on sentences
 * (NL_ASSERTION) come from the recording.
 */

import { findPart, findUnmet, undecidedSentences, type Grade } from '../grade.ts';
import type { Overlay } from '../overlay.ts';
import type { Mismatch, RecordedEpisode, RegradeDeps, RegradeResult, RegradedEnding } from '../regrading.ts';
import { diffStates } from '../state.ts';
import { callTool } from './call.ts';
import { episodeMessages, type EpisodeMessage } from './episode.ts';
import { toGrade } from './grade-parts.ts';
import { gradeTau3, type PreparedTask } from './grade.ts';

export function regradeTau3(
  { entry, messages: recorded }: RecordedEpisode,
  task: PreparedTask,
  { data, hasher }: RegradeDeps,
): RegradeResult {
  const { termination_reason: reason, nl_assertions: judged, error } = entry.info ?? {};
  const messages = episodeMessages(recorded());
  const termination = reason === 'agent_stop' || reason === 'user_stop' ? reason : 'max_steps';
  const graded = gradeTau3(
    task,
    { messages, termination },
    judged?.map(({ met }) => met),
  );
  const { state, calls, toolErrors, mismatches } = execute(task, messages);
  const { checks } = graded;
  const grade = checks === null ? null : toGrade(task, graded, (wanted) => hasher.hash(wanted));
  const isFinished = termination !== 'max_steps';
  return {
    replayedReward: graded.reward,
    ending: toEnding({ isFinished, error: error ?? null, raised: graded.raised }),
    executedActions: calls,
    recordedActions: calls,
    toolErrors,
    dataHash: hasher.hash(state),
    grade,
    unmetParts: grade === null ? [] : describeUnmetParts(grade),
    wouldBe: null,
    recordedRewardInfo: null,
    mismatches,
    isOrdered: true,
    refusedWrites: [],
    taskChanges: [],
    dataDiffs: checks?.basis.includes('DB') === true && !checks.db ? diffStates(data, state, task.wanted) : [],
  };
}

const PART_NAMES = [
  ['assertions', 'ENV_ASSERTION'],
  ['calls', 'ACTION'],
  ['sentences', 'NL_ASSERTION'],
] as const;

function describeUnmetParts(grade: Grade): string[] {
  const failed = PART_NAMES.flatMap(([kind, name]) => {
    const names = findPart(grade, kind)?.counts === true ? findUnmet(grade, kind) : [];
    return names.length === 0 ? [] : [`${name}: ${names.join(', ')}`];
  });
  const isJudgeMissing = undecidedSentences(grade).length > 0;
  return [...failed, ...(isJudgeMissing ? ['NL_ASSERTION is missing: the recording has no verdicts'] : [])];
}

function toEnding(end: { isFinished: boolean; error: string | null; raised: string | undefined }): RegradedEnding {
  if (end.error !== null) return { kind: 'recorded_error', message: end.error };
  if (end.raised !== undefined) return { kind: 'raised', message: end.raised };
  return { kind: end.isFinished ? 'user_stop' : 'not_done' };
}

/** Runs every call and compares its result with the recording. */
function execute({ domain, start }: PreparedTask, messages: readonly EpisodeMessage[]) {
  const state: Overlay = start.copy();
  const mismatches: Mismatch[] = [];
  const waiting: Omit<Mismatch, 'recorded'>[] = [];
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
