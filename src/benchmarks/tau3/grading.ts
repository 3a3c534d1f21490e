/** τ³-bench's grading by a task's basis; a judge model decides on its sentences. */

import type { GradeResult } from '../grade.ts';
import type { GradeDeps, GradedConversation, Grading, SentenceJudging } from '../grading.ts';
import type { EnvData } from '../overlay.ts';
import type { Task } from '../types.ts';
import { readCriteria } from './criteria.ts';
import { tau3Domains } from './domains.ts';
import { episodeMessages } from './episode.ts';
import { fromTau3Info, toGrade, toTau3Info } from './grade-parts.ts';
import { gradeTau3, prepareTask, type PreparedTask } from './grade.ts';
import { isSentenceJudge, nlJudgePrompt, readNlVerdicts } from './nl-assertions.ts';

const prepared = new WeakMap<Task, PreparedTask>();

/** Prepares a task once for all trials, because it costs more than a grade. */
export function preparedTask(data: EnvData, task: Task): PreparedTask {
  let known = prepared.get(task);
  if (known === undefined) {
    const domain = tau3Domains.get(data.domain);
    if (domain === undefined) throw new Error(`this version has no domain ${data.domain}`);
    prepared.set(task, (known = prepareTask(domain, data, task.content ?? new Map())));
  }
  return known;
}

function grade(data: EnvData, task: Task, { messages }: GradedConversation, { hash }: GradeDeps): GradeResult {
  const known = preparedTask(data, task);
  const graded = gradeTau3(known, { messages: episodeMessages(messages()), termination: 'user_stop' });
  return { kind: 'graded', grade: toGrade(known, graded, hash) };
}

const judging: SentenceJudging = {
  listSentences({ content }) {
    const criteria = content === undefined ? null : readCriteria(content);
    return criteria?.basis.includes('NL_ASSERTION') === true ? criteria.nlAssertions : [];
  },
  prompt: (messages, sentences) => nlJudgePrompt(episodeMessages(messages), sentences),
  isPrompt: isSentenceJudge,
  readReply: readNlVerdicts,
};

export const tau3Grading: Grading = {
  grade,
  toInfo: toTau3Info,
  fromInfo: fromTau3Info,
  judging,
};
